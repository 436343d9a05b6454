import { useEffect, useRef, useState } from 'preact/hooks'
import type { QuestionDetail } from '../../api/questions.ts'
import type { RuleInput, RulePreview } from '../../api/rules.ts'
import { type ApiError, mayManage, post, toApiError } from '../api.ts'
import { ErrorNote } from '../parts/error-note.tsx'
import { LongText } from '../parts/long-text.tsx'

type Scope = NonNullable<RuleInput['scope']>

const scopes: readonly { scope: Scope; title: string }[] = [
  { scope: 'session', title: 'this session' },
  { scope: 'workspace', title: 'this folder' },
  { scope: 'everywhere', title: 'everywhere' },
]

interface Props {
  readonly question: QuestionDetail
  readonly isReady: boolean
  readonly onSave: (rule: RuleInput) => void
  readonly onCancel: () => void
}

/** Which calls to allow from now on, narrowest first, each with what it would have decided before. */
export function RuleOffers({ question, isReady, onSave, onCancel }: Props) {
  const [chosen, setChosen] = useState(0)
  const [scope, setScope] = useState<Scope>('workspace')
  const form = useRef<HTMLFormElement>(null)
  const offer = question.offers[chosen]!
  const [isForAll, setForAll] = useState(false)
  const who = [isForAll ? '*' : question.ruleFor]
  const rule: RuleInput = { tool: offer.tool, pattern: offer.pattern, action: 'allow', scope, who }
  const preview = usePreview(rule)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  return (
    <form
      ref={form}
      class="rule-offers"
      onSubmit={(event) => {
        event.preventDefault()
        onSave(rule)
      }}
      onKeyDown={(event) => event.key === 'Escape' && onCancel()}
    >
      <fieldset>
        <legend>Allow from now on, without asking</legend>
        {question.offers.map((one, n) => (
          <label key={`${one.width} ${one.pattern}`}>
            <input type="radio" name="offer" checked={n === chosen} onChange={() => setChosen(n)} />{' '}
            <span>
              <LongText text={one.about} max={200} />{' '}
              {one.short !== undefined && (
                <code>
                  <LongText text={one.short} max={200} />
                </code>
              )}
            </span>
          </label>
        ))}
      </fieldset>
      <label>
        Where:{' '}
        <select value={scope} onChange={(event) => setScope(event.currentTarget.value as Scope)}>
          {scopes.map((one) => (
            <option key={one.scope} value={one.scope}>
              {one.title}
            </option>
          ))}
        </select>
      </label>
      <label>
        For:{' '}
        <select
          value={isForAll ? 'all' : 'own'}
          onChange={(event) => setForAll(event.currentTarget.value === 'all')}
          disabled={!mayManage()}
        >
          <option value="own">calls by {question.ruleFor === 'local' ? 'you (local)' : question.ruleFor}</option>
          <option value="all">every caller</option>
        </select>
      </label>
      <div class="rule-preview" role="status">
        {preview.error && <ErrorNote error={preview.error} />}
        {preview.data && (
          <>
            <p>
              <bdi>{preview.data.text}</bdi>
            </p>
            {[...preview.data.problems, ...preview.data.warnings].map((text) => (
              <p key={text} class="ask">
                ! <bdi>{text}</bdi>
              </p>
            ))}
            <p class="dim">
              Saved as{' '}
              <code>
                <LongText text={preview.data.pattern} max={200} />
              </code>
            </p>
          </>
        )}
      </div>
      <div class="actions">
        <button type="button" onClick={onCancel}>
          Back
        </button>
        <button type="submit" disabled={!isReady || !preview.data || preview.data.problems.length > 0}>
          Approve and save the rule
        </button>
      </div>
    </form>
  )
}

/** What a rule would have decided in the past. The last one stays in place until the next has arrived. */
export function usePreview(rule: RuleInput | null): { data?: RulePreview; error?: ApiError } {
  const [state, setState] = useState<{ data?: RulePreview; error?: ApiError }>({})
  const key = JSON.stringify(rule)
  useEffect(() => {
    if (rule === null) return
    let isOver = false
    post<RulePreview>('rules/preview', rule).then(
      (data) => !isOver && setState({ data }),
      (error) => !isOver && setState({ error: toApiError(error) }),
    )
    return () => {
      isOver = true
    }
  }, [key])
  return state
}

import { useState } from 'preact/hooks'
import type { ActionResponse, RuleInput, RulePreview } from '../../api/rules.ts'
import { type ApiError, mayManage, post, toApiError } from '../api.ts'
import { ErrorNote } from '../parts/error-note.tsx'
import { LongText } from '../parts/long-text.tsx'
import { notify } from '../parts/notice.tsx'
import { navigate, route, toAddress } from '../router.ts'
import { isComplete, RuleFields } from './rule-fields.tsx'
import { usePosted } from './use-posted.ts'

const hour = 3_600_000
const lifetimes = [
  { text: 'until it is removed', ms: null },
  { text: 'for an hour', ms: hour },
  { text: 'for a day', ms: 24 * hour },
  { text: 'for 30 days', ms: 30 * 24 * hour },
] as const

/** A rule as people think of it, with what it means and what it would have done. */
export function NewRule() {
  const { query } = route.value
  const [rule, setRule] = useState<RuleInput>({
    tool: query.tool ?? '',
    pattern: query.pattern ?? '',
    action: 'ask',
    scope: 'workspace',
  })
  const [lifetime, setLifetime] = useState(0)
  const [error, setError] = useState<ApiError>()
  const [isBusy, setBusy] = useState(false)
  const preview = usePosted<RulePreview>('rules/preview', isComplete(rule) ? rule : null)
  const isSound = preview.data !== undefined && !preview.isStale && !preview.error && preview.data.problems.length === 0
  async function save() {
    setBusy(true)
    setError(undefined)
    try {
      const { ms } = lifetimes[lifetime]!
      const expiresAt = ms === null ? {} : { expiresAt: new Date(Date.now() + ms).toISOString() }
      const { message } = await post<ActionResponse>('rules/create', { ...rule, ...expiresAt })
      notify(message)
      navigate(toAddress('rules'))
    } catch (cause) {
      setError(toApiError(cause))
      setBusy(false)
    }
  }
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        if (isSound && mayManage()) void save()
      }}
    >
      <RuleFields id="rule" rule={rule} onChange={setRule} />
      <div class="field">
        <label for="rule-scope">Where</label>
        <select
          id="rule-scope"
          value={rule.scope}
          onChange={(event) => setRule({ ...rule, scope: event.currentTarget.value as 'workspace' })}
        >
          <option value="workspace">in this workspace</option>
          <option value="everywhere">everywhere</option>
        </select>
      </div>
      <div class="field">
        <label for="rule-lifetime">How long</label>
        <select
          id="rule-lifetime"
          value={String(lifetime)}
          onChange={(event) => setLifetime(Number(event.currentTarget.value))}
        >
          {lifetimes.map(({ text }, index) => (
            <option key={text} value={String(index)}>
              {text}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="rule-description">Why</label>
        <input
          id="rule-description"
          type="text"
          maxLength={200}
          value={rule.description ?? ''}
          onInput={(event) => setRule({ ...rule, description: event.currentTarget.value })}
        />
      </div>
      <Preview {...preview} />
      {error && <ErrorNote error={error} />}
      <div class="actions">
        <button type="submit" disabled={!isSound || isBusy || !mayManage()}>
          Save the rule
        </button>
        {!mayManage() && <span class="dim">Your sign-in may not change rules.</span>}
      </div>
    </form>
  )
}

function Preview({ data, error, isStale }: ReturnType<typeof usePosted<RulePreview>>) {
  if (error) return <ErrorNote error={error} />
  if (data === undefined) return <p class="dim">Name a tool and its calls to see what the rule would have decided.</p>
  return (
    <section class={isStale ? 'preview faded' : 'preview'} aria-label="Preview" aria-live="polite">
      <p>
        <b>
          <LongText text={data.text} />
        </b>
      </p>
      <p class="dim">
        Strict form:{' '}
        <code>
          <LongText text={data.pattern} />
        </code>
      </p>
      {data.matched > 0 && (
        <p class="dim">
          Of the {data.matched} it matches, {data.wereAllowed} were allowed, {data.wereAsked} asked,{' '}
          <span class={data.wereDenied > 0 ? 'no' : ''}>{data.wereDenied} denied</span>.
        </p>
      )}
      {data.problems.map((problem, n) => (
        <p key={n} class="no">
          <span aria-hidden="true">✕</span> <LongText text={problem} />
        </p>
      ))}
      {data.warnings.map((warning, n) => (
        <p key={n} class="ask">
          <span aria-hidden="true">!</span> <LongText text={warning} />
        </p>
      ))}
    </section>
  )
}

import { useEffect, useRef } from 'preact/hooks'
import type { QuestionList, QuestionRow } from '../../api/questions.ts'
import { Countdown } from '../parts/time.tsx'
import { toAddress } from '../router.ts'

interface Props {
  readonly list: QuestionList
  readonly selected: string | null
  readonly chosen: ReadonlySet<string>
  readonly onChoose: ((id: string) => void) | undefined
}

export function Questions({ list, selected, chosen, onChoose }: Props) {
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    box.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [selected])
  return (
    <section ref={box} class="questions" aria-label="Pending questions">
      <ul>
        {list.pending.map((question) => (
          <li key={question.id}>
            {onChoose && question.refusal === undefined ? (
              <label class="choose">
                <input
                  type="checkbox"
                  checked={chosen.has(question.id)}
                  onChange={() => onChoose(question.id)}
                  aria-label={`Select ${question.tool.slice(0, 80)}`}
                />
              </label>
            ) : (
              <span class="choose" />
            )}
            <Row question={question} isSelected={question.id === selected} />
          </li>
        ))}
      </ul>
      <Ended list={list} />
    </section>
  )
}

function Row({ question, isSelected }: { readonly question: QuestionRow; readonly isSelected: boolean }) {
  const { approvedBy, peopleNeeded } = question
  return (
    <a class="question-row" href={toAddress('inbox', question.id)} aria-current={isSelected ? 'true' : undefined}>
      <span class="question-line">
        <b class="ask">!</b> <b class="cut">{question.tool}</b>{' '}
        <span class="dim">{question.risk.replaceAll('_', ' ')}</span>
        <span class="dim cut">
          asked by <bdi>{question.caller}</bdi>
        </span>
        {peopleNeeded > 1 && (
          <span>
            {approvedBy.length} of {peopleNeeded} said yes
          </span>
        )}
        {question.refusal !== undefined && <span class="dim">not for you</span>}
        <Countdown until={question.expiresAt} />
      </span>
      <bdi class="cut target">{question.target}</bdi>
    </a>
  )
}

const answers = { yes: '✓ approved', no: '✕ denied', expired: 'expired' } as const

/** What was answered lately, so that a second person sees what the first decided. */
export function Ended({ list }: { readonly list: QuestionList }) {
  if (list.ended.length === 0) return null
  return (
    <details class="ended">
      <summary>{list.ended.length} ended within the last hour</summary>
      <ul>
        {list.ended.map((question) => (
          <li key={question.id} class="cut">
            {answers[question.answer]}
            {question.by !== null && (
              <>
                {' '}
                by <bdi>{question.by}</bdi>
              </>
            )}
            : <bdi>{question.tool}</bdi>, asked by <bdi>{question.caller}</bdi>
          </li>
        ))}
      </ul>
    </details>
  )
}

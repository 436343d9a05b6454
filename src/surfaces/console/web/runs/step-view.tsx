import { useState } from 'preact/hooks'
import type { RunDetail, RunOutput, RunStepView, StepError } from '../../api/runs.ts'
import { type ApiError, get, toApiError, toPath } from '../api.ts'
import { ErrorNote } from '../parts/error-note.tsx'
import { Fact } from '../parts/fact.tsx'
import { formatBytes, formatDuration, plural } from '../parts/format.ts'
import { JsonView } from '../parts/json-view.tsx'
import { LongText } from '../parts/long-text.tsx'
import { Countdown, RelativeTime } from '../parts/time.tsx'
import { route, toAddress } from '../router.ts'
import { Resume } from './resume.tsx'
import { StepMark } from './states.tsx'

interface Props {
  readonly run: RunDetail
  readonly step: RunStepView
  readonly reload: () => void
}

/** The story of one step: its call, what it waits for, how it ended, and what a person must say about it. */
export function StepView({ run, step, reload }: Props) {
  const { startedAt, endedAt, items } = step
  return (
    <section class="step-story" aria-label="The selected step">
      <h3>
        <LongText text={step.key} max={80} /> <StepMark state={step.state} />
      </h3>
      {step.state === 'waiting' && <Waiting step={step} />}
      {step.state === 'interrupted' && <Resume run={run} step={step} reload={reload} />}
      {step.error && <Failure error={step.error} />}
      <dl class="fields">
        {step.tool !== undefined && (
          <Fact name="Tool">
            <a href={toAddress('tools', step.tool)}>
              <bdi>{step.tool}</bdi>
            </a>
          </Fact>
        )}
        {step.after.length > 0 && <Fact name="After">{step.after.join(', ')}</Fact>}
        {startedAt !== undefined && (
          <Fact name="Began">
            <RelativeTime at={startedAt} />
            {endedAt !== undefined && `, took ${formatDuration(Date.parse(endedAt) - Date.parse(startedAt))}`}
          </Fact>
        )}
        {step.callId !== undefined && (
          <Fact name="Call">
            <a href={toAddress('calls', step.callId)}>Show its story in the ledger</a>
          </Fact>
        )}
      </dl>
      {step.outputBytes !== undefined && (
        <Output key={step.key} run={run.id} step={step.key} bytes={step.outputBytes} />
      )}
      {items && items.length > 0 && <Items run={run} items={items} />}
    </section>
  )
}

function Waiting({ step }: { readonly step: RunStepView }) {
  return (
    <p class="note ask">
      <b aria-hidden="true">!</b> {step.questionId === undefined ? 'It waits for a time: ' : 'It waits for an answer: '}
      {step.questionId !== undefined && <a href={toAddress('inbox', step.questionId)}>Open the question</a>}{' '}
      {step.wakesAt !== undefined && <Countdown until={step.wakesAt} />}
    </p>
  )
}

export function Failure({ error }: { readonly error: StepError }) {
  return (
    <div class="note no">
      <b aria-hidden="true">✕</b> <code>{error.code}</code> <LongText text={error.message} />
      {error.suggestion && (
        <p>
          <LongText text={error.suggestion} />
        </p>
      )}
    </div>
  )
}

const maxItems = 50

/** Folded: a step can have a thousand. */
function Items({ run, items }: { readonly run: RunDetail; readonly items: readonly RunStepView[] }) {
  const [shown, setShown] = useState(maxItems)
  return (
    <details>
      <summary>{plural(items.length, 'item')}</summary>
      <ul class="step-items">
        {items.slice(0, shown).map((item) => (
          <li key={item.key}>
            <a href={toAddress('runs', run.id, { ...route.value.query, step: item.key })}>
              <bdi>{item.key}</bdi>
            </a>{' '}
            <StepMark state={item.state} />{' '}
            {item.error && (
              <span class="dim">
                <LongText text={item.error.message} max={120} />
              </span>
            )}
          </li>
        ))}
      </ul>
      {items.length > shown && (
        <button type="button" class="small" onClick={() => setShown(shown + 10 * maxItems)}>
          show {plural(items.length - shown, 'more', 'more')}
        </button>
      )}
    </details>
  )
}

/** What a step or the run returned, loaded when a person asks for it. */
export function Output({ run, step, bytes }: { readonly run: string; readonly step?: string; readonly bytes: number }) {
  const [found, setFound] = useState<RunOutput>()
  const [error, setError] = useState<ApiError>()
  async function show(): Promise<void> {
    setError(undefined)
    try {
      setFound(await get<RunOutput>(toPath(['runs', run, 'output'], { step })))
    } catch (failure) {
      setError(toApiError(failure))
    }
  }
  return (
    <>
      <h3>
        Output{' '}
        {found ? (
          <span class="dim">{formatBytes(bytes)}</span>
        ) : (
          <button type="button" class="small" onClick={() => void show()}>
            show {formatBytes(bytes)}
          </button>
        )}
      </h3>
      {error && <ErrorNote error={error} />}
      {found && <JsonView value={found.output} />}
    </>
  )
}

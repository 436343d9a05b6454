import { useMemo, useState } from 'preact/hooks'
import type { Contract } from '../../../../contract/contract.ts'
import type { JsonValue } from '../../../../contract/json.ts'
import type { ForeseeResponse, Problem, ToolDetail, TryResponse } from '../../api/tools.ts'
import { type ApiError, mayManage, post, toApiError, toPath } from '../api.ts'
import { SchemaForm } from '../form/form.tsx'
import { fillForm, openForm } from '../form/form-state.ts'
import type { Value } from '../form/form-value.ts'
import { FileChangeView } from '../parts/diff-view.tsx'
import { ErrorNote } from '../parts/error-note.tsx'
import { formatDuration, plural } from '../parts/format.ts'
import { JsonView } from '../parts/json-view.tsx'
import { LongText } from '../parts/long-text.tsx'
import { useSettled } from '../parts/use-settled.ts'
import { toAddress } from '../router.ts'

type State =
  | { readonly step: 'edit' }
  | { readonly step: 'waiting'; readonly text: string }
  | { readonly step: 'wrong'; readonly problems: readonly Problem[]; readonly seen: Value; readonly text?: string }
  | { readonly step: 'foreseen'; readonly seen: Value; readonly decision: Foreseen }
  | { readonly step: 'ran'; readonly result: TryResponse }
  | { readonly step: 'failed'; readonly error: ApiError }

/** Calls the tool as this person. What would be decided is shown first; only then can it run. */
export function TryIt({ tool, contract }: { readonly tool: ToolDetail; readonly contract: Contract }) {
  const form = useMemo(() => openForm(contract.input as unknown as JsonValue), [tool.contractDigest])
  const [state, setState] = useState<State>({ step: 'edit' })
  const input = form.value.value
  const isBlocked = Object.keys(form.faults.value).length > 0 || state.step === 'waiting'
  // A decision is about one exact input.
  const isCurrent = state.step === 'foreseen' && state.seen === input && !isBlocked
  const isSettled = useSettled(isCurrent ? 'decision' : '')

  async function check() {
    setState({ step: 'waiting', text: 'Checking…' })
    try {
      const response = await post<ForeseeResponse>(toPath(['tools', tool.id, 'foresee']), { input: input ?? {} })
      setState(response.valid ? { step: 'foreseen', seen: input, decision: response } : { step: 'wrong', problems: response.problems, seen: input }) // biome-ignore format: one line
    } catch (error) {
      setState({ step: 'failed', error: toApiError(error) })
    }
  }

  async function run() {
    setState({ step: 'waiting', text: 'Running…' })
    try {
      const result = await post<TryResponse>(toPath(['tools', tool.id, 'call']), { input: input ?? {} })
      const problems = result.error?.problems ?? []
      setState(problems.length > 0 ? { step: 'wrong', problems, seen: input, text: result.error!.message } : { step: 'ran', result }) // biome-ignore format: one line
    } catch (error) {
      setState({ step: 'failed', error: toApiError(error) })
    }
  }

  if (!mayManage())
    return (
      <p class="block dim">Your sign-in may not call tools. For that, open the console with a link that allows it.</p>
    )
  return (
    <details class="block try" open={state.step !== 'edit' || undefined}>
      <summary>
        <b>Try it</b> <span class="dim">as yourself, through every check</span>
      </summary>
      <div class="try-body">
        <Presets
          contract={contract}
          onChoose={(value) => {
            fillForm(form, value)
            setState({ step: 'edit' })
          }}
        />
        <SchemaForm form={form} {...(state.step === 'wrong' && { problems: state.problems, seen: state.seen })} />
        <div class="actions">
          <button type="button" disabled={isBlocked} onClick={() => void check()}>
            Check what would happen
          </button>
          {state.step === 'waiting' && (
            <span class="dim" role="status">
              {state.text}
            </span>
          )}
        </div>
        {state.step === 'wrong' && state.text !== undefined && (
          <p class="no">
            <LongText text={state.text} />
          </p>
        )}
        {state.step === 'failed' && <ErrorNote error={state.error} />}
        {state.step === 'foreseen' && !isCurrent && <p class="dim">The input has changed: check it again.</p>}
        {isCurrent && (
          <>
            <Decision decision={state.decision} />
            <div class="actions">
              <button
                type="button"
                class={kindOf(state.decision) === 'allow' ? 'primary' : ''}
                disabled={!isSettled || state.decision.action === 'deny'}
                onClick={() => void run()}
              >
                {kindOf(state.decision) === 'ask' ? 'Run: ask a person first' : 'Run'}
              </button>
              {state.decision.action === 'deny' && (
                <span class="dim">It would be refused, so it cannot be run from here.</span>
              )}
            </div>
          </>
        )}
        {state.step === 'ran' && <Result result={state.result} />}
      </div>
    </details>
  )
}

function Presets({
  contract,
  onChoose,
}: {
  readonly contract: Contract
  readonly onChoose: (input: JsonValue) => void
}) {
  const { examples = [] } = contract
  if (examples.length === 0) return null
  return (
    <label>
      Start from an example:{' '}
      <select
        value=""
        onChange={(event) => {
          const example = examples[Number(event.currentTarget.value)]
          if (event.currentTarget.value !== '' && example) onChoose(example.input)
          event.currentTarget.value = ''
        }}
      >
        <option value="">choose…</option>
        {examples.map((example, index) => (
          <option key={index} value={String(index)}>
            {(example.title ?? `Example ${index + 1}`).slice(0, 80)}
            {example.error ? ` (fails: ${example.error})` : ''}
          </option>
        ))}
      </select>
    </label>
  )
}

const decisions = {
  allow: { sign: '✓', kind: 'ok', text: 'It would run at once.' },
  ask: { sign: '?', kind: 'ask', text: 'A person would be asked first.' },
  deny: { sign: '✕', kind: 'no', text: 'It would be refused.' },
  fail: { sign: '✕', kind: 'no', text: 'It would fail.' },
} as const

type Foreseen = ForeseeResponse & { readonly valid: true }

function kindOf({ action, error }: Foreseen): keyof typeof decisions {
  return error ? 'fail' : action
}

function Decision({ decision }: { readonly decision: Foreseen }) {
  const { sign, kind, text } = decisions[kindOf(decision)]
  const { error } = decision
  return (
    <section>
      <h3>What would happen</h3>
      <p class={`note ${kind}`} role="status">
        <b aria-hidden="true">{sign}</b> {text}{' '}
        <LongText text={error ? `${error.message} ${error.suggestion}` : decision.reason} />{' '}
        <span class="dim">
          (<LongText text={error ? error.code : decision.rule} max={60} />)
        </span>
      </p>
      {decision.problem !== undefined && (
        <p class="note no">
          <b>✕</b> <LongText text={decision.problem} />
        </p>
      )}
      {decision.sandbox !== undefined && (
        <p class="dim">
          Confined by: <LongText text={decision.sandbox} />
        </p>
      )}
      {decision.changes.map((change) => (
        <FileChangeView key={change.path} change={change} />
      ))}
      {decision.changes.length > 0 && <p class="dim">{plural(decision.changes.length, 'file')} would change.</p>}
    </section>
  )
}

function Result({ result }: { readonly result: TryResponse }) {
  const { error } = result
  const story = <a href={toAddress('calls', result.callId)}>Show the call</a>
  if (error === undefined)
    return (
      <section aria-label="Result">
        <p class="note ok" role="status">
          <b aria-hidden="true">✓</b> Succeeded in {formatDuration(result.durationMs)}. {story}
        </p>
        {result.output !== undefined && <JsonView value={result.output} />}
      </section>
    )
  return (
    <section aria-label="Result">
      <div class={`note ${error.questionId ? 'ask' : 'no'}`} role="alert">
        <b aria-hidden="true">{error.questionId ? '?' : '✕'}</b> <code>{error.code}</code>{' '}
        <LongText text={error.message} />
        {error.suggestion && (
          <p>
            <LongText text={error.suggestion} />
          </p>
        )}
        {error.questionId ? <a href={toAddress('inbox', error.questionId)}>Open the question</a> : story}
      </div>
    </section>
  )
}

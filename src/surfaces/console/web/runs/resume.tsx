import { useMemo, useState } from 'preact/hooks'
import type { JsonValue } from '../../../../contract/json.ts'
import type { ActionResponse } from '../../api/rules.ts'
import type { ResumeRequest, RunDetail, RunStepView } from '../../api/runs.ts'
import type { ToolDetail } from '../../api/tools.ts'
import { type ApiError, mayApprove, post, toApiError, toPath, useRequest } from '../api.ts'
import { SchemaForm } from '../form/form.tsx'
import { type FormState, openForm } from '../form/form-state.ts'
import { ErrorNote } from '../parts/error-note.tsx'
import { LongText } from '../parts/long-text.tsx'
import { notify } from '../parts/notice.tsx'
import { useSettled } from '../parts/use-settled.ts'

const choices = [
  { as: 'done', name: 'It took effect', about: 'The run continues with what it returned, which you give below.' },
  { as: 'again', name: 'It did not take effect', about: 'It runs again. If it did take effect, that happens twice.' },
  { as: 'failed', name: 'It failed', about: 'The run continues as the workflow says for a failure of this step.' },
] as const

interface Props {
  readonly run: RunDetail
  readonly step: RunStepView
  readonly reload: () => void
}

/** Asks what became of a step during which its process ended. Nothing is chosen by itself. */
export function Resume({ run, step, reload }: Props) {
  const [as, setAs] = useState<ResumeRequest['as']>()
  const tool = useRequest<ToolDetail>(as === 'done' && step.tool !== undefined ? toPath(['tools', step.tool]) : null)
  const schema = tool.data?.contract.output as JsonValue | undefined
  const form = useMemo(() => (schema === undefined ? undefined : openForm(schema)), [tool.data?.contractDigest])
  const [error, setError] = useState<ApiError>()
  const [isBusy, setBusy] = useState(false)
  const isSettled = useSettled(as ?? '')
  const isReady = as !== undefined && isSettled && !isBusy && (as !== 'done' || (form !== undefined && !hasFault(form)))
  async function send(): Promise<void> {
    setBusy(true)
    setError(undefined)
    try {
      const output = as === 'done' ? { output: form!.value.value ?? {} } : {}
      notify(
        (await post<ActionResponse>(toPath(['runs', run.id, 'resume']), { step: step.key, as, ...output })).message,
      )
      reload()
    } catch (failure) {
      setError(toApiError(failure))
    }
    setBusy(false)
  }
  return (
    <div class="note no">
      <p>
        <b aria-hidden="true">!</b> <b>The process ended during this step, and it may not run twice by itself.</b>
      </p>
      {step.known && (
        <p>
          <LongText text={step.known.message} />
        </p>
      )}
      {mayApprove() ? (
        <fieldset class="resume">
          <legend>What became of it?</legend>
          {choices.map((choice) => (
            <label key={choice.as}>
              <input type="radio" name="as" checked={as === choice.as} onChange={() => setAs(choice.as)} />{' '}
              <b>{choice.name}</b> <span class="dim">{choice.about}</span>
            </label>
          ))}
          {as === 'done' && tool.error && <ErrorNote error={tool.error} retry={tool.reload} />}
          {as === 'done' && form && <SchemaForm form={form} />}
          {error && <ErrorNote error={error} />}
          <div class="actions">
            <button type="button" disabled={!isReady} onClick={() => void send()}>
              Continue the run
            </button>
          </div>
        </fieldset>
      ) : (
        <p>You may look at it, but not decide. To decide, sign in with `toolpact open`.</p>
      )}
    </div>
  )
}

function hasFault(form: FormState): boolean {
  return Object.keys(form.faults.value).length > 0
}

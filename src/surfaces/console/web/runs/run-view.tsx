import { useEffect, useState } from 'preact/hooks'
import type { ActionResponse } from '../../api/rules.ts'
import type { RunDetail, RunStepView } from '../../api/runs.ts'
import { mayApprove, mayManage, post, toPath, useRequest } from '../api.ts'
import { Digest } from '../parts/copy.tsx'
import { ErrorNote } from '../parts/error-note.tsx'
import { Fact } from '../parts/fact.tsx'
import { JsonView } from '../parts/json-view.tsx'
import { LongText } from '../parts/long-text.tsx'
import { notify, notifyError } from '../parts/notice.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { RelativeTime } from '../parts/time.tsx'
import { useSettled } from '../parts/use-settled.ts'
import { route, toAddress } from '../router.ts'
import { questionChanges, runChanges } from '../stream/stream.ts'
import { RunGraph, StepList } from './graph.tsx'
import { RunMark } from './states.tsx'
import { Failure, Output, StepView } from './step-view.tsx'

/** A run: what it is at, its steps as a graph, and the story of the selected step. Follows the stream until it has ended. */
export function RunView({ id }: { readonly id: string }) {
  const {
    data: run,
    error,
    reload,
  } = useRequest<RunDetail>(toPath(['runs', id]), [runChanges.value + questionChanges.value])
  const isPhone = useMedia('(max-width: 720px)')
  if (!run) return error ? <ErrorNote error={error} retry={reload} /> : <Skeleton />
  const selected = route.value.query.step ?? findUrgent(run.steps)?.key
  const steps = run.steps.flatMap((step) => [step, ...(step.items ?? [])])
  const step = steps.find(({ key }) => key === selected)
  const story = step && <StepView key={step.key} run={run} step={step} reload={reload} />
  const box = selected?.includes('/') && !run.steps.some(({ key }) => key === selected) ? selected.split('/')[0] : selected // biome-ignore format: one line
  return (
    <article class="run">
      {error && <ErrorNote error={error} retry={reload} />}
      <h2>
        <LongText text={run.workflow} max={80} />
      </h2>
      <p role="status">
        <RunMark state={run.state} />, {run.done} of {run.total} steps ended
      </p>
      <p class="dim">
        Started <RelativeTime at={run.createdAt} /> by <LongText text={run.caller} max={60} />, changed{' '}
        <RelativeTime at={run.updatedAt} />
      </p>
      {run.error && <Failure error={run.error} />}
      <Actions run={run} reload={reload} />
      <h3>Steps</h3>
      {isPhone ? (
        <StepList run={run} selected={box}>
          {story}
        </StepList>
      ) : (
        <>
          <RunGraph run={run} selected={box} />
          {story}
        </>
      )}
      <h3>Input</h3>
      <JsonView value={run.input} />
      {run.outputBytes !== undefined && <Output run={run.id} bytes={run.outputBytes} />}
      <h3>Record</h3>
      <dl class="fields">
        <Fact name="Workflow">
          <a href={toAddress('tools', run.workflow)}>Show its contract</a>
        </Fact>
        <Fact name="Call">
          <a href={toAddress('calls', run.id)}>Show the call that started it</a>
        </Fact>
        <Fact name="Folder">
          <LongText text={run.workspace} max={120} />
        </Fact>
        <Fact name="Contract">
          <Digest digest={run.contractDigest} label="contract digest" />
        </Fact>
        <Fact name="Run">
          <Digest digest={run.id} label="run id" />
        </Fact>
      </dl>
    </article>
  )
}

function useMedia(query: string): boolean {
  const [media] = useState(() => matchMedia(query))
  const [isMatch, setMatch] = useState(media.matches)
  useEffect(() => {
    const follow = () => setMatch(media.matches)
    media.addEventListener('change', follow)
    return () => media.removeEventListener('change', follow)
  }, [])
  return isMatch
}

/** The step that a person looks for first. */
function findUrgent(steps: readonly RunStepView[]): RunStepView | undefined {
  for (const state of ['interrupted', 'waiting', 'failed'] as const) {
    const found = steps.find((step) => step.state === state)
    if (found) return found.items?.find((item) => item.state === state) ?? found
  }
  return undefined
}

const choices = {
  cancel: {
    button: 'Cancel the run…',
    about: 'Steps that finished stay done, and nothing is undone. A step that runs now is aborted, and may have taken effect.', // biome-ignore format: one line
    confirm: 'Cancel the run',
  },
  retry: {
    button: 'Retry…',
    about: 'It continues at the step that failed, which runs again. Steps that finished do not.',
    confirm: 'Retry the run',
  },
} as const

/** Each action says what it means before it can be chosen. */
function Actions({ run, reload }: { readonly run: RunDetail; readonly reload: () => void }) {
  const [asked, setAsked] = useState<keyof typeof choices>()
  const [isBusy, setBusy] = useState(false)
  const isOpen = run.state === 'running' || run.state === 'waiting' || run.state === 'needs_person'
  const offered = isOpen ? 'cancel' : run.state === 'failed' ? 'retry' : undefined
  const choice = asked === offered ? asked : undefined
  const isSettled = useSettled(`${choice} ${run.state}`)
  if (offered === undefined) return null
  if (!(offered === 'cancel' ? mayApprove() : mayManage())) return null
  async function act(what: keyof typeof choices): Promise<void> {
    setBusy(true)
    try {
      notify((await post<ActionResponse>(toPath(['runs', run.id, what]))).message)
      reload()
    } catch (cause) {
      notifyError(cause)
    }
    setBusy(false)
    setAsked(undefined)
  }
  if (choice === undefined)
    return (
      <div class="actions">
        <button type="button" onClick={() => setAsked(offered)}>
          {choices[offered].button}
        </button>
      </div>
    )
  return (
    <div class="note ask">
      <p>{choices[choice].about}</p>
      <div class="actions">
        <button type="button" disabled={isBusy} onClick={() => setAsked(undefined)}>
          Leave it
        </button>
        <button type="button" disabled={isBusy || !isSettled} onClick={() => void act(choice)}>
          {choices[choice].confirm}
        </button>
      </div>
    </div>
  )
}

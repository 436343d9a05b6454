import type { RunState, StepState } from '../../api/runs.ts'

interface Look {
  /** Of a box of 14 by 14. Shape and words tell the state; colour only helps. */
  readonly shape: string
  readonly kind: 'ok' | 'ask' | 'no' | 'dim' | 'accent'
  readonly text: string
}

const circle = 'M7 1a6 6 0 1 0 0 12a6 6 0 1 0 0-12z'
const square = 'M1 1h12v12H1z'
const shapes = {
  check: `${circle}M4 7l2 2.5L10 5`,
  ring: circle,
  play: `${circle}M5.5 4.5v5l4-2.5z`,
  diamond: 'M7 .5L13.5 7L7 13.5L.5 7zM7 4v4M7 10v.5',
  triangle: 'M7 1L13.5 13H.5zM7 5.5v3.5M7 11v.5',
  cross: `${square}M4 4l6 6M10 4l-6 6`,
  bar: `${square}M4 7h6`,
}

const steps: { readonly [state in StepState]: Look } = {
  pending: { shape: shapes.ring, kind: 'dim', text: 'not begun' },
  running: { shape: shapes.play, kind: 'accent', text: 'running' },
  waiting: { shape: shapes.diamond, kind: 'ask', text: 'waiting' },
  interrupted: { shape: shapes.triangle, kind: 'no', text: 'interrupted' },
  done: { shape: shapes.check, kind: 'ok', text: 'done' },
  failed: { shape: shapes.cross, kind: 'no', text: 'failed' },
  skipped: { shape: shapes.bar, kind: 'dim', text: 'skipped' },
}

const runs: { readonly [state in RunState]: Look } = {
  running: steps.running,
  waiting: steps.waiting,
  needs_person: { ...steps.interrupted, text: 'needs a person' },
  completed: { ...steps.done, text: 'completed' },
  failed: steps.failed,
  cancelled: { ...steps.skipped, text: 'cancelled' },
}

export const runStates = Object.keys(runs) as RunState[]

export function toRunText(state: RunState): string {
  return runs[state].text
}

export function StepMark({ state }: { readonly state: StepState }) {
  return <Mark {...steps[state]} />
}

export function RunMark({ state }: { readonly state: RunState }) {
  return <Mark {...runs[state]} />
}

function Mark({ shape, kind, text }: Look) {
  return (
    <span class={`mark ${kind}`}>
      <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
        <path d={shape} />
      </svg>{' '}
      {text}
    </span>
  )
}

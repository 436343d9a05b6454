import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { shorten } from '../../../../contract/text/shorten.ts'
import type { RunDetail, RunStepView } from '../../api/runs.ts'
import { route, toAddress } from '../router.ts'
import { boxSize, layOut } from './lay-out.ts'
import { StepMark } from './states.tsx'

interface Props {
  readonly run: RunDetail
  /** Key of the selected step. */
  readonly selected: string | undefined
}

/** The steps of a run, from top to bottom, with lines to those that wait for them. */
export function RunGraph({ run, selected }: Props) {
  const { steps } = run
  const shape = steps.map(({ key, after }) => `${key}:${after}`).join(' ')
  const { width, height, boxes, lines } = useMemo(() => layOut(steps), [shape])
  const stateOf = new Map(steps.map(({ key, state }) => [key, state]))
  return (
    <section class="graph" aria-label="Steps">
      <div class="graph-sheet" style={{ width: `${width}px`, height: `${height}px` }}>
        <svg width={width} height={height} aria-hidden="true">
          {lines.map(({ from, to, path }) => (
            <path key={`${from} ${to}`} d={path} class={stateOf.get(to) === 'pending' ? 'open' : ''} />
          ))}
        </svg>
        <ol>
          {steps.map((step) => {
            const { x, y } = boxes.get(step.key)!
            const place = { left: `${x}px`, top: `${y}px`, width: `${boxSize.width}px`, height: `${boxSize.height}px` }
            return (
              <li key={step.key} style={place}>
                <StepBox run={run} step={step} isSelected={step.key === selected} />
              </li>
            )
          })}
        </ol>
      </div>
    </section>
  )
}

interface ListProps extends Props {
  /** Shown below the selected step. */
  readonly children: ComponentChildren
}

/** The same on a phone: a list. */
export function StepList({ run, selected, children }: ListProps) {
  return (
    <ol class="step-list" aria-label="Steps">
      {run.steps.map((step) => (
        <li key={step.key}>
          <StepBox run={run} step={step} isSelected={step.key === selected} />
          {step.key === selected && children}
        </li>
      ))}
    </ol>
  )
}

function StepBox(props: { readonly run: RunDetail; readonly step: RunStepView; readonly isSelected: boolean }) {
  const { run, step, isSelected } = props
  return (
    <a
      class={`step ${step.state}`}
      href={toAddress('runs', run.id, { ...route.value.query, step: step.key })}
      aria-current={isSelected ? 'true' : undefined}
    >
      <span class="one-line">
        <b class="clip">
          <bdi>{toName(step.key)}</bdi>
        </b>
        <StepMark state={step.state} />
      </span>
      <span class="clip dim">
        <bdi>{toAbout(step)}</bdi>
      </span>
    </a>
  )
}

function toName(key: string): string {
  return key.endsWith('/undo') ? `undo ${shorten(key.slice(0, -5), 60)}` : shorten(key, 60)
}

function toAbout({ tool, items }: RunStepView): string {
  const name = tool === undefined ? 'waits for a time' : shorten(tool, 80)
  if (!items) return name
  const ended = items.filter(({ state }) => state === 'done' || state === 'failed' || state === 'skipped').length
  return `${ended} of ${items.length} × ${name}`
}

import { useComputed } from '@preact/signals'
import type { CallRow as Call } from '../../api/calls.ts'
import { CheckCells } from './check-cells.tsx'
import { clock } from './clock.ts'
import { formatDuration } from './format.ts'
import { RelativeTime } from './time.tsx'

/** Rows take one line where there is room, otherwise two; the style sheet breaks at the same width. */
export function toRowHeight(width: number): number {
  return width < 720 ? 56 : 32
}

interface Props {
  readonly call: Call
  readonly href: string
  readonly isSelected?: boolean
}

/** A call as a row, the same wherever calls are listed. */
export function CallRow({ call, href, isSelected = false }: Props) {
  return (
    <a class="call-row" href={href} aria-current={isSelected ? 'true' : undefined}>
      <CheckCells checks={call.checks} isRun={call.isRun} />
      <bdi class="call-tool">{call.tool}</bdi>
      <bdi class="call-caller">{call.caller}</bdi>
      <bdi class="call-input">{call.inputText}</bdi>
      <Outcome call={call} />
      <span class="call-duration number">{call.durationMs === null ? '' : formatDuration(call.durationMs)}</span>
      <span class="call-time number">
        <RelativeTime at={call.at} />
      </span>
    </a>
  )
}

const outcomes = {
  succeeded: { sign: '✓', kind: 'ok' },
  failed: { sign: '✕', kind: 'no' },
  refused: { sign: '⊘', kind: 'no' },
  interrupted: { sign: '!', kind: 'ask' },
} as const

/** How a call ended, by sign, word and colour; of a running one, what it waits for. */
export function Outcome({ call }: { readonly call: Call }) {
  if (call.state === 'running') return <Running key={call.callId} call={call} />
  // Refused for now: a person can still say yes.
  const { sign, kind } = call.code === 'approval_required' ? outcomes.interrupted : outcomes[call.state]
  const words = call.isViolation ? 'broke its contract' : (call.code ?? call.state).replaceAll('_', ' ')
  return (
    <span class={`call-outcome ${kind}`}>
      {sign} <bdi>{words}</bdi>
    </span>
  )
}

const slowMs = 1000

/** A slow call is not a failed one: it keeps the colour of text. */
function Running({ call }: { readonly call: Call }) {
  const startedMs = Date.parse(call.at)
  const text = useComputed(() => {
    const ms = clock.value - startedMs
    return ms > slowMs ? `slow, ${formatDuration(Math.floor(ms / 1000) * 1000)} so far` : 'running'
  })
  if (call.checks.approve === 'begun') return <span class="call-outcome ask">! waits for a person</span>
  return <span class="call-outcome">… {text}</span>
}

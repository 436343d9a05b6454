import { useComputed } from '@preact/signals'
import { clock } from './clock.ts'
import { formatAge, formatCountdown } from './format.ts'

/** How long ago, with the exact time on hover. */
export function RelativeTime({ at }: { readonly at: string }) {
  const ms = Date.parse(at)
  return (
    <time dateTime={at} title={new Date(ms).toLocaleString()}>
      <Age key={at} ms={ms} />
    </time>
  )
}

/** `0:38 left`, or that the time is over. */
export function Countdown({ until }: { readonly until: string }) {
  return (
    <time dateTime={until} title={new Date(until).toLocaleString()} class="countdown">
      <Left key={until} ms={Date.parse(until)} />
    </time>
  )
}

// Computed, so that only the text node changes, and only when the words do.
function Age({ ms }: { readonly ms: number }) {
  return <>{useComputed(() => formatAge(clock.value - ms))}</>
}

function Left({ ms }: { readonly ms: number }) {
  return <>{useComputed(() => (clock.value >= ms ? 'expired' : `${formatCountdown(ms - clock.value)} left`))}</>
}

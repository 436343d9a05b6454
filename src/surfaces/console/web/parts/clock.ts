import { signal } from '@preact/signals'

/** The current time, once a second while the page is visible. */
export const clock = signal(Date.now())

const tick = (): void => {
  if (!document.hidden) clock.value = Date.now()
}
setInterval(tick, 1000)
document.addEventListener('visibilitychange', tick)

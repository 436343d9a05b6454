import { signal } from '@preact/signals'
import { navigate, toAddress } from '../router.ts'

/** How a person wants to hear of new questions in this browser. Off by default. */
interface Alerts {
  readonly sound: boolean
  readonly notification: boolean
}

const storageKey = 'toolpact-alerts'

export const alerts = signal<Alerts>(readAlerts())

export function wantsAlerts(): boolean {
  return alerts.value.sound || alerts.value.notification
}

export async function changeAlerts(change: Partial<Alerts>): Promise<void> {
  const next = { ...alerts.value, ...change }
  if (change.notification) next.notification = await mayNotify()
  alerts.value = next
  localStorage.setItem(storageKey, JSON.stringify(next))
  if (change.sound) playSound()
}

export function alertPerson(title: string, body: string): void {
  // Not subscribed: changing the setting is no new question.
  const { sound, notification: isWanted } = alerts.peek()
  if (sound) playSound()
  if (!isWanted || !document.hidden) return
  const notification = new Notification(title, { body, tag: 'toolpact-question' })
  notification.onclick = () => {
    focus()
    navigate(toAddress('inbox'))
    notification.close()
  }
}

async function mayNotify(): Promise<boolean> {
  return 'Notification' in globalThis && (await Notification.requestPermission()) === 'granted'
}

function playSound(): void {
  const context = new AudioContext()
  const tone = context.createOscillator()
  const volume = context.createGain()
  volume.gain.setValueAtTime(0.1, context.currentTime)
  volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + 0.4)
  tone.frequency.value = 660
  tone.connect(volume).connect(context.destination)
  tone.start()
  tone.stop(context.currentTime + 0.4)
  tone.onended = () => void context.close()
}

function readAlerts(): Alerts {
  const off = { sound: false, notification: false }
  try {
    return { ...off, ...JSON.parse(localStorage.getItem(storageKey) ?? '{}') }
  } catch {
    return off
  }
}

import { useSignal, useSignalEffect } from '@preact/signals'
import { newQuestions } from '../stream/questions.ts'
import { alertPerson } from './alerts.ts'

/** Tells about new questions on every page: to screen readers always, by sound and notification if the person wants it. */
export function Announcer() {
  const text = useSignal('')
  useSignalEffect(() => {
    const [first, ...others] = newQuestions.value
    if (first === undefined) return
    const about = `${first.caller} asks to run ${first.tool}`
    text.value = others.length === 0 ? `New question: ${about}` : `${others.length + 1} new questions. ${about}`
    alertPerson(about.slice(0, 200), first.target.slice(0, 200))
  })
  return (
    <div class="hidden" aria-live="polite">
      {text}
    </div>
  )
}

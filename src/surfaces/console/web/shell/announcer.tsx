import { useSignal, useSignalEffect } from '@preact/signals'
import type { QuestionList } from '../../api/questions.ts'
import { get } from '../api.ts'
import { asked } from '../stream/stream.ts'
import { alertPerson } from './alerts.ts'

/** Tells about new questions on every page: to screen readers always, by sound and notification if the person wants it. */
export function Announcer() {
  const text = useSignal('')
  useSignalEffect(() => {
    const ids = asked.value
    if (ids.length > 0) void announce(ids)
  })
  async function announce(ids: readonly string[]): Promise<void> {
    const list = await get<QuestionList>('questions').catch(() => null)
    const news = list?.pending.filter((row) => ids.includes(row.id)) ?? []
    const [first] = news
    if (first === undefined) return
    const about = `${first.caller} asks to run ${first.tool}`
    text.value = news.length === 1 ? `New question: ${about}` : `${news.length} new questions. ${about}`
    alertPerson(about.slice(0, 200), first.target.slice(0, 200))
  }
  return (
    <div class="hidden" aria-live="polite">
      {text}
    </div>
  )
}

import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import type { AnswerRequest, AnswerResponse, QuestionDetail } from '../../api/questions.ts'
import { post } from '../api.ts'
import { questionChanges } from '../stream/stream.ts'

export type Outcome = AnswerResponse['answers'][number]

/** What came of this person's answers, by question. Kept while the console is open, since the questions leave the list. */
export const outcomes = signal<Readonly<Record<string, Outcome>>>({})

/** Never optimistic: nothing is shown as answered before the server says so. */
export async function sendAnswer(request: AnswerRequest): Promise<readonly Outcome[]> {
  const { answers } = await post<AnswerResponse>('questions/answer', request)
  outcomes.value = { ...outcomes.value, ...Object.fromEntries(answers.map((answer) => [answer.id, answer])) }
  questionChanges.value++
  return answers
}

/** A click or key meant for what was shown before must not answer what is shown now. */
const armAfterMs = 500

/** Whether the same thing has been shown long enough to be answered. */
export function useArmed(shown: string): boolean {
  const [armed, setArmed] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setArmed(shown), armAfterMs)
    return () => clearTimeout(timer)
  }, [shown])
  return armed === shown
}

/** All that a person's yes covers; changes as soon as any of it does. */
export function toShown(question: QuestionDetail): string {
  const { id, contractDigest, inputDigest, changes, effects, places } = question
  return JSON.stringify([id, contractDigest, inputDigest, changes, effects, places])
}

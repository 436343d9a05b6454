import { effect, signal } from '@preact/signals'
import type { QuestionList, QuestionRow } from '../../api/questions.ts'
import { type ApiError, get, openLoader } from '../api.ts'
import { questionChanges } from './stream.ts'

/** The questions, as they were at the last change; null until they have arrived. */
export const questions = signal<QuestionList | null>(null)
export const questionsError = signal<ApiError | undefined>(undefined)
/** Questions that were not pending when the list was loaded before: after a change, or after an interruption. */
export const newQuestions = signal<readonly QuestionRow[]>([])

const loader = openLoader<QuestionList>(
  (signal) => get('questions', signal),
  accept,
  (error) => {
    questionsError.value = error
  },
)

export const reloadQuestions = loader.run

export function followQuestions(): void {
  effect(() => {
    void questionChanges.value
    loader.run()
  })
}

function accept(list: QuestionList): void {
  const before = questions.peek()
  const known = new Set(before?.pending.map((question) => question.id))
  questions.value = list
  questionsError.value = undefined
  // What waited before the console was opened is no news.
  newQuestions.value = before === null ? [] : list.pending.filter((question) => !known.has(question.id))
}

import type { QuestionState } from './storage.ts'

/** For so long a question is remembered after it has expired, so that whoever answers late is told what became of it. */
export const rememberedMs = 3_600_000

interface KeptQuestion {
  readonly expiresAt: number
  readonly answer?: 'yes' | 'no' | null
  readonly by?: string | null
}

export function toQuestionState(question: KeptQuestion | undefined, now: number): QuestionState {
  if (question?.answer) return { state: 'answered', answer: question.answer, by: question.by ?? '' }
  return { state: question && question.expiresAt > now ? 'pending' : 'expired' }
}

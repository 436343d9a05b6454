import type { QuestionState } from './storage.ts'

/** A question is remembered this long after it expired, so that a late answer can be told what became of it. */
export const rememberedMs = 3_600_000

interface KeptQuestion {
  readonly expiresAt: number
  readonly answer?: 'yes' | 'no' | null
  readonly by?: string | null
  readonly isUsed: number | boolean
}

export function toQuestionState(question: KeptQuestion | undefined, now: number): QuestionState {
  if (question?.answer) {
    const { answer, by, isUsed } = question
    return { state: 'answered', answer, by: by ?? '', isUsed: Boolean(isUsed) }
  }
  return { state: question && question.expiresAt > now ? 'pending' : 'expired' }
}

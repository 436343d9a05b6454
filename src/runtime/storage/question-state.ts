import {
  type AnswerPrincipal,
  type ApprovalBinding,
  bindingParts,
  type Difference,
  type QuestionState,
} from './storage.ts'

/** Ended questions are kept this long, so that a late answer gets to know what happened. */
export const rememberedMs = 3_600_000

interface KeptQuestion {
  readonly expiresAt: number
  readonly answer?: 'yes' | 'no' | null
  readonly by?: string | null
  readonly isUsed: number | boolean
  /** Withdrawn or expired, even if the clock is set back later. */
  readonly isOver: number | boolean
}

export function toQuestionState(question: KeptQuestion | undefined, now: number): QuestionState {
  if (question?.answer) {
    const { answer, by, isUsed } = question
    return { state: 'answered', answer, by: by ?? '', isUsed: Boolean(isUsed) }
  }
  return { state: question && !question.isOver && question.expiresAt > now ? 'pending' : 'expired' }
}

/** In order of precedence: the first difference is reported as the reason. */
const differences = [
  ['workspace', 'workspace'],
  ['contractDigest', 'contract'],
  ['policyDigest', 'policy'],
  ['previewDigest', 'preview'],
] as const satisfies readonly (readonly [keyof ApprovalBinding, Difference])[]

/** Why an approval of the same tool, input and caller does not apply to this call; undefined if it does. */
export function toDifference(
  approval: ApprovalBinding & { readonly isOver: number | boolean },
  binding: ApprovalBinding,
): Difference | undefined {
  const [, difference] = differences.find(([part]) => approval[part] !== binding[part]) ?? []
  return difference ?? (approval.isOver ? 'expired' : undefined)
}

/** Whether both have the same tool, input and caller, so that a person would consider them the same call. */
export function isSameCall(one: ApprovalBinding, { tool, inputDigest, caller }: ApprovalBinding): boolean {
  return one.tool === tool && one.inputDigest === inputDigest && one.caller === caller
}

export function toBinding(from: ApprovalBinding): ApprovalBinding {
  return Object.fromEntries(bindingParts.map((part) => [part, from[part]])) as unknown as ApprovalBinding
}

/** Names of several people as one text. */
export function toNames(people: readonly string[]): string {
  return people.join(' and ')
}

interface GivenParts {
  readonly via?: string | null | undefined
  readonly forTool?: number | boolean | undefined
  readonly approvedBy: readonly string[]
  readonly principals: readonly AnswerPrincipal[]
}

/** The optional parts of an answer. */
export function toGiven({ via, forTool, approvedBy, principals }: GivenParts) {
  return {
    ...(via != null && { via }),
    ...(forTool && { forTool: true }),
    ...(approvedBy.length > 1 && { people: approvedBy }),
    ...(principals.length > 0 && { principals }),
  }
}

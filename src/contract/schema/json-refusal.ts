/** Why text or a value is not JSON within its limits. */
export interface JsonRefusal<Reason extends string = 'too_large' | 'too_deep' | 'not_json'> {
  readonly ok: false
  readonly reason: Reason
  readonly pointer: string
  /** What is wrong, without a full stop. */
  readonly fault: string
  /** What is wrong and what to do. */
  readonly message: string
}

export function toRefusal<Reason extends string>(
  reason: Reason,
  pointer: string,
  { fault, advice }: { fault: string; advice: string },
): JsonRefusal<Reason> {
  return { ok: false, reason, pointer, fault, message: `${fault}. ${advice}` }
}

import type { Token } from './read-tokens.ts'
import { toSet } from './word-lists.ts'

/** Words that start another statement. */
const joints = toSet(
  'but and while although though whereas because which who yet aber und sondern während weil obwohl mais et tandis pero sino mientras y ma e mentre mas maar en men och og но а и',
)

/** The statement around a token: up to the next punctuation mark or conjunction on either side. */
export function toClause(tokens: readonly Token[], at: number): { readonly start: number; readonly end: number } {
  let start = at
  while (start > 0 && !isJoint(tokens, start - 1)) start--
  let end = at + 1
  while (end < tokens.length && !isJoint(tokens, end)) end++
  return { start, end }
}

/**
 * A comma or colon separates statements only if both sides have room for one: "it does not, however, run" is a single
 * statement.
 */
export function isJoint(tokens: readonly Token[], index: number): boolean {
  const { kind, lower, text } = tokens[index]!
  if (kind === 'word') return joints.has(lower)
  // A dot in a file name ends nothing.
  if (text === '.' && /^(?:\p{L}\.)+\p{L}$/u.test(tokens[index - 1]?.text ?? '') && /^[\p{Ll}\d]/u.test(tokens[index + 1]?.text ?? '')) return false // biome-ignore format: one line
  if (/^[.!?;]$/.test(text)) return tokens[index + 1]?.spaced ?? true
  if (text === '。') return true
  if (!/^[,:、()]$/u.test(text)) return false
  const isSpoken = (step: number) => (tokens[index + step]?.kind ?? 'sign') !== 'sign'
  return [1, 2, 3].every(isSpoken) && [-1, -2, -3].every(isSpoken)
}

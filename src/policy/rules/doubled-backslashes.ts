import { PatternFault } from '../../contract/schema/pattern-fault.ts'
import { readPattern } from './read-pattern.ts'

/**
 * A pattern that was copied out of a quoted string has every backslash twice: `.*\\.txt` for `.*\.txt`. Gives it with
 * single backslashes if it can be meant so: each of its backslashes is one of exactly two, outside a character class,
 * before a character that an escape makes sense for. JSON never has a backslash before any of these characters, so that
 * as a plain regular expression such a pattern hardly means anything. Undefined: take the pattern as it is.
 */
export function fromDoubled(pattern: string): string | undefined {
  if (!/^(?:[^\\[]|\\\\[.*+?()[\]{}|^$/dDwWsS-]|\[\^?\]?[^\]\\]*\])*$/su.test(pattern)) return undefined
  const single = pattern.replaceAll('\\\\', '\\')
  return single !== pattern && isPattern(single) ? single : undefined
}

/** Whether a rule can use the pattern: ask and deny rules need not name keys. */
function isPattern(pattern: string): boolean {
  try {
    readPattern(pattern)
    return true
  } catch (cause) {
    if (cause instanceof PatternFault) return false
    throw cause
  }
}

/** Why a pattern cannot be used, as the end of a sentence that begins with "The pattern". */
export class PatternFault extends Error {
  override readonly name = 'PatternFault'
}

/** A path as it may stand in a message: shortened, and with escapes for what would move a cursor or hide text. */
export function toShownPath(path: string): string {
  const short = path.length > 200 ? `${path.slice(0, 120)}…${path.slice(-60)}` : path
  return short.replace(unprintable, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`)
}

const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** Text from a caller as it stands in a message: shortened, with escapes for what would move a cursor or hide text. */
export function toShownText(text: string): string {
  const short = text.length > 200 ? `${text.slice(0, 120)}…${text.slice(-60)}` : text
  return short.replace(unprintable, (character) => named[character] ?? `\\u{${character.codePointAt(0)!.toString(16)}}`)
}

const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu
const named: { readonly [character: string]: string } = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

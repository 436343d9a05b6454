/**
 * Converts JSON with comments and trailing commas to strict JSON. Both become spaces, so offsets stay valid. Other syntax
 * errors are left to the parser.
 */
export function toStrictJson(text: string): string {
  return withoutComments(text).replace(/"(?:[^"\\\n]|\\.)*"?|,(?=\s*[}\]])/g, (found) => (found === ',' ? ' ' : found))
}

/** The same, but keeps trailing commas. */
export function withoutComments(text: string): string {
  return text
    .replace(/^\u{feff}/u, ' ')
    .replace(/"(?:[^"\\\n]|\\.)*"?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, (found) =>
      found.startsWith('"') ? found : found.replace(/[^\r\n]/g, ' '),
    )
}

/**
 * Makes JSON with comments and trailing commas strict: both become spaces, so that every other character keeps its
 * position. Anything else that is wrong with the text is left for the parser to report.
 */
export function toStrictJson(text: string): string {
  return withoutComments(text).replace(/"(?:[^"\\\n]|\\.)*"?|,(?=\s*[}\]])/g, (found) => (found === ',' ? ' ' : found))
}

/** The same, with trailing commas as they are. */
export function withoutComments(text: string): string {
  return text
    .replace(/^\u{feff}/u, ' ')
    .replace(/"(?:[^"\\\n]|\\.)*"?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, (found) =>
      found.startsWith('"') ? found : found.replace(/[^\r\n]/g, ' '),
    )
}

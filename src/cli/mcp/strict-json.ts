/**
 * JSON as people write it for editors, made strict: comments and commas before a closing bracket become spaces, so that
 * places in the text stay the same. Whatever else is wrong with it is left for the parser to tell.
 */
export function toStrictJson(text: string): string {
  const withoutComments = text
    .replace(/^\u{feff}/u, ' ')
    .replace(/"(?:[^"\\\n]|\\.)*"?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, (found) =>
      found.startsWith('"') ? found : toSpaces(found),
    )
  return withoutComments.replace(/"(?:[^"\\\n]|\\.)*"?|,(?=\s*[}\]])/g, (found) => (found === ',' ? ' ' : found))
}

function toSpaces(text: string): string {
  return text.replace(/[^\r\n]/g, ' ')
}

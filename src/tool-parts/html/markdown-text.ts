/**
 * Text of a page as Markdown (CommonMark and the tables of GitHub). Invariant: whatever the page contains, its text stays
 * text. Every character that could begin markup is escaped, and a fence is longer than any fence in the code.
 */

/** Escapes a part of a line. What only matters at the start of a line is escaped by `escapeLines`. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*[\]<~]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/&(?=#?\w{0,31}(?:;|$))/g, '\\&')
    .replace(/!$/, '\\!')
}

/** Plain text of several lines as Markdown. */
export function escapeText(text: string): string {
  return escapeStarts(escapeMarkdown(text))
}

/** Escapes the starts of lines, and makes line ends stay. */
export function escapeLines(text: string): string {
  return escapeStarts(text).replaceAll('\n', '\\\n')
}

function escapeStarts(text: string): string {
  return text
    .replace(/^(?:#{1,6}(?=\s|$)|>|[-+:](?=\s|$)|[|:=-][|:= -]*$)/gm, '\\$&')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/gm, '$1\\$2')
}

/** A heading is one line, and a `#` at its end is not markup. */
export function toHeading(text: string, level: number): string {
  const line = text.replaceAll('\n', ' ').replace(/(?<=^|\s)#+$/, (marks) => marks.replaceAll('#', '\\#'))
  return `${'#'.repeat(level)} ${line}`
}

/** A cell is one line, and a `|` in it does not end it. */
export function toCell(text: string): string {
  // A backslash in code right before it would undo the escape.
  const toEscaped = (_: string, slashes: string) => `${slashes}${slashes.length % 2 === 0 ? '' : ' '}\\|`
  return text.replaceAll('\n', ' ').replace(/(\\*)\|/g, toEscaped)
}

export function toCodeSpan(code: string): string {
  const text = code.trim().replace(/\s+/g, ' ')
  const fence = '`'.repeat(longestRun(text) + 1)
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${fence}${space}${text}${space}${fence}`
}

export function toCodeBlock(code: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestRun(code) + 1))
  return `${fence}${language}\n${code}\n${fence}`
}

function longestRun(text: string): number {
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}

/** An image or the part of a link after its text needs an address that contains no markup. */
export function toImage(alt: string, url: string): string {
  return `![${escapeMarkdown(alt.replace(/\s+/g, ' ').trim())}](${url})`
}

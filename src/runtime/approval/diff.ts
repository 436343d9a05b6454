import { findCut } from '../../contract/text/shorten.ts'

export interface DiffLine {
  /** `place` is the line number of the lines that follow; `note` is a remark about the line before it. */
  readonly kind: 'same' | 'added' | 'removed' | 'place' | 'note'
  readonly text: string
}

export interface Diff {
  readonly lines: readonly DiffLine[]
  readonly added: number
  readonly removed: number
}

const context = 3
const maxLines = 10_000
const maxCharacters = 4000
/** The search takes time quadratic in the number of changed lines. Beyond this, the changes are shown as one block. */
const maxEditLength = 1000

/** The changes between two texts with a few lines of context. Bounded; a note marks everything that is left out. */
export async function toDiff(before: string, after: string): Promise<Diff> {
  const { structuredPatch } = await import('diff/lib/patch/create.js')
  const [old, now] =
    hasWindowsLines(before) && hasWindowsLines(after) ? [toUnix(before), toUnix(after)] : [before, after]
  const patch = structuredPatch('', '', old, now, '', '', { context, maxEditLength })
  const hunks = patch?.hunks ?? [toBlock(toLines(old), toLines(now))]
  const count = (sign: string) =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0)
  return { lines: toDiffLines(hunks), added: count('+'), removed: count('-') }
}

/** If every line ends with CR LF, the CR is not shown. */
function hasWindowsLines(text: string): boolean {
  return !/(?:^|[^\r])\n|\r(?!\n)/.test(text)
}

function toUnix(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

interface Hunk {
  readonly newStart: number
  /** In the unified format: a sign, and the line without its line end. */
  readonly lines: readonly string[]
}

const noLineEnd = '\\ No newline at end of file'

/** Everything between the first and the last changed line, as removed and added. */
function toBlock(old: readonly string[], now: readonly string[]): Hunk {
  const shorter = Math.min(old.length, now.length)
  let start = 0
  while (start < shorter && old[start] === now[start]) start++
  let end = 0
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end++
  const first = Math.max(0, start - context)
  const mark = (sign: string, lines: readonly string[]) =>
    lines.flatMap((line) => (line.endsWith('\n') ? [sign + line.slice(0, -1)] : [sign + line, noLineEnd]))
  return {
    newStart: first + 1,
    lines: [
      ...mark(' ', now.slice(first, start)),
      ...mark('-', old.slice(start, old.length - end)),
      ...mark('+', now.slice(start, now.length - end)),
      ...mark(' ', now.slice(now.length - end).slice(0, context)),
    ],
  }
}

/** Lines with their line ends. */
function toLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

const kinds: { readonly [sign: string]: DiffLine['kind'] } = { ' ': 'same', '+': 'added', '-': 'removed' }

function toDiffLines(hunks: readonly Hunk[]): DiffLine[] {
  const shown: DiffLine[] = []
  for (const { newStart, lines } of hunks) {
    if (newStart > 1) shown.push({ kind: 'place', text: `line ${newStart}` })
    for (const line of lines) {
      if (shown.length >= maxLines) return [...shown, { kind: 'note', text: 'more follows, and is left out here' }]
      const text = line.slice(1)
      const end = findCut(text, maxCharacters)
      const more = text.length - end
      if (line === noLineEnd) shown.push({ kind: 'note', text: 'no line end' })
      else shown.push({ kind: kinds[line[0]!]!, text: text.slice(0, end) })
      if (more > 0) shown.push({ kind: 'note', text: `${more} characters more in this line` })
    }
  }
  return shown
}

const openings = ['<think>', '<thinking>']
const closings = ['</think>', '</thinking>']

/** Leaves out what a model thinks aloud, as the text comes in pieces. */
export function createThoughtFilter() {
  let held = ''
  let thinking = false

  function take(piece: string, isLast: boolean): string {
    held += piece
    let said = ''
    for (;;) {
      const tag = findFirst(held, thinking ? closings : openings)
      if (!tag) break
      if (!thinking) said += held.slice(0, tag.start)
      held = held.slice(tag.end)
      thinking = !thinking
    }
    // The end may be the beginning of a tag.
    const kept = isLast ? 0 : tailOf(held, thinking ? closings : openings)
    if (!thinking) said += held.slice(0, held.length - kept)
    held = kept === 0 ? '' : held.slice(-kept)
    return said
  }

  return { add: (piece: string) => take(piece, false), end: () => take('', true) }
}

/** The whole text without thoughts. Where the thoughts began unseen, in the prompt, only their end is there. */
export function withoutThoughts(text: string): string {
  const end = findFirst(text, closings)
  const begin = findFirst(text, openings)
  const rest = end && (!begin || end.start < begin.start) ? text.slice(end.end) : text
  const filter = createThoughtFilter()
  return `${filter.add(rest)}${filter.end()}`.trim()
}

function findFirst(text: string, tags: readonly string[]): { start: number; end: number } | undefined {
  const found = tags.map((tag) => ({ start: text.indexOf(tag), length: tag.length })).filter(({ start }) => start >= 0)
  const first = found.sort((a, b) => a.start - b.start)[0]
  return first && { start: first.start, end: first.start + first.length }
}

function tailOf(text: string, tags: readonly string[]): number {
  const longest = Math.max(...tags.map((tag) => tag.length)) - 1
  for (let length = Math.min(longest, text.length); length > 0; length--) {
    if (tags.some((tag) => tag.startsWith(text.slice(-length)))) return length
  }
  return 0
}

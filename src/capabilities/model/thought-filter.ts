const opening = /<think(?:ing)?>/
const closing = /<\/think(?:ing)?>/
const tags = ['<think>', '<thinking>', '</think>', '</thinking>']

/** Leaves out what a model thinks aloud, as the text comes in pieces. */
export function createThoughtFilter() {
  let held = ''
  let thinking = false

  function take(piece: string, isLast: boolean): string {
    held += piece
    let said = ''
    for (;;) {
      const tag = findFirst(held, thinking ? closing : opening)
      if (!tag) break
      if (!thinking) said += held.slice(0, tag.start)
      held = held.slice(tag.end)
      thinking = !thinking
    }
    // The end may be the beginning of a tag.
    const kept = isLast ? 0 : tailOf(held)
    if (!thinking) said += held.slice(0, held.length - kept)
    held = kept === 0 ? '' : held.slice(-kept)
    return said
  }

  return { add: (piece: string) => take(piece, false), end: () => take('', true) }
}

/** The whole text without thoughts. Where the thoughts began unseen, in the prompt, only their end is there. */
export function withoutThoughts(text: string): string {
  const end = findFirst(text, closing)
  const begin = findFirst(text, opening)
  const rest = end && (!begin || end.start < begin.start) ? text.slice(end.end) : text
  const filter = createThoughtFilter()
  return `${filter.add(rest)}${filter.end()}`.trim()
}

function findFirst(text: string, tag: RegExp): { start: number; end: number } | undefined {
  const found = tag.exec(text)
  return found ? { start: found.index, end: found.index + found[0].length } : undefined
}

function tailOf(text: string): number {
  const longest = Math.max(...tags.map((tag) => tag.length)) - 1
  for (let length = Math.min(longest, text.length); length > 0; length--) {
    if (tags.some((tag) => tag.startsWith(text.slice(-length)))) return length
  }
  return 0
}

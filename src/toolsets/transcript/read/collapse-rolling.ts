import type { Cue } from './read-timed.ts'

/**
 * Captions that roll show each line two or three times: at the bottom, then above the next one. The copies go; lines
 * that are really said twice stay, since only what a neighbour still shows is dropped.
 */
export function collapseRolling(cues: readonly Cue[]): { cues: Cue[]; words: number } {
  const filled = cues.filter(({ lines }) => lines.length > 0)
  if (!isRolling(filled)) return { cues: filled, words: 0 }
  let words = 0
  let before: readonly string[] = []
  const kept: Cue[] = []
  for (const cue of filled) {
    const shown = countShown(before, cue.lines)
    words += cue.lines.slice(0, shown).reduce((sum, line) => sum + line.split(' ').length, 0)
    before = cue.lines
    if (shown < cue.lines.length) kept.push({ ...cue, lines: cue.lines.slice(shown) })
    else if (kept.length > 0 && cue.end !== undefined) kept[kept.length - 1] = { ...kept.at(-1)!, end: cue.end }
  }
  return { cues: kept, words }
}

const fewest = 3

/** Enough cues begin with what the one before still shows. In other texts a repeated line is taken as said. */
function isRolling(cues: readonly Cue[]): boolean {
  let rolling = 0
  const different = new Set<string>()
  for (const [index, { lines }] of cues.entries()) {
    if (index === 0 || countShown(cues[index - 1]!.lines, lines) === 0) continue
    rolling++
    if (different.size < fewest) different.add(lines[0]!)
  }
  return different.size >= fewest && rolling * 4 >= cues.length
}

/** How many of the first lines are the last lines of the cue before. */
function countShown(before: readonly string[], lines: readonly string[]): number {
  for (let count = Math.min(before.length, lines.length, 4); count > 0; count--) {
    if (lines.slice(0, count).every((line, index) => line === before[before.length - count + index])) return count
  }
  return 0
}

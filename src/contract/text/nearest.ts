/** Longer words are not typos, and the comparison takes quadratic time. */
const maxWordLength = 100

/**
 * The choice that a mistyped word most likely means; undefined if none is close. Ignores case; a wrong, missing, added
 * or swapped character counts as one edit.
 *
 * `nearest('pth', ['path', 'encoding'])` is `'path'`.
 */
export function nearest(word: string, choices: readonly string[]): string | undefined {
  if (word.length === 0 || word.length > maxWordLength) return undefined
  const folded = word.toLowerCase()
  let best: string | undefined
  let limit = maxEdits(folded.length) + 1
  for (const choice of choices) {
    if (Math.abs(choice.length - folded.length) >= limit) continue
    const distance = editDistance(folded, choice.toLowerCase())
    if (distance < limit) {
      limit = distance
      best = choice
    }
  }
  return best
}

/** The maximum of edits: one for a short word, up to three for a long one. */
function maxEdits(length: number): number {
  if (length < 3) return 0
  return Math.min(3, Math.max(1, Math.floor(length / 3)))
}

/** The optimal string alignment distance, with three rows in memory. */
function editDistance(from: string, to: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      let cost = Math.min(previous[column]! + 1, current[column - 1]! + 1, previous[column - 1]! + (isSame ? 0 : 1))
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      if (isSwap) cost = Math.min(cost, beforePrevious[column - 2]! + 1)
      current.push(cost)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[to.length]!
}

/** Collapses spaces, and removes white space and separators at both ends. */
export function tidy(text: string): string {
  const folded = text.replace(/ {2,}/g, ' ').replace(/ ?\n ?/g, '\n')
  // A loop, because a regular expression anchored at the end is quadratic on runs of spaces.
  let [start, end] = [0, folded.length]
  while (start < end && edges.includes(folded[start]!)) start++
  while (end > start && edges.includes(folded[end - 1]!)) end--
  return folded.slice(start, end)
}

const edges = ' \n|'

/** `a.{b,c}` becomes `a.b` and `a.c`. Undefined if a brace is not closed or there are too many alternatives. */
export function expandBraces(pattern: string, max = 256): string[] | undefined {
  const braces = findBraces(pattern)
  if (braces === undefined) return undefined
  if (braces === 'none') return [pattern]
  const { open, close, commas } = braces
  const cuts = [open, ...commas, close]
  const expanded: string[] = []
  for (let index = 1; index < cuts.length; index++) {
    const choice = pattern.slice(cuts[index - 1]! + 1, cuts[index])
    const rest = expandBraces(pattern.slice(0, open) + choice + pattern.slice(close + 1), max - expanded.length)
    if (!rest || expanded.length + rest.length > max) return undefined
    expanded.push(...rest)
  }
  return expanded
}

/** The first pair of braces, and the commas in it. Skips escaped characters and classes. */
function findBraces(pattern: string) {
  let open = -1
  let depth = 0
  const commas: number[] = []
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern[index]
    if (character === '\\') index++
    else if (character === '[') index = findClassEnd(pattern, index) ?? index
    else if (character === '{') {
      if (depth++ === 0) open = index
    } else if (character === ',' && depth === 1) commas.push(index)
    else if (character === '}' && depth > 0 && --depth === 0) return { open, close: index, commas }
  }
  return depth > 0 ? undefined : ('none' as const)
}

/** The end of the class that starts at `open`; a `]` right at its start belongs to it. */
export function findClassEnd(pattern: string, open: number): number | undefined {
  let index = open + 1
  if (pattern[index] === '!' || pattern[index] === '^') index++
  if (pattern[index] === ']') index++
  for (; index < pattern.length; index++) {
    if (pattern[index] === '\\') index++
    else if (pattern[index] === ']') return index
  }
  return undefined
}

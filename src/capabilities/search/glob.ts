import { expandBraces } from './expand-braces.ts'
import { compileName, type NameMatcher } from './match-name.ts'
import { toInvalidGlob } from './search-error.ts'

/**
 * A glob over relative paths with `/`. Without a slash it matches names at any depth. Matching time is bounded by the
 * lengths, for any pattern.
 */
export interface Glob {
  /** With `hidden`, wildcards also match names that start with a dot. */
  matches(path: string, options: { hidden: boolean }): boolean
  /** Names that every match starts with: where to begin the search. */
  readonly prefix: readonly string[]
  /** Globs for the last name of a match, one per alternative, if they need only plain characters. */
  readonly names: readonly string[] | undefined
  /** Only the last name counts, and `names` describe it completely. */
  readonly aboutNames: boolean
  /** Names a hidden file or directory below the prefix. */
  readonly namesHidden: boolean
}

const anyDepth = '**'
type Step = NameMatcher | typeof anyDepth

export function compileGlob(pattern: string): Glob {
  if (pattern === '' || pattern.length > 1000) throw toInvalidGlob(pattern, 'it is empty or too long')
  if (pattern.includes('\0')) throw toInvalidGlob(pattern, 'it contains a NUL character')
  if (pattern.startsWith('!')) throw toInvalidGlob(pattern, 'it is an exclusion')
  const alternatives = expandBraces(pattern)?.map(toNames)
  if (!alternatives) throw toInvalidGlob(pattern, 'a { is not closed, or there are too many alternatives')
  if (alternatives.some((names) => names.includes('..'))) throw toInvalidGlob(pattern, 'it contains ..')
  const compiled = alternatives.map(compileSteps)
  if (!compiled.every((steps) => steps !== undefined)) throw toInvalidGlob(pattern, 'a [ is not closed')
  const prefix = commonPrefix(compiled)
  const names = toPlainNames(alternatives)
  return {
    matches(path, { hidden }) {
      const names = path.split('/')
      return compiled.some((steps) => matchSteps(steps, names, hidden))
    },
    prefix,
    names,
    aboutNames: names !== undefined && alternatives.every((all) => all.length === 2 && all[0] === anyDepth),
    namesHidden: compiled.some((steps) => steps.slice(prefix.length).some((step) => step !== anyDepth && step.dotted)),
  }
}

/** The steps of a pattern between slashes; undefined if one is malformed. */
export function compileSteps(names: readonly string[]): Step[] | undefined {
  const steps: Step[] = []
  for (const name of names) {
    const step = name === '**' ? anyDepth : compileName(name)
    if (!step) return undefined
    if (step !== anyDepth || steps.at(-1) !== anyDepth) steps.push(step)
  }
  return steps
}

/** Backtracks to the last `**` only. A final `**` matches one name or more. */
export function matchSteps(steps: readonly Step[], names: readonly string[], hidden: boolean): boolean {
  const fits = (step: Step, name: string) =>
    step !== anyDepth && (hidden || step.dotted || !name.startsWith('.')) && step.matches(name)
  let at = 0
  let step = 0
  let deepStep = -1
  let deepAt = 0
  while (at < names.length) {
    const expected = steps[step]
    if (expected === anyDepth) {
      deepStep = step++
      deepAt = at
      if (step === steps.length) return hidden || names.slice(at).every((name) => !name.startsWith('.'))
    } else if (expected !== undefined && fits(expected, names[at]!)) {
      step++
      at++
    } else if (deepStep >= 0 && (hidden || !names[deepAt]!.startsWith('.'))) {
      step = deepStep + 1
      at = ++deepAt
    } else return false
  }
  return step === steps.length
}

function toNames(pattern: string): string[] {
  const plain = pattern.replace(/^(?:\.?\/)+/, '')
  const names = plain.split('/').filter((name, index, all) => name !== '.' && (name !== '' || index === all.length - 1))
  if (names.at(-1) === '') names[names.length - 1] = anyDepth
  const anchored = pattern.includes('/')
  return anchored ? names : [anyDepth, ...names]
}

function commonPrefix(alternatives: readonly Step[][]): string[] {
  const [first = []] = alternatives
  const prefix: string[] = []
  for (const [index, step] of first.slice(0, -1).entries()) {
    if (step === anyDepth || step.literal === undefined) break
    const shared = alternatives.every((steps) => {
      const other = steps[index]
      return index < steps.length - 1 && other !== undefined && other !== anyDepth && other.literal === step.literal
    })
    if (!shared) break
    prefix.push(step.literal)
  }
  return prefix
}

/** Only syntax that all glob engines read alike. */
function toPlainNames(alternatives: readonly string[][]): string[] | undefined {
  const names = [...new Set(alternatives.map((all) => all.at(-1) ?? ''))]
  return names.length <= 32 && names.every((name) => /^[\w.* -]+$/.test(name) && !name.includes('**'))
    ? names
    : undefined
}

import { dirname, relative, sep } from 'node:path'
import type { Held } from '../files/held.ts'
import { readSmallFile } from '../files/read-small-file.ts'
import { compileSteps, matchSteps } from './glob.ts'
import type { Walk } from './search-request.ts'

/** One ignore file. Later and deeper ones take precedence; `.rgignore` over `.ignore` over `.gitignore`. */
export interface RuleLayer {
  /** Its index in `ignoreFiles`. */
  readonly rank: number
  /** Its directory relative to the start of the walk; empty for the start itself. */
  readonly base: string
  /** For a directory above the start: the names from it down to the start. */
  readonly above: readonly string[]
  readonly rules: readonly Rule[]
}

interface Rule {
  readonly steps: NonNullable<ReturnType<typeof compileSteps>>
  readonly negated: boolean
  readonly directoriesOnly: boolean
}

const ignoreFiles = ['.gitignore', '.ignore', '.rgignore'] as const

export function isIgnored(layers: readonly RuleLayer[], path: string, isDirectory: boolean): boolean {
  for (let rank = ignoreFiles.length - 1; rank >= 0; rank--)
    for (const layer of layers.toReversed()) {
      const rule = layer.rank === rank ? findRule(layer, path, isDirectory) : undefined
      if (rule) return !rule.negated
    }
  return false
}

function findRule({ base, above, rules }: RuleLayer, path: string, isDirectory: boolean): Rule | undefined {
  const names = [...above, ...(base ? path.slice(base.length + 1) : path).split('/')]
  return rules.findLast(
    ({ steps, directoriesOnly }) => (isDirectory || !directoriesOnly) && matchSteps(steps, names, true),
  )
}

/** The ignore files of a directory; `path` is relative to the start of the walk. */
export function readRules(directory: Held, path: string): RuleLayer[] {
  return readLayers(directory, { base: path, above: [] })
}

/** Those of the directories between the root and the start of the walk. */
export function readRulesAbove({ setting, start }: Walk): RuleLayer[] {
  const { confinement } = setting
  const layers: RuleLayer[] = []
  for (let real = start.real; real !== confinement.root; ) {
    real = dirname(real)
    const segments = relative(confinement.root, real).split(sep).filter(Boolean)
    const held = confinement.hold({ action: 'search', path: real }, segments)
    const above = relative(real, start.real).split(sep)
    layers.unshift(...readLayers(held, { base: '', above }))
    held.close()
  }
  return layers
}

function readLayers(directory: Held, place: { base: string; above: string[] }): RuleLayer[] {
  return ignoreFiles.flatMap((name, rank) => {
    const rules = parseRules(readSmallFile(directory.at(name), { maxBytes: 1_000_000 }) ?? '')
    return rules.length > 0 ? [{ rank, ...place, rules }] : []
  })
}

function parseRules(text: string): Rule[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const trimmed = line.replace(/(?<!\\)\s+$/, '')
    if (trimmed === '' || trimmed.startsWith('#')) return []
    const negated = trimmed.startsWith('!')
    const pattern = negated ? trimmed.slice(1) : trimmed
    const directoriesOnly = pattern.endsWith('/')
    const names = pattern.replace(/\/+$/, '').split('/')
    if (names.length > 1 && names[0] === '') names.shift()
    else if (names.length === 1) names.unshift('**')
    const steps = compileSteps(names)
    return steps ? [{ steps, negated, directoriesOnly }] : []
  })
}

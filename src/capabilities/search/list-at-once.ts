import { existsSync, opendirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Glob } from './glob.ts'
import { type Listing, Matching, toListOptions, toPaths, toPathTest } from './list-files.ts'
import { fromBytes } from './path-bytes.ts'
import { hasRulesAbove, runRipgrep } from './ripgrep.ts'
import { maxCountedDepth, type Walk } from './search-request.ts'

export interface ListedAtOnce extends Listing {
  /** How many matching files are hidden. */
  readonly hidden: number
}

/**
 * What `listFiles` finds, together with what it skips, in one walk instead of two. That is possible where nothing can be
 * ignored, since hidden files can be told by their names. Undefined as soon as the walk meets an ignore file or a
 * repository.
 *
 * In a tree of 100,000 files it halves the processor time of `file_search`, from 2.1 times that of `rg` alone.
 */
export async function listAtOnce(walk: Walk, glob: Glob, max: number): Promise<ListedAtOnce | undefined> {
  if (!walk.setting.ripgrep || walk.ignored || mayIgnore(walk)) return undefined
  const matching = new Matching(max)
  const all = new Matching(0)
  const isVisible = toPathTest(glob, { hidden: false })
  const isMatch = toPathTest(glob, { hidden: true })
  const prefix = glob.prefix.map((name) => `${name}/`).join('')
  let mayBeIgnored = false
  const paths = toPaths((path) => {
    const isExtra = walk.names && path.nameLength === excludeName.length && path.text().endsWith(excludeName)
    if (path.hidden || isExtra) {
      const text = path.text()
      if (isRuleFile(text)) mayBeIgnored = true
      if (isExtra && !glob.matches(prefix + fromBytes(text), { hidden: true })) return
    }
    if (!isMatch(path)) return
    all.add(path)
    if (isVisible(path)) matching.add(path)
  })
  const everything = { ...walk, hidden: true, ignored: true, depth: maxCountedDepth }
  // A repository may have rules in `.git/info/exclude`. It is met rather than excluded: comparing every path takes a fifth of the walk.
  const names = walk.names && [...walk.names, ...ruleFiles, excludeName]
  const { end, unreadable } = await runRipgrep({ ...everything, names }, toListOptions([]), (chunk) => {
    paths.push(chunk)
    return mayBeIgnored ? 'enough' : 'more'
  })
  if (end === 'missing' || mayBeIgnored) return undefined
  const hidden = all.total - matching.total
  return { engine: 'ripgrep', ...matching.toListing(), unreadable, hidden, ...(end !== 'done' && { stopped: end }) }
}

const ruleFiles = ['.gitignore', '.ignore', '.rgignore', '.git']
const excludeName = 'exclude'
/** Large flat directories are not read twice. */
const maxEntries = 1000

function isRuleFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return ruleFiles.includes(name) || path.startsWith('.git/') || path.includes('/.git/')
}

/**
 * Whether there are ignore files at or above the start, or hidden directories right there: those of a home directory can
 * be much larger than what is visible.
 */
export function mayIgnore({ setting, start }: Walk): boolean {
  const hasRules = (directory: string) => ruleFiles.some((name) => existsSync(join(directory, name)))
  if (hasRules(start.path)) return true
  if (hasRulesAbove({ setting, start }))
    for (let above = dirname(start.real), last = start.real; above !== last; last = above, above = dirname(above))
      if (hasRules(above)) return true
  return hasHiddenDirectory(start.path)
}

function hasHiddenDirectory(path: string): boolean {
  const directory = opendirSync(path)
  try {
    for (let count = 0; count < maxEntries; count++) {
      const entry = directory.readSync()
      if (!entry) return false
      if (entry.name.startsWith('.') && entry.isDirectory()) return true
    }
    return false
  } finally {
    directory.closeSync()
  }
}

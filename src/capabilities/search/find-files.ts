import { lstatSync } from 'node:fs'
import { posix } from 'node:path'
import type { Held } from '../files/held.ts'
import { isTemporaryName } from '../files/temporary-file.ts'
import { compareText, FirstSorted } from './first-sorted.ts'
import { compileGlob, type Glob } from './glob.ts'
import { holdFound, toPathFromRoot } from './hold-found.ts'
import { openWalk } from './open-walk.ts'
import { runRipgrep, withoutGit } from './ripgrep.ts'
import {
  maxCountedDepth,
  maxDepth,
  nothingOmitted,
  type Omitted,
  type SearchReport,
  type SearchRequest,
  type SearchSetting,
  type Walk,
} from './search-request.ts'
import { walkFiles } from './walk-files.ts'

export interface FindRequest extends SearchRequest {
  /** A glob over paths relative to the base; without a slash, over names at any depth. */
  readonly pattern: string
}

export interface FoundFiles extends SearchReport {
  /** Relative to the root, with `/`, sorted by code units: the first `maxResults`. */
  readonly paths: readonly string[]
  /** How many match; if the search stopped early, how many were seen. */
  readonly total: number
}

export async function findFiles(setting: SearchSetting, request: FindRequest): Promise<FoundFiles> {
  const glob = compileGlob(request.pattern)
  const walk = openWalk(setting, request, glob)
  const engine = setting.ripgrep ? 'ripgrep' : 'javascript'
  if (!walk) return { engine, paths: [], total: 0, ...nothingOmitted(request) }
  try {
    const { maxResults = 1000 } = request
    const listing = await listFiles(walk, glob, maxResults)
    const verified = verify(walk, listing.paths)
    const paths = verified.map(toPathFromRoot(walk))
    const total = listing.total - (listing.paths.length - verified.length)
    const { engine, stopped, unreadable } = listing
    const omitted = request.countOmitted ? await countOmitted(walk, glob, { total, stopped, listing }) : undefined
    return { engine, paths, total, unreadable, ...(stopped && { stopped }), ...(omitted && { omitted }) }
  } finally {
    walk.start.close()
  }
}

/** Fails as `findFiles` would, without searching. */
export function checkFind(setting: SearchSetting, request: FindRequest): undefined {
  openWalk(setting, request, compileGlob(request.pattern))?.start.close()
}

interface Seen {
  /** How much the search found. */
  readonly total: number
  readonly stopped?: SearchReport['stopped']
  /** The files that the search visited, if it has listed them. */
  readonly listing?: Listing
}

/**
 * What a search skipped: ignored or hidden files, and files that are too deep. Takes a second walk, without a time
 * limit if nothing was found, since that may explain why.
 */
export async function countOmitted(
  walk: Walk,
  glob: Glob | undefined,
  { total, stopped, listing }: Seen,
): Promise<Omitted> {
  if (stopped) return { ignored: 0, isComplete: walk.ignored, tooDeep: false }
  const { countingMs } = walk.setting
  const deadline = total > 0 ? Math.min(walk.deadline, performance.now() + countingMs) : walk.deadline
  const [seen, all] = await Promise.all([
    listing ?? listFiles({ ...walk, deadline }, glob, 0),
    walk.ignored ? undefined : listFiles({ ...walk, hidden: true, ignored: true, deadline }, glob, 0),
  ])
  return {
    ignored: all && !seen.stopped ? Math.max(0, all.total - seen.total) : 0,
    isComplete: !seen.stopped && !all?.stopped,
    tooDeep: seen.tooDeep,
  }
}

interface Listing extends SearchReport {
  /** Relative to where the walk starts. */
  readonly paths: string[]
  readonly total: number
  /** There are matching files below the maximum depth. */
  readonly tooDeep: boolean
}

async function listFiles(walk: Walk, glob: Glob | undefined, max: number): Promise<Listing> {
  const first = new FirstSorted(max, compareText)
  const isMatch = toPathTest(walk, glob)
  let total = 0
  let tooDeep = false
  const report = await listEvery({ ...walk, depth: maxCountedDepth }, (path) => {
    if (!isMatch(path)) return
    if (isTooDeep(path)) {
      tooDeep = true
      return
    }
    total++
    if (max > 0 && first.wants(path)) first.add(path)
  })
  return { ...report, paths: first.toSorted().map(fromBytes), total, tooDeep }
}

function isTooDeep(path: string): boolean {
  let names = 1
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) names++
  return names > maxDepth
}

/**
 * Paths are handled as Latin-1 bytes, which sorts fast and decodes only the results. A glob matches characters, so a
 * non-ASCII path is decoded for it.
 */
function toPathTest(walk: Walk, glob: Glob | undefined): (path: string) => boolean {
  const hidden = walk.ignored
  if (!glob) return () => true
  if (glob.aboutNames && !glob.namesHidden) return (path) => hidden || !(path.startsWith('.') || path.includes('/.'))
  const prefix = glob.prefix.map((name) => `${name}/`).join('')
  return (path) => glob.matches(prefix + fromBytes(path), { hidden })
}

function fromBytes(path: string): string {
  return beyondAscii.test(path) ? Buffer.from(path, 'latin1').toString() : path
}

const beyondAscii = /[\x80-\xff]/

async function listEvery(walk: Walk, take: (path: string) => void): Promise<SearchReport> {
  if (walk.setting.ripgrep) {
    let rest = ''
    // Without hidden names the glob never matches in `.git`.
    const options = ['--files', '--null', ...(walk.hidden ? [withoutGit] : [])]
    const { end, unreadable } = await runRipgrep(walk, options, (chunk) => {
      const text = rest + chunk.toString('latin1')
      let from = 0
      for (let to = text.indexOf('\0'); to >= 0; to = text.indexOf('\0', from)) {
        const path = toSlashes(text.slice(from, to))
        if (!isTemporaryName(path.slice(path.lastIndexOf('/') + 1))) take(path)
        from = to + 1
      }
      rest = text.slice(from)
      return 'more'
    })
    if (end !== 'missing') return { engine: 'ripgrep', unreadable, ...(end !== 'done' && { stopped: end }) }
  }
  const walked = await walkFiles(walk, (path) => take(Buffer.from(path).toString('latin1')))
  return { engine: 'javascript', ...walked }
}

/** On Windows `rg` writes backslashes; elsewhere a backslash is part of a name. */
const toSlashes = (path: string) => (process.platform === 'win32' ? path.replaceAll('\\', '/') : path)

/** Drops anything that is not a file inside: a directory may have been replaced with a symlink during the walk. */
function verify(walk: Walk, paths: readonly string[]): string[] {
  let directory: { path: string; held: Held | undefined } | undefined
  try {
    return paths.filter((path) => {
      const parent = posix.dirname(path)
      if (directory?.path !== parent) {
        directory?.held?.close()
        directory = { path: parent, held: holdFound(walk, parent) }
      }
      return directory.held?.stats.isDirectory() && isFile(directory.held.at(posix.basename(path)))
    })
  } finally {
    directory?.held?.close()
  }
}

function isFile(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false
  } catch {
    return false
  }
}

import { lstatSync } from 'node:fs'
import { posix } from 'node:path'
import type { Held } from '../files/held.ts'
import { type Counting, startCounting, toOmitted } from './count-omitted.ts'
import { compileGlob } from './glob.ts'
import { holdFound, toPathFromRoot } from './hold-found.ts'
import { listAtOnce } from './list-at-once.ts'
import { listFiles } from './list-files.ts'
import { openWalk } from './open-walk.ts'
import {
  nothingOmitted,
  type SearchReport,
  type SearchRequest,
  type SearchSetting,
  type Walk,
} from './search-request.ts'

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
  let counting: Counting | undefined
  try {
    const { maxResults = 1000 } = request
    const once = request.countOmitted ? await listAtOnce(walk, glob, maxResults) : undefined
    if (request.countOmitted && !once) counting = startCounting(walk, glob, { lists: true })
    const listing = once ?? (await listFiles(walk, glob, maxResults))
    const verified = verify(walk, listing.paths)
    const paths = verified.map(toPathFromRoot(walk))
    const total = listing.total - (listing.paths.length - verified.length)
    const { engine, stopped, unreadable } = listing
    const seen = { engine, total, unreadable, listing, ...(stopped && { stopped }) }
    const omitted = once && request.countOmitted ? toOmitted(once) : await counting?.finish(seen)
    return { engine, paths, total, unreadable, ...(stopped && { stopped }), ...(omitted && { omitted }) }
  } finally {
    await counting?.stop()
    walk.start.close()
  }
}

/** Fails as `findFiles` would, without searching. */
export function checkFind(setting: SearchSetting, request: FindRequest): undefined {
  openWalk(setting, request, compileGlob(request.pattern))?.start.close()
}

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

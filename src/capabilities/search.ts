import { type ConfinementOptions, openConfinement } from './files/confinement.ts'
import { chooseHold } from './files/held.ts'
import { checkFind, type FindRequest, type FoundFiles, findFiles } from './search/find-files.ts'
import { checkGrep, type GrepRequest, type GrepResult, grep } from './search/grep.ts'
import { findRipgrep } from './search/ripgrep.ts'

/**
 * Search in one working directory. Never follows symlinks, and returns only results verified to be inside. Fails with a
 * `ToolError` whose code is a `SearchErrorCode` or a `FileErrorCode`.
 */
export interface Search {
  findFiles(request: FindRequest): Promise<FoundFiles>
  grep(request: GrepRequest): Promise<GrepResult>
  /** Each fails as the search would, without searching. */
  readonly check: {
    findFiles(request: FindRequest): Promise<undefined>
    grep(request: GrepRequest): Promise<undefined>
  }
}

export interface SearchOptions extends ConfinementOptions {
  /** The path of `rg`, or false for the slower search in JavaScript. Default: the installed one, if any. */
  readonly ripgrep?: string | false
  /** Time limit for counting skipped files if something was found. Default: 1,000. */
  readonly countingMs?: number
}

/**
 * @example
 * const search = openSearch({ root: '.' })
 * const { paths } = await search.findFiles({ pattern: '**\/*.ts' })
 */
export function openSearch(options: SearchOptions): Search {
  const hold = options.hold ?? chooseHold()
  const confinement = openConfinement({ ...options, hold })
  const { countingMs = 1000 } = options
  let installed: Promise<string | false> | undefined
  async function toSetting() {
    if (options.ripgrep === undefined) installed ??= findRipgrep()
    return { confinement, hold, countingMs, ripgrep: options.ripgrep ?? (await installed) ?? false }
  }
  return {
    findFiles: async (request) => findFiles(await toSetting(), request),
    grep: async (request) => grep(await toSetting(), request),
    check: {
      findFiles: async (request) => checkFind(await toSetting(), request),
      grep: async (request) => checkGrep(await toSetting(), request),
    },
  }
}

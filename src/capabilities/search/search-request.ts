import type { Confinement } from '../files/confinement.ts'
import type { Held, Hold } from '../files/held.ts'

/** What both searches can be told. */
export interface SearchRequest {
  /** The directory to search. Default: the root. */
  readonly base?: string
  /** Search files that ignore files name, and hidden ones, too. `.git` stays out. */
  readonly includeIgnored?: boolean
  /** Default: 1000. */
  readonly maxResults?: number
  /** After it the search ends with what was found. Default: 30,000. */
  readonly timeoutMs?: number
  /** Count the files that were left out as ignored or hidden, if nothing was found or counting is quick. */
  readonly countSkipped?: boolean
  readonly signal?: AbortSignal
}

/** What both searches tell about themselves. */
export interface SearchReport {
  readonly engine: 'ripgrep' | 'javascript'
  /** Why the search ended early, if it did: the time was over, or far more was found than anybody reads. */
  readonly stopped?: 'timeout' | 'volume'
  /** Files left out as ignored or hidden, if they were counted. */
  readonly skipped?: number
}

export interface SearchSetting {
  readonly confinement: Confinement
  readonly hold: Hold
  readonly ripgrep: string | false
  /** What counts as quick, where something is done only if it is. */
  readonly quickMs: number
}

/** Where a search begins and what bounds it. */
export interface Walk {
  readonly setting: SearchSetting
  /** The directory that is searched; found paths are relative to it. */
  readonly start: Held
  readonly hidden: boolean
  readonly ignored: boolean
  /** Globs for last names; undefined for all. */
  readonly names: readonly string[] | undefined
  readonly begun: number
  readonly deadline: number
  readonly signal: AbortSignal | undefined
}

export const mostDepth = 20

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
  /** Report what the search left out, at the price of a second walk. */
  readonly countOmitted?: boolean
  readonly signal?: AbortSignal
}

/** What both searches tell about themselves. */
export interface SearchReport {
  readonly engine: 'ripgrep' | 'javascript'
  /** Why the search ended early, if it did: the time was over, or far more was found than anybody reads. */
  readonly stopped?: 'timeout' | 'volume'
  /** Files and directories that could not be read. */
  readonly unreadable: number
  /** Present if the request asks for it. */
  readonly omitted?: Omitted
}

/** What a search left out. */
export interface Omitted {
  /** Files that are ignored or hidden. */
  readonly ignored: number
  /** False if counting took too long: there may be more. */
  readonly isComplete: boolean
  /** There are files deeper than a search goes. */
  readonly tooDeep: boolean
}

export interface SearchSetting {
  readonly confinement: Confinement
  readonly hold: Hold
  readonly ripgrep: string | false
  readonly countingMs: number
}

/** Where a search begins and what bounds it. */
export interface Walk {
  readonly setting: SearchSetting
  /** The directory that is searched; found paths are relative to it. */
  readonly start: Held
  readonly hidden: boolean
  readonly ignored: boolean
  /** How many levels to descend. */
  readonly depth: number
  /** Globs for last names; undefined for all. */
  readonly names: readonly string[] | undefined
  readonly deadline: number
  readonly signal: AbortSignal | undefined
}

/** The report about a directory that does not exist. */
export function nothingOmitted({ countOmitted }: SearchRequest): Pick<SearchReport, 'unreadable' | 'omitted'> {
  return { unreadable: 0, ...(countOmitted && { omitted: { ignored: 0, isComplete: true, tooDeep: false } }) }
}

/** How deep a search goes. */
export const maxDepth = 20
/** How deep it looks for files that are too deep. */
export const maxCountedDepth = 100

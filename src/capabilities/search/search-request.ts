import type { Confinement } from '../files/confinement.ts'
import type { Held, Hold } from '../files/held.ts'

/** Options of both searches. */
export interface SearchRequest {
  /** The directory to search. Default: the root. */
  readonly base?: string
  /** Also search ignored and hidden files. `.git` stays excluded. */
  readonly includeIgnored?: boolean
  /** Default: 1000. */
  readonly maxResults?: number
  /** Time limit; the search then returns what it has found. Default: 30,000. */
  readonly timeoutMs?: number
  /** Report what the search skipped, at the cost of a second walk. */
  readonly countOmitted?: boolean
  readonly signal?: AbortSignal
}

/** What both searches report. */
export interface SearchReport {
  readonly engine: 'ripgrep' | 'javascript'
  /** Why the search ended early, if it did: it timed out, or found far more than anyone reads. */
  readonly stopped?: 'timeout' | 'volume'
  /** Files and directories that could not be read. */
  readonly unreadable: number
  /** Present if requested. */
  readonly omitted?: Omitted
}

/** What a search skipped. */
export interface Omitted {
  /** Ignored or hidden files. */
  readonly ignored: number
  /** False if counting timed out: there may be more. */
  readonly isComplete: boolean
  /** There are files below the maximum depth. */
  readonly tooDeep: boolean
}

export interface SearchSetting {
  readonly confinement: Confinement
  readonly hold: Hold
  readonly ripgrep: string | false
  readonly countingMs: number
}

/** Where a search starts, and its limits. */
export interface Walk {
  readonly setting: SearchSetting
  /** The directory to search; results are relative to it. */
  readonly start: Held
  readonly hidden: boolean
  readonly ignored: boolean
  /** Maximum depth. */
  readonly depth: number
  /** Globs for the last name; undefined for all. */
  readonly names: readonly string[] | undefined
  readonly deadline: number
  readonly signal: AbortSignal | undefined
  /** Ends the walk as its deadline does. */
  readonly hurry?: AbortSignal
  /** `rg` calls it when it skips anything: an entry that is ignored, hidden or too deep. */
  readonly onSkip?: (() => void) | undefined
}

/** The report on a directory that does not exist. */
export function nothingOmitted({ countOmitted }: SearchRequest): Pick<SearchReport, 'unreadable' | 'omitted'> {
  return { unreadable: 0, ...(countOmitted && { omitted: { ignored: 0, isComplete: true, tooDeep: false } }) }
}

/** Maximum depth of a search. */
export const maxDepth = 20
/** Maximum depth when looking for files that are too deep. */
export const maxCountedDepth = 100

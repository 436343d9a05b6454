import { startCounting } from './count-omitted.ts'
import type { FoundLine } from './found-line.ts'
import { compileGlob } from './glob.ts'
import { compilePattern, grepInJavaScript } from './grep-in-javascript.ts'
import { grepWithRipgrep } from './grep-with-ripgrep.ts'
import { toPathFromRoot } from './hold-found.ts'
import { openWalk } from './open-walk.ts'
import { toInvalidRegex } from './search-error.ts'
import { nothingOmitted, type SearchReport, type SearchRequest, type SearchSetting } from './search-request.ts'

export interface GrepRequest extends SearchRequest {
  readonly pattern: string
  /** The pattern is an RE2 regular expression. Default: plain text. */
  readonly regex?: boolean
  readonly ignoreCase?: boolean
  /** Only files whose path matches this glob. */
  readonly glob?: string
}

export interface Match extends FoundLine {
  /** Relative to the root, with `/`. */
  readonly path: string
  /** From 1. */
  readonly line: number
}

export interface GrepResult extends SearchReport {
  /** Sorted by path and line: the first `maxResults`. Text is shortened to 500 bytes. */
  readonly matches: readonly Match[]
  /** Matching lines; if the search stopped early, those seen. */
  readonly total: number
  /** Absent if the search stopped early. */
  readonly filesSearched?: number
}

/** Results of an engine; paths are relative to the start of the walk. */
export interface Grepped extends SearchReport {
  readonly matches: Match[]
  readonly total: number
  readonly filesSearched?: number
}

export async function grep(setting: SearchSetting, request: GrepRequest): Promise<GrepResult> {
  checkPattern(request.pattern)
  const glob = request.glob === undefined ? undefined : compileGlob(request.glob)
  const walk = openWalk(setting, request, glob)
  const engine = setting.ripgrep ? 'ripgrep' : 'javascript'
  if (!walk) return { engine, matches: [], total: 0, filesSearched: 0, ...nothingOmitted(request) }
  try {
    const counting = request.countOmitted ? startCounting(walk, glob, { lists: false }) : undefined
    const order = { request, glob, walk: { ...walk, onSkip: counting?.onSkip }, max: request.maxResults ?? 1000 }
    try {
      const found = (setting.ripgrep && (await grepWithRipgrep(order))) || (await grepInJavaScript(order))
      const fromRoot = toPathFromRoot(walk)
      const matches = found.matches.map((match) => ({ ...match, path: fromRoot(match.path) }))
      return { ...found, matches, ...(counting && { omitted: await counting.finish(found) }) }
    } finally {
      await counting?.stop()
    }
  } finally {
    walk.start.close()
  }
}

/** Fails as `grep` would, without searching: the engine compiles the pattern and visits no file. */
export async function checkGrep(setting: SearchSetting, request: GrepRequest): Promise<undefined> {
  checkPattern(request.pattern)
  const glob = request.glob === undefined ? undefined : compileGlob(request.glob)
  const walk = openWalk(setting, request, glob)
  try {
    if (!request.regex) return
    const order = walk && { request, glob, walk: { ...walk, depth: 0 }, max: 0 }
    if (!setting.ripgrep || (order && !(await grepWithRipgrep(order)))) await compilePattern(request)
  } finally {
    walk?.start.close()
  }
}

function checkPattern(pattern: string): void {
  if (pattern === '') throw toInvalidRegex('it is empty')
  if (pattern.length > 10_000) throw toInvalidRegex('it is longer than 10,000 characters')
  if (pattern.includes('\0')) throw toInvalidRegex('it contains a NUL character')
  if (/[\r\n]/.test(pattern)) throw toInvalidRegex('it contains a line break, and lines are searched one by one')
}

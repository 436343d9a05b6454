import type { Glob } from './glob.ts'
import { type ListedAtOnce, listAtOnce, mayIgnore } from './list-at-once.ts'
import { type Listing, listFiles } from './list-files.ts'
import type { Omitted, SearchReport, Walk } from './search-request.ts'

interface Seen extends Pick<SearchReport, 'engine' | 'stopped' | 'unreadable'> {
  /** How much the search found. */
  readonly total: number
  /** The files that the search visited, if it has listed them. */
  readonly listing?: Listing
  /** How many files a search by content visited. */
  readonly filesSearched?: number
}

interface Counted {
  readonly once?: ListedAtOnce
  readonly visible?: Listing | undefined
}

export interface Counting {
  /** Where `rg` itself says when it skips something, counting begins then. */
  readonly onSkip: (() => void) | undefined
  /** Ends within a time limit, unless nothing was found, since that may explain why. */
  finish(seen: Seen): Promise<Omitted>
  stop(): Promise<void>
}

/**
 * Counts what a search skips while it runs: ignored or hidden files, and files that are too deep. One walk lists all
 * files. What the search visited is in its own listing (`lists`) or its statistics, or takes one more walk.
 */
export function startCounting(walk: Walk, glob: Glob | undefined, { lists }: { lists: boolean }): Counting {
  const hurry = new AbortController()
  let { deadline } = walk
  const toHurried = () => ({ ...walk, deadline, hurry: hurry.signal })
  const listVisible = () => listFiles(toHurried(), glob, 0)
  const listAll = () => listFiles({ ...toHurried(), hidden: true, ignored: true }, glob, 0)
  /** The statistics of a search count all files that it opened. */
  const hasStatistics = !glob && !walk.ignored
  let walking: Promise<Counted> | undefined
  let all: Listing | undefined

  async function walkBeside(): Promise<Counted> {
    const once = !lists && glob && (await listAtOnce(toHurried(), glob, 0))
    if (once) return { once }
    const toAll = async () => {
      if (!walk.ignored) all = await listAll()
    }
    const [visible] = await Promise.all([lists || hasStatistics ? undefined : listVisible(), toAll()])
    return { visible }
  }

  function begin(): Promise<Counted> {
    walking ??= walkBeside()
    // A failure is reported when the search has ended, unless the search fails itself.
    walking.catch(() => {})
    return walking
  }

  async function count({ listing, filesSearched, unreadable }: Seen): Promise<Omitted> {
    // Files that could not be opened are not in the statistics, and those too deep may all be ignored.
    if (hasStatistics && filesSearched !== undefined && unreadable === 0 && all && !all.stopped && !all.tooDeep)
      return { ignored: Math.max(0, all.total - filesSearched), isComplete: true, tooDeep: false }
    const [{ once, visible = listing }, more] = await Promise.all([begin(), hasStatistics ? listVisible() : undefined])
    if (once) return toOmitted(once)
    const { total, stopped, tooDeep } = (visible ?? more)!
    const ignored = all && !stopped ? Math.max(0, all.total - total) : 0
    return { ignored, isComplete: !stopped && !all?.stopped, tooDeep }
  }

  const isTold = !lists && hasStatistics && walk.setting.ripgrep !== false && !mayIgnore(walk)
  // The engine in JavaScript would only compete with the search.
  if (!isTold && walk.setting.ripgrep) begin()
  return {
    onSkip: isTold ? () => void begin() : undefined,
    async finish(seen) {
      if (seen.stopped) return { ignored: 0, isComplete: walk.ignored, tooDeep: false }
      if (isTold && !walking && seen.engine === 'ripgrep') return { ignored: 0, isComplete: true, tooDeep: false }
      const timer = seen.total > 0 && setTimeout(() => hurry.abort(), walk.setting.countingMs)
      if (timer) deadline = Math.min(deadline, performance.now() + walk.setting.countingMs)
      try {
        return await count(seen)
      } finally {
        if (timer) clearTimeout(timer)
      }
    },
    async stop() {
      hurry.abort()
      await walking?.catch(() => {})
    },
  }
}

/** What a walk that lists hidden files as well tells about those that it skips. */
export function toOmitted({ hidden, stopped, tooDeep }: ListedAtOnce): Omitted {
  return { ignored: stopped ? 0 : hidden, isComplete: !stopped, tooDeep }
}

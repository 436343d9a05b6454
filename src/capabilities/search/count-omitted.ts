import type { Glob } from './glob.ts'
import { type ListedAtOnce, listAtOnce } from './list-at-once.ts'
import { type Listing, listFiles } from './list-files.ts'
import type { Omitted, SearchReport, Walk } from './search-request.ts'

interface Seen {
  /** How much the search found. */
  readonly total: number
  readonly stopped?: SearchReport['stopped']
  /** The files that the search visited, if it has listed them. */
  readonly listing?: Listing
}

/**
 * What a search skipped: ignored or hidden files, and files that are too deep. Takes another walk or two, without a time
 * limit if nothing was found, since that may explain why.
 */
export async function countOmitted(walk: Walk, glob: Glob | undefined, seen: Seen): Promise<Omitted> {
  const { total, stopped, listing } = seen
  if (stopped) return { ignored: 0, isComplete: walk.ignored, tooDeep: false }
  const deadline = total > 0 ? Math.min(walk.deadline, performance.now() + walk.setting.countingMs) : walk.deadline
  const [visible, all] = await Promise.all([
    listing ?? listFiles({ ...walk, deadline }, glob, 0),
    walk.ignored ? undefined : listFiles({ ...walk, hidden: true, ignored: true, deadline }, glob, 0),
  ])
  return {
    ignored: all && !visible.stopped ? Math.max(0, all.total - visible.total) : 0,
    isComplete: !visible.stopped && !all?.stopped,
    tooDeep: visible.tooDeep,
  }
}

/** The same beside the search, as far as one walk tells it: threads of `rg` that wait for a disk leave a processor free. */
export function startCounting(walk: Walk, glob: Glob | undefined) {
  const hurry = new AbortController()
  // A failure is reported when the search has ended, unless the search fails itself.
  const walking = listAtOnce({ ...walk, hurry: hurry.signal }, glob, 0)
  walking.catch(() => {})
  return {
    async finish(seen: Seen): Promise<Omitted> {
      if (seen.stopped) return countOmitted(walk, glob, seen)
      const timer = seen.total > 0 && setTimeout(() => hurry.abort(), walk.setting.countingMs)
      try {
        const once = await walking
        return once ? toOmitted(once) : await countOmitted(walk, glob, seen)
      } finally {
        if (timer) clearTimeout(timer)
      }
    },
    async stop(): Promise<void> {
      hurry.abort()
      await walking.catch(() => {})
    },
  }
}

/** What a walk that lists hidden files as well tells about those that it skips. */
export function toOmitted({ hidden, stopped, tooDeep }: ListedAtOnce): Omitted {
  return { ignored: stopped ? 0 : hidden, isComplete: !stopped, tooDeep }
}

import type { SearchReport } from '../../capabilities/search/search-request.ts'
import { toCount } from './to-count.ts'

interface Wording {
  /** `searched`, or `listed`. */
  readonly done: 'searched' | 'listed'
  /** The parameter that reaches deeper files. */
  readonly deeper: string
}

/** Warnings about files that a search did not cover. */
export function toSearchWarnings(
  { stopped, total, omitted, unreadable }: SearchReport & { total: number },
  shown: number,
  { done, deeper }: Wording,
): string[] {
  const warnings: string[] = []
  if (stopped === 'timeout') warnings.push('Search timed out after 30s, returning partial results')
  if (stopped === 'volume') warnings.push('Search found too many matches and was stopped, returning partial results')
  if (total > shown) warnings.push(`Found ${total} matches, showing first ${shown}`)
  if (omitted && (omitted.ignored > 0 || !omitted.isComplete)) warnings.push(toIgnored(omitted, done))
  if (omitted?.tooDeep) warnings.push(`Files more than 20 levels deep were not ${done}; ${deeper}`)
  if (unreadable > 0) warnings.push(`${toCount(unreadable, 'file or folder', 'files or folders')} could not be read`)
  return warnings
}

function toIgnored({ ignored, isComplete }: NonNullable<SearchReport['omitted']>, done: Wording['done']): string {
  const verb = done === 'searched' ? 'search' : 'list'
  if (ignored === 0) return `Ignored and hidden files, if any, were not ${done}; set include_ignored to ${verb} them`
  const files = toCount(ignored, `ignored or hidden${done === 'listed' ? ' matching' : ''} file`)
  const [were, them] = ignored === 1 ? ['was', 'it'] : ['were', 'them']
  return `${isComplete ? '' : 'At least '}${files} ${were} not ${done}; set include_ignored to ${verb} ${them}`
}

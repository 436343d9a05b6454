import type { SearchReport } from '../../capabilities/search/search-request.ts'

/** What is missing from the results of a search, in words. */
export function toSearchWarnings({ stopped, total }: SearchReport & { total: number }, shown: number): string[] {
  const warnings: string[] = []
  if (stopped === 'timeout') warnings.push('Search timed out after 30s, returning partial results')
  if (stopped === 'volume') warnings.push('Search found far too much and was stopped, returning partial results')
  if (total > shown) warnings.push(`Found ${total} matches, showing first ${shown}`)
  return warnings
}

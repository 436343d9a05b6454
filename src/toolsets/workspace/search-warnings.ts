import type { Search } from '../../capabilities/search.ts'

type Report = Pick<Awaited<ReturnType<Search['findFiles']>>, 'stopped' | 'total'>

/** What is missing from the results of a search, in words. */
export function toSearchWarnings({ stopped, total }: Report, shown: number): string[] {
  const warnings: string[] = []
  if (stopped === 'timeout') warnings.push('Search timed out after 30s, returning partial results')
  if (stopped === 'volume') warnings.push('Search found far too much and was stopped, returning partial results')
  if (total > shown) warnings.push(`Found ${total} matches, showing first ${shown}`)
  return warnings
}

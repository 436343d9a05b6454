/** Child process of the search benchmark: `node memory.ts WORKSPACE` prints its peak memory in MB. */
import type * as Toolpact from '../src/index.ts'
import { largestSize } from './largest-size.ts'

// The built package, because stripping types takes memory.
const { openToolpact }: typeof Toolpact = await import(new URL('../dist/index.js', import.meta.url).href)
const [workspace] = process.argv.slice(2)
const toolpact = await openToolpact({ workspace, storage: 'memory' })
const calls = [
  ['file_search', { pattern: '**/*' }],
  ['grep_search', { pattern: 'value', max_results: 1000 }],
  ['grep_search', { pattern: 'need.e', is_regex: true }],
  ['read_file', { path: 'big.txt', start_line: 60_000, end_line: 60_050 }],
  ['list_dir', { path: 'area0' }],
] as const
for (const [tool, input] of calls) {
  const result = await toolpact.call(`workspace.${tool}`, input)
  if (!result.success) throw new Error(result.error.message)
}
await toolpact.close()
console.log(Math.round(largestSize() / 1024 ** 2))

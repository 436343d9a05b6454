/** Child process of the benchmark: `node run-contender.ts NAME FILE` extracts every nth page and writes the results. */
import { writeFileSync } from 'node:fs'
import { largestSize } from '../largest-size.ts'
import { contenders, type Extract } from './contenders.ts'
import { decodePage, isSampled, readArticles, readPages, readSegments } from './read-sets.ts'

export interface Run {
  /** By the id of the page, in the order of the set. */
  readonly articles: Readonly<Record<string, Extract>>
  readonly segments: Readonly<Record<string, Extract>>
  readonly pages: Readonly<Record<string, Extract>>
  /** Pages on which it threw. */
  readonly failed: number
  readonly pagesPerSecond: number
  /** Peak memory above the baseline with the library and all pages loaded, in MB. */
  readonly memory: number
}

const [name = '', file = ''] = process.argv.slice(2)
const extract = await contenders[name]!()
// Keep log output of libraries out of the rows.
console.log = console.warn = console.error = () => {}
// Pages stay as bytes outside the heap and are decoded one by one. With a hundred megabytes of strings
// on the heap, V8 would let garbage grow to several times that before it collects.
const articles = toBytes(readArticles())
const segments = toBytes(readSegments())
const pages = toBytes(readPages())
const before = process.memoryUsage.rss()
let [failed, processorTime, done] = [0, 0, 0]
const run: Run = {
  articles: await extractAll(articles),
  segments: await extractAll(segments),
  pages: await extractAll(pages),
  failed,
  pagesPerSecond: (articles.length + segments.length + pages.length) / (processorTime / 1e6),
  memory: (largestSize() - before) / 1024 ** 2,
}
writeFileSync(file, JSON.stringify(run))

function toBytes(set: readonly { id: string; url: string; readBytes(): Uint8Array }[]) {
  return set.filter(isSampled).map(({ id, url, readBytes }) => ({ id, url, bytes: readBytes() }))
}

async function extractAll(pages: readonly { id: string; url: string; bytes: Uint8Array }[]) {
  const found: Record<string, Extract> = {}
  for (const { id, url, bytes } of pages) {
    const html = decodePage(bytes)
    const start = process.cpuUsage()
    try {
      found[id] = await extract(html, url)
    } catch {
      found[id] = { text: '' }
      failed++
    }
    const { user, system } = process.cpuUsage(start)
    processorTime += user + system
    if (++done % 100 === 0) process.stderr.write(`  ${done} pages, ${(processorTime / 1e6).toFixed(0)} s\n`)
  }
  return found
}

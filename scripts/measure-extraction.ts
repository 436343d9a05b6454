/**
 * `node --expose-gc scripts/measure-extraction.ts` prints the live heap after each phase of extraction, for the largest
 * page of the sets and a page of 10 MB, and the peak memory of the process. `node scripts/measure-extraction.ts thread`
 * reads the page of 10 MB as `web.fetch` does, in a thread; `inline` as it reads small ones. `markdown` after it: as Markdown.
 */

import { hasSets, readArticles, readSegments } from '../bench/extract/read-sets.ts'
import { largestSize } from '../bench/largest-size.ts'
import { parseHtml } from '../src/tool-parts/html/parse-html.ts'
import { renderBlocks } from '../src/tool-parts/html/render-blocks.ts'
import { openLargePages } from '../src/toolsets/web/capability/large-pages.ts'
import { chooseBlocks } from '../src/toolsets/web/extract/choose-blocks.ts'
import { measurePage } from '../src/toolsets/web/extract/measure-page.ts'
import { readMetadata } from '../src/toolsets/web/extract/metadata/read-metadata.ts'
import { scoreBlocks } from '../src/toolsets/web/extract/score-blocks.ts'
import { type ReadContent, run, type TextRequest } from '../src/toolsets/web/read-text.ts'

const [place, format = 'text'] = process.argv.slice(2)
const pages: Record<string, () => string> = {
  ...(hasSets() && { 'largest of the sets': findLargest }),
  '10 MB': makeLarge,
}
if (place) await measureReading()
else
  for (const [name, make] of Object.entries(pages)) {
    const html = make()
    const before = measure()
    const rss = process.memoryUsage.rss()
    const rows: Record<string, string> = {}
    const live = (phase: string) => {
      rows[phase] = `${(measure() - before).toFixed(1)} MB`
    }
    const page = parseHtml(html)
    live('parsed')
    readMetadata(page, { url: 'https://example.com/' })
    live('metadata read')
    const measured = measurePage(page)
    live('blocks measured')
    const scores = scoreBlocks(measured)
    live('scored')
    const text = renderBlocks(chooseBlocks(measured, scores).blocks)
    live('rendered')
    const size = `${(html.length / 1e6).toFixed(1)} M characters, ${page.elements.length} elements, ${measured.lines.length} blocks`
    console.log(`${name}: ${size}, ${text.length} characters of text; beyond the page itself`)
    console.table(rows)
    console.log(`The process took ${Math.round((largestSize() - rss) / 1024 ** 2)} MB more than before.`)
  }

async function measureReading() {
  // Bytes outside of the heap, as from the web.
  const body = new TextEncoder().encode(makeLarge())
  globalThis.gc?.()
  const rss = process.memoryUsage.rss()
  const request: TextRequest = {
    body,
    contentType: 'text/html; charset=utf-8',
    truncated: false,
    finalUrl: 'https://example.com/',
    format: format === 'markdown' ? 'markdown' : 'text',
    links: 'auto',
    start: 0,
    withRaw: false,
  }
  const { signal } = new AbortController()
  const { length } = await (place === 'inline'
    ? run(request)
    : openLargePages<TextRequest, ReadContent>().run(request, { signal }))
  const size = Math.round((largestSize() - rss) / 1024 ** 2)
  console.log(`${place}, ${format}: ${length} characters; the process took ${size} MB more than before.`)
}

function measure(): number {
  if (!globalThis.gc) throw new Error('Run it by node --expose-gc.')
  globalThis.gc()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1024 ** 2
}

function findLargest(): string {
  let largest = ''
  for (const { readHtml } of [...readArticles(), ...readSegments()]) {
    const html = readHtml()
    if (html.length > largest.length) largest = html
  }
  return largest
}

/** Paragraphs with links, and lists, with typical blog markup. */
function makeLarge(): string {
  const parts = ['<title>Large</title><article>']
  for (let at = 0, length = 0; length < 10e6; at++) {
    const part = `<div class="post-body entry-${at % 50}" data-id="${at}" id="p${at}">
  <p class="text">Some words about the matter number ${at}, and <a href="https://example.com/${at}" title="x">a link</a>, and more
  words that make it a sentence of some length.</p>
  <ul>
    <li>One item</li>
    <li>Another item</li>
  </ul>
</div>
`
    parts.push(part)
    length += part.length
  }
  return parts.join('')
}

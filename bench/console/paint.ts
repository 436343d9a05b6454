import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { quantile, toTime } from '../print-table.ts'
import type { Table } from '../table.ts'

const executablePath = process.env.TOOLPACT_CHROMIUM ?? '/usr/bin/chromium'
const rounds = 8

interface Visited {
  readonly name: string
  /** Signs in, if that is needed, and shows the page. */
  readonly url: string
  readonly page: string
  /** Visible once the page shows what a person came for. */
  readonly shows: string
}

/**
 * How long until something is painted, and until the page shows what a person came for: the newest call, or the Inspector's own
 * controls, since it has no history before it is connected. The browser's cache is empty each time.
 */
export async function comparePaint(
  console: Omit<Visited, 'name' | 'shows'>,
  inspector: string,
): Promise<Table | undefined> {
  if (!existsSync(executablePath)) return undefined
  const peer = await serveFolder(inspector)
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--no-first-run'] })
  try {
    const pages: readonly Visited[] = [
      { ...console, name: 'console', shows: '.call-row' },
      { name: 'MCP Inspector', url: peer.url, page: peer.url, shows: '#root button' },
    ]
    const states = await Promise.all(pages.map((page) => signIn(browser, page)))
    const times = pages.map(() => ({ paint: [] as number[], newest: [] as number[] }))
    for (let round = 0; round < rounds; round++)
      for (const [index, page] of pages.entries()) {
        const { paint, newest } = await visit(browser, page, states[index]!)
        times[index]!.paint.push(paint)
        times[index]!.newest.push(newest)
      }
    const median = (values: readonly number[]) => quantile(values, 0.5)
    const [own] = times
    return {
      title: 'A page in Chromium with an empty cache',
      heading: ['', 'first paint', 'ratio', 'content', 'ratio'],
      rows: pages.map(({ name }, index) => {
        const { paint, newest } = times[index]!
        const toRatio = (values: readonly number[], base: readonly number[]) =>
          `${(median(values) / median(base)).toFixed(1)}×`
        return [name, toTime(median(paint)), toRatio(paint, own!.paint), toTime(median(newest)), toRatio(newest, own!.newest)] // biome-ignore format: one line
      }),
      notes: ['Content: the newest call of the console, and the controls of the Inspector.'],
    }
  } finally {
    await browser.close()
    peer.close()
  }
}

type State = Awaited<ReturnType<typeof signIn>>

async function signIn(browser: Browser, { url }: Visited) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(url)
  const state = await context.storageState()
  await context.close()
  return state
}

async function visit(browser: Browser, { page: url, shows }: Visited, storageState: State) {
  const context = await browser.newContext({ storageState })
  const page = await context.newPage()
  const start = performance.now()
  await page.goto(url, { waitUntil: 'commit' })
  await page.locator(shows).first().waitFor()
  const newest = performance.now() - start
  const paint = (await page.evaluate(
    "new Promise((resolve) => new PerformanceObserver((list) => resolve(list.getEntries()[0].startTime)).observe({ type: 'paint', buffered: true }))",
  )) as number
  await context.close()
  return { paint, newest }
}

const types: { readonly [extension: string]: string } = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' } // biome-ignore format: one line

/** The files of a page, without compression, as on loopback; every other path is the page itself. */
async function serveFolder(folder: string) {
  const server = createServer(({ url = '/' }, response) => {
    const named = join(folder, new URL(url, 'http://localhost').pathname)
    const file =
      named.startsWith(folder) && extname(named) !== '' && existsSync(named) ? named : join(folder, 'index.html')
    response.setHeader('Content-Type', types[extname(file)] ?? 'application/octet-stream')
    response.end(readFileSync(file))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}/`, close: () => void server.close() }
}

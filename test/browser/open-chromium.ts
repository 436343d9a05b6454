import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Where Chromium is; undefined if it is not installed. */
export const chromiumPath = process.env.TOOLPACT_CHROMIUM ?? places.find((path) => existsSync(path))

const args = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
]

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export interface PageOptions {
  /** Requests that are meant to fail, as the browser reports them. */
  readonly expects?: RegExp
  /** Origins that the page may go to, besides its own. */
  readonly visits?: readonly string[]
  readonly width?: number
  readonly dark?: boolean
  /** Before the page is opened: scripts to run in it, permissions. */
  readonly prepare?: (context: BrowserContext) => Promise<unknown>
}

/** Opens pages in one Chromium per test file. A page fails its test if it logs an error or requests another host. */
export function useChromium() {
  let browser: Browser | undefined
  beforeAll(async () => {
    if (chromiumPath) browser = await chromium.launch({ executablePath: chromiumPath, args })
  })
  afterAll(() => browser?.close())

  return async function openPage(
    url: string,
    { width = 1280, dark = false, expects = /^$/, visits = [], prepare }: PageOptions = {},
  ): Promise<Page> {
    const colorScheme = dark ? 'dark' : 'light'
    const context = await browser!.newContext({
      viewport: { width, height: 900 },
      colorScheme,
      reducedMotion: 'reduce',
    })
    await prepare?.(context)
    const page = await context.newPage()
    const faults: string[] = []
    page.on(
      'console',
      (message) => message.type() === 'error' && !expects.test(message.text()) && faults.push(message.text()),
    )
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('dialog', (dialog) => faults.push(`dialog: ${dialog.message()}`))
    page.on('request', (request) => {
      const { origin } = new URL(request.url())
      if (origin !== new URL(url).origin && !visits.includes(origin)) faults.push(`request to ${request.url()}`)
    })
    onTestFinished(async () => {
      await context.close()
      expect(faults).toEqual([])
    })
    await page.goto(url)
    return page
  }
}

/** The violations of WCAG A and AA that axe finds, each with where. */
export async function findViolations(page: Page): Promise<string[]> {
  // The content security policy forbids inline scripts, but not what the debugger evaluates.
  await page.evaluate(axe)
  const found = await page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: axe declares itself as a global of the page.
    const { violations } = await (globalThis as any).axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] })
    return violations as { id: string; nodes: { html: string; failureSummary: string }[] }[]
  })
  return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`)) // biome-ignore format: one line
}

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { twoToolsets, useServeFolders } from '../helpers/open-serve.ts'
import { type PageOptions, useChromium } from './open-chromium.ts'

interface OpenOptions extends PageOptions {
  /** The folder of the server, if it was prepared. */
  readonly folder?: ReturnType<ReturnType<typeof useServeFolders>>
  /** Default: two toolsets. */
  readonly toolsets?: readonly string[]
}

/** Real servers, and browsers that are signed in by their one-time links. Call once per test file. */
export function useConsole() {
  const openFolder = useServeFolders()
  const openPage = useChromium()

  async function open(
    args: readonly string[] = [],
    { folder = openFolder(), toolsets = twoToolsets, ...page }: OpenOptions = {},
  ) {
    const server = await folder.start(['--show-link', ...toolsets, ...args])
    const opened = await openPage(server.console, page)
    await opened.getByRole('link', { name: 'Inbox' }).first().waitFor()
    return { ...folder, server, page: opened, go: (path: string) => opened.goto(`${server.url}/console/${path}`) }
  }

  return { open, openFolder, openPage }
}

type Opened = Awaited<ReturnType<ReturnType<typeof useConsole>['open']>>

/** An MCP client of the server, which cannot ask its user: its calls wait in the queue. */
export async function connect({ run, server }: Pick<Opened, 'run' | 'server'>) {
  const token = (await run(['token', 'create', 'local'])).stdout.trim()
  const headers = { Authorization: `Bearer ${token}` }
  const client = new Client({ name: 'browser-test', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit: { headers } }))
  onTestFinished(() => client.close())
  return (name: string, input: object) => {
    const result = client.callTool({ name, arguments: { ...input } })
    // It may be pending when the test ends.
    result.catch(() => {})
    return result
  }
}

export const textOf = (page: Page, place = 'main') => page.locator(place).first().innerText()

export function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
}

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openToolpact, type ToolpactOptions } from '../../src/app/app.ts'
import type { CallResult } from '../../src/contract/call-result.ts'
import type { ApprovalAnswer, ApprovalRequest } from '../../src/runtime/approval/approver.ts'
import { serve } from './local-servers.ts'
import { makeFolder } from './open-test-pipeline.ts'

export const yes: ApprovalAnswer = { answer: 'yes', by: 'Ada' }
export const no: ApprovalAnswer = { answer: 'no', by: 'Ada' }

/** A server that records its requests, except for robots.txt. */
export async function openHost(redirects: { readonly [path: string]: string } = {}) {
  const paths: string[] = []
  const host = await serve(({ url = '' }, response) => {
    if (url === '/robots.txt') return void response.writeHead(404).end()
    paths.push(url)
    const location = redirects[url]
    if (location !== undefined) return void response.writeHead(302, { location }).end()
    response.writeHead(200, { 'content-type': 'text/plain' }).end('The page of a stranger.')
  })
  return { host, url: `http://${host}`, paths }
}

/** The built-in tools on a folder with a secret. Questions get the given answers in order, then no. */
export async function openFolder(
  hosts: readonly string[],
  { answers = [], ...options }: ToolpactOptions & { answers?: readonly ApprovalAnswer[] } = {},
) {
  // biome-ignore format: one line
  const workspace = options.workspace ?? makeFolder()
  writeFileSync(join(workspace, '.env'), 'KEY=SECRET\n')
  const asked: ApprovalRequest[] = []
  const left = [...answers]
  const toolpact = await openToolpact({
    toolsets: ['workspace', 'web-fetch'],
    storage: 'memory',
    dataFlow: 'session',
    config: { policy: { allowHosts: hosts } },
    async approver(request) {
      asked.push(request)
      return left.shift() ?? no
    },
    ...options,
    workspace,
  })
  onTestFinished(() => toolpact.close())
  const session = (name: string) => ({ caller: { name: 'tester', session: name } })
  return {
    toolpact,
    asked,
    read: (name = 'one') => toolpact.call('read_file', { path: '.env' }, session(name)),
    fetch: (url: string, name = 'one') => toolpact.call('web.fetch', { url }, session(name)),
    fetchWebpage: (url: string, name = 'one') => toolpact.call('fetch_webpage', { url }, session(name)),
  }
}

export const codeOf = (result: CallResult) => (result.success ? 'success' : result.error.code)

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openBrowser } from '../helpers/open-console.ts'
import { openEvents } from '../helpers/open-events.ts'
import { modernMeta } from '../helpers/open-mcp.ts'
import { until, useServeFolders } from '../helpers/open-serve.ts'

const openFolder = useServeFolders()

/** Every request comes over a connection of its own, and connections go to the two workers in turn. */
async function openServer() {
  const folder = openFolder()
  const config = { toolsets: ['workspace'], approval: { waitMs: 60_000 } }
  writeFileSync(join(folder.folder, 'own.json'), JSON.stringify(config))
  const server = await folder.start(['--workers', '2', '--config', 'own.json', '--ask-in', 'queue', '--show-link'])
  async function signIn(link: string) {
    const { status, headers } = await server.send(link.slice(server.url.length), { token: null })
    return { status, cookie: headers['set-cookie']?.[0]?.split(';')[0] ?? '' }
  }
  /** Waits for its approval in the worker that gets it. */
  async function create(path: string): Promise<boolean> {
    const params = { name: 'create_file', arguments: { path, content: path }, _meta: modernMeta() }
    const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'create_file' } // biome-ignore format: one line
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const { json } = await server.send('/mcp', { body, headers })
    return !json.result.isError
  }
  return { ...folder, ...server, signIn, create }
}

test('a link signs in once at all workers together, and the session is valid at each until it ends', async () => {
  const { console: link, url, signIn } = await openServer()
  const tried = await Promise.all([1, 2, 3, 4].map(() => signIn(link)))
  expect(tried.map(({ status }) => status).sort()).toEqual([303, 401, 401, 401])
  const { get, post } = openBrowser(url, tried.find(({ status }) => status === 303)!.cookie)
  const look = async () => (await Promise.all([1, 2, 3, 4].map(() => get('session')))).map(({ status }) => status)
  expect(await look()).toEqual([200, 200, 200, 200])
  expect((await post('sign-out')).status).toBe(204)
  expect(await look()).toEqual([401, 401, 401, 401])
})

test('calls that wait at each worker are shown by the streams of all, and go on when another one takes the answer', async () => {
  const { console: link, url, signIn, create, folder, run } = await openServer()
  const { cookie } = await signIn(link)
  const streams = [1, 2, 3, 4].map(() => openEvents(url, cookie))
  await until(() => streams.every((told) => told().includes('event: ')))
  const files = ['a.txt', 'b.txt', 'c.txt', 'd.txt']
  const calls = files.map(create)
  await until(() => streams.every((told) => /event: questions\n.*"count":4/.test(told())))
  const { get, post } = openBrowser(url, cookie)
  const { pending } = (await get('questions')).json
  expect(pending.map(({ isAwaited }: { isAwaited: boolean }) => isAwaited)).toEqual([true, true, true, true])
  expect(files.filter((name) => existsSync(join(folder, name)))).toEqual([])
  // Each is answered twice at once, at two workers: one of them takes it.
  const answers = await Promise.all(
    pending.flatMap(({ id, target }: { id: string; target: string }) => {
      const answer = target === 'd.txt' ? 'no' : 'yes'
      return [1, 2].map(() => post('questions/answer', { ids: [id], answer }))
    }),
  )
  const results = answers.map(({ json }) => json.answers[0].result)
  expect(results.filter((result) => result === 'approved')).toHaveLength(3)
  expect(results.filter((result) => result === 'denied')).toHaveLength(1)
  expect(await Promise.all(calls)).toEqual([true, true, true, false])
  for (const name of files.slice(0, 3)) expect(readFileSync(join(folder, name), 'utf8')).toBe(name)
  expect(existsSync(join(folder, 'd.txt'))).toBe(false)
  await until(() => streams.every((told) => /"count":4.*event: questions\n[^\n]*"count":0/s.test(told())))
  expect((await run(['ledger', '--verify'])).code).toBe(0)
})

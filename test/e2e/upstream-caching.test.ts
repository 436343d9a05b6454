import { expect, test } from 'vitest'
import { openAsking } from '../helpers/open-asking.ts'
import { until } from '../helpers/open-changeling.ts'
import { modernMeta, openMcpStdio } from '../helpers/open-mcp.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test knows what it asked for
type Any = any

const modern = { upstream: 'modern', client: 'modern' } as const

/** A further caller of the same host. */
async function openCaller(toolpact: Any, name: string) {
  const mcp = await openMcpStdio({ toolpact, caller: { name } })
  let id = 0
  return async (uri: string) => {
    mcp.send({ jsonrpc: '2.0', id: ++id, method: 'resources/read', params: { uri, _meta: modernMeta() } })
    return (await mcp.next()).result
  }
}

test('a resource is read once per caller while its server allows it, and once for all if it is public', async () => {
  const { ask, toolpact } = await openAsking(modern)
  const read = async (uri: string) => ask('resources/read', { uri })
  const own = 'toolpact://desk/demo://clock-private'
  const first = await read(own)
  expect(first.contents[0].text).toBe('Read 1.')
  // Rights differ between callers, so no shared cache may keep it.
  expect(first.cacheScope).toBe('private')
  expect(first.ttlMs).toBeGreaterThan(0)
  expect(first.ttlMs).toBeLessThanOrEqual(600_000)
  const again = await read(own)
  expect(again.contents[0].text).toBe('Read 1.')
  expect(again.ttlMs).toBeLessThanOrEqual(first.ttlMs)
  const other = await openCaller(toolpact, 'other')
  expect((await other(own)).contents[0].text).toBe('Read 2.')

  const shared = 'toolpact://desk/demo://clock-public'
  expect((await read(shared)).contents[0].text).toBe('Read 3.')
  expect((await other(shared)).contents[0].text).toBe('Read 3.')
  // Every read is a call, wherever its content comes from.
  const records = await toolpact.ledger.read({ tool: 'desk.resource:all' })
  expect(records.filter(({ record }) => record.kind === 'outcome')).toHaveLength(5)
})

test('a change and a restart end the time of what was read', async () => {
  const { ask, call, toolpact } = await openAsking(modern)
  const uri = 'toolpact://desk/demo://clock-public'
  const read = async () => (await ask('resources/read', { uri })).contents[0].text
  expect(await read()).toBe('Read 1.')
  const offers = await toolpact.catalog.offers()
  const { offer } = offers.find(({ id }) => id === 'desk.resource:all')!.tool
  if (offer?.kind !== 'resource') throw new Error('No resources are offered.')
  const stop = offer.watch!(uri, () => {})
  await until(async () => (await call('subscribed')).includes('demo://clock-public'))
  await call('change')
  await until(async () => (await read()) === 'Read 2.')
  stop()
  await toolpact.upstreams.restart('desk')
  // The server counts anew.
  expect(await read()).toBe('Read 1.')
})

test('a list may be used no longer than the shortest time of its parts', async () => {
  const { ask, call } = await openAsking(modern, { entry: { env: { TTL_MS: '7000' } } })
  await call('capabilities')
  for (const method of ['tools/list', 'prompts/list', 'resources/list'])
    expect(await ask(method)).toMatchObject({ ttlMs: 7000, cacheScope: 'private' })
})

test('content without a time is read anew', async () => {
  const { ask } = await openAsking({ upstream: 'legacy', client: 'modern' })
  const result = await ask('resources/read', { uri: 'toolpact://desk/demo://a' })
  expect(result).toMatchObject({ ttlMs: 0, cacheScope: 'private' })
})

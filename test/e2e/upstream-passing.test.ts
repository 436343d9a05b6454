import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/contract/json.ts'
import { eras, openAsking } from '../helpers/open-asking.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test knows what it asked for
type Any = any

const logLevel = 'io.modelcontextprotocol/logLevel'
const logsOf = (seen: Any[]) =>
  seen.filter(({ method }) => method === 'notifications/message').map(({ params }) => params)
const everything = { elicitation: { form: {} }, sampling: {}, roots: {} }

/** A client whose user agrees to everything. */
const agree = ({ method, params }: Any): JsonObject => {
  if (method === 'sampling/createMessage')
    return { role: 'assistant', content: { type: 'text', text: 'Hello.' }, model: 'm' }
  if (method === 'roots/list')
    return { roots: [{ uri: 'file:///home/ada', name: 'ho\u200bme' }, { uri: 'https://example.com' }, 'none'] }
  if (params.requestedSchema.properties.decision) return { action: 'accept', content: { decision: 'approve' } }
  return { action: 'accept', content: { name: `Ada ${++answers}` } }
}
let answers = 0

test.each(eras)('log messages of a $upstream server reach a $client client that wants them', async (mixed) => {
  const { ask, call, seen } = await openAsking(mixed)
  await call('log')
  expect(logsOf(seen)).toEqual([])
  if (mixed.client === 'legacy') await ask('logging/setLevel', { level: 'info' })
  const wants: JsonObject = mixed.client === 'modern' ? { [logLevel]: 'info' } : {}
  await call('log', wants)
  expect(logsOf(seen)).toEqual([
    { level: 'info', logger: expect.stringMatching(/^desk\/db/), data: 'plain' },
    { level: 'error', logger: 'desk', data: { rows: [1, 2] } },
  ])
  expect(JSON.stringify(logsOf(seen))).not.toMatch(/\\u001b|\u200b/)
  // No more is requested of the server than a client wants.
  expect(await call('level', wants)).toBe('info')
  if (mixed.client === 'modern' && mixed.upstream === 'modern') expect(await call('level')).toBe('none')
})

test.each(eras)('a flood of log messages of a $upstream server is dropped, and counted', async (mixed) => {
  const { ask, call, seen } = await openAsking(mixed)
  if (mixed.client === 'legacy') await ask('logging/setLevel', { level: 'debug' })
  await call('flood', mixed.client === 'modern' ? { [logLevel]: 'debug' } : {})
  const logs = logsOf(seen)
  const passed = logs.filter(({ level }) => level === 'info').length
  const counted = logs.flatMap(({ data }) => Number(/^(\d+) log messages of the MCP server desk were dropped/.exec(data)?.[1] ?? 0)) // biome-ignore format: one line
  expect(passed).toBeLessThan(900)
  expect(passed + counted.reduce((sum, count) => sum + count, 0)).toBe(1000)
})

test.each(eras)('a $upstream server asks a $client client twice, and each question is answered anew', async (mixed) => {
  const { call, asked } = await openAsking(mixed, { capabilities: everything, answer: agree })
  const said = JSON.stringify(await call('twice'))
  expect(asked).toHaveLength(2)
  const [first, second] = [...said.matchAll(/Ada (\d+)/g)].map(([, number]) => Number(number))
  expect(second).toBe(first! + 1)
})

test.each(eras)('a $upstream server gets all that it asks a $client client for', async (mixed) => {
  const { call, asked } = await openAsking(mixed, {
    capabilities: everything,
    answer: agree,
    entry: { sampling: { through: 'client', maxTokens: 50, approval: 'never' }, roots: 'client' },
  })
  const said = JSON.stringify(await call('several'))
  for (const part of ['Ada', 'Hello.', '{"uri":"file:///home/ada","name":"home"}']) expect(said).toContain(part)
  expect(said).not.toContain('example.com')
  expect(asked.map(({ method }) => method).sort()).toEqual([
    'elicitation/create',
    'roots/list',
    'sampling/createMessage',
  ])
})

test('questions that a server asks at once reach a client of 2026-07-28 at once, under the keys of the server', async () => {
  const { mcp, call } = await openAsking({ upstream: 'modern', client: 'modern' }, {
    capabilities: everything,
    entry: { sampling: { through: 'client', approval: 'never' }, roots: 'client' },
  }) // biome-ignore format: one object
  await call('capabilities')
  const params = { name: 'several', arguments: {}, _meta: toMeta(everything) }
  mcp.send({ jsonrpc: '2.0', id: 'several', method: 'tools/call', params })
  const { result } = await mcp.next()
  expect(Object.keys(result.inputRequests).sort()).toEqual(['places', 'user', 'words'])
})

test.each(eras)('a person approves sampling of a $upstream server in a $client client', async (mixed) => {
  const { call, asked, toolpact } = await openAsking(mixed, {
    capabilities: everything,
    answer: agree,
    entry: { sampling: { through: 'client', maxTokens: 50 } },
  })
  expect(JSON.stringify(await call('sample'))).toContain('Hello.')
  expect(asked.map(({ method }) => method)).toEqual(['elicitation/create', 'sampling/createMessage'])
  expect(asked[0].params.message).toContain('Say hello.')
  expect(asked[1].params.maxTokens).toBe(50)
  const records = await toolpact.ledger.read({ tool: 'desk.sampling:create' })
  expect(records.map(({ record }) => record.kind)).toEqual(['intent', 'outcome'])
})

test('an answer that a request brings with it approves no sampling', async () => {
  const { mcp, call } = await openAsking(
    { upstream: 'modern', client: 'modern' },
    { capabilities: everything, entry: { sampling: { through: 'client' } } },
  )
  await call('capabilities')
  const inputResponses = { approval: { action: 'accept', content: { decision: 'approve' } } }
  const params = { name: 'sample', arguments: {}, inputResponses, _meta: toMeta(everything) }
  mcp.send({ jsonrpc: '2.0', id: 'early', method: 'tools/call', params })
  const { result } = await mcp.next()
  expect(result).toMatchObject({ resultType: 'input_required', inputRequests: { approval: expect.anything() } })
})

test.each(['legacy', 'modern'] as const)(
  'a client of 2026-07-28 is told what a %s server needs, unless the operator does not allow that',
  async (upstream) => {
    const allowed = { sampling: { through: 'client', approval: 'never' } } as const
    const { ask } = await openAsking({ upstream, client: 'modern' }, { capabilities: {}, entry: allowed })
    expect(await ask('tools/call', { name: 'needs', arguments: {} })).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { sampling: {} } },
    })
    const refused = await openAsking({ upstream, client: 'modern' }, { capabilities: everything })
    const result = await refused.ask('tools/call', { name: 'needs', arguments: {} })
    expect(JSON.stringify(result)).toMatch(/No sampling|not supported/)
    if (upstream === 'modern') expect(JSON.stringify(result)).toContain('set \\"sampling\\" of the server desk')
  },
)

test.each(eras)(
  'a $client client without roots has none for a $upstream server, and none are granted without a setting',
  async (mixed) => {
    const { call, asked } = await openAsking(mixed, { capabilities: { elicitation: {} }, entry: { roots: 'client' } })
    expect(JSON.stringify(await call('roots'))).toContain('"roots":[]')
    const denied = await openAsking(mixed, { capabilities: everything })
    expect(JSON.stringify(await denied.call('roots'))).toMatch(/not support|does not know/)
    expect([...asked, ...denied.asked]).toEqual([])
  },
)

function toMeta(capabilities: JsonObject): JsonObject {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  }
}

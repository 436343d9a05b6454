import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/contract/json.ts'
import { eras, openAsking } from '../helpers/open-asking.ts'
import { until } from '../helpers/open-changeling.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test knows what it asked for
type Any = any

test.each(eras)('the user of a $client client answers what a $upstream server asks', async (mixed) => {
  const answer = ({ params }: Any): JsonObject =>
    params.mode === 'url' ? { action: 'accept' } : { action: 'accept', content: { name: 'Ada' } }
  const { call, asked } = await openAsking(mixed, { answer })
  // With the default of the form, as if the user had left it.
  expect(await call('form')).toMatchObject({ result: { action: 'accept', content: { name: 'Ada', color: 'green' } } })
  expect(asked).toHaveLength(1)
  const { message, requestedSchema } = asked[0].params
  expect(message).toContain('The MCP server desk, which gets your answer, asks: "What is your name? Ignore')
  expect(Object.keys(requestedSchema.properties)).toEqual(['name', 'color'])
  expect(await call('page')).toMatchObject({ result: { action: 'accept' } })
  expect(asked[1].params).toMatchObject({ mode: 'url', url: 'https://example.com/login', message: expect.stringContaining('a page of example.com') }) // biome-ignore format: one line
  for (const refused of ['secret', 'nested', 'local']) expect(JSON.stringify(await call(refused))).toMatch(/not asked|secrets/) // biome-ignore format: one line
  expect(asked).toHaveLength(2)
})

test.each(eras)(
  'a $client client that cannot ask its user declines for it, and a $upstream server learns so',
  async (mixed) => {
    const { call, asked } = await openAsking(mixed, { capabilities: {} })
    expect(await call('form')).toMatchObject({ result: { action: 'decline' } })
    expect(asked).toEqual([])
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const { capabilities, traceparent: received } = await call('capabilities', { traceparent })
    expect(received).toBe(traceparent)
    const apps = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } }
    if (mixed.upstream === 'modern') expect(capabilities).toEqual({ extensions: apps })
    // Off unless the operator allows it.
    expect(JSON.stringify([await call('sample'), await call('roots')])).toMatch(/(not support|does not know).*(not support|does not know)/) // biome-ignore format: one line
  },
)

test.each(eras)('prompts and resources of a $upstream server are those of a $client client', async (mixed) => {
  const { ask, call, seen } = await openAsking(mixed)
  const { prompts } = await ask('prompts/list')
  expect(prompts).toEqual([expect.objectContaining({ name: 'greet', arguments: [expect.objectContaining({ name: 'who', required: true })] })]) // biome-ignore format: one line
  const { messages } = await ask('prompts/get', { name: 'greet', arguments: { who: 'Ada' } })
  expect(messages[0]).toEqual({ role: 'user', content: { type: 'text', text: 'Greet Ada.' } })
  expect(messages[1]).toMatchObject({ role: 'user', content: { resource: { uri: 'toolpact://desk/demo://a', text: 'Text of a.' } } }) // biome-ignore format: one line
  expect(await ask('prompts/get', { name: 'greet', arguments: {} })).toMatchObject({ code: -32602 })

  const { resources } = await ask('resources/list')
  const uris = resources.map(({ uri }: JsonObject) => uri)
  expect(uris).toEqual(['toolpact://desk/demo://a', 'toolpact://desk/demo://picture', 'ui://desk/view/main.html'])
  const { resourceTemplates } = await ask('resources/templates/list')
  expect(resourceTemplates).toMatchObject([{ uriTemplate: 'toolpact://desk/demo://item/{id}' }])
  const read = async (uri: string) => (await ask('resources/read', { uri })).contents?.[0]
  expect(await read(uris[0])).toEqual({ uri: uris[0], mimeType: 'text/plain', text: 'Text of a.' })
  expect(await read('demo://a')).toMatchObject({ uri: 'demo://a' })
  expect(await read(uris[1])).toMatchObject({ mimeType: 'image/png' })
  expect(await read(uris[2])).toMatchObject({ uri: uris[2], mimeType: 'text/html;profile=mcp-app' })
  expect(await read('toolpact://desk/demo://item/7')).toMatchObject({ text: 'Item 7.' })
  expect(await ask('resources/read', { uri: 'toolpact://desk/demo://none' })).toMatchObject({ code: mixed.client === 'modern' ? -32602 : -32002 }) // biome-ignore format: one line
  const argument = { name: 'who', value: 'A' }
  const completed = await ask('completion/complete', { ref: { type: 'ref/prompt', name: 'greet' }, argument })
  expect(completed.completion.values).toEqual(['A-greet'])
  const ref = { type: 'ref/resource', uri: 'toolpact://desk/demo://item/{id}' }
  const item = await ask('completion/complete', { ref, argument: { name: 'id', value: '1' } })
  expect(item.completion.values).toEqual(['1-demo://item/{id}'])

  await call('touch')
  await until(async () => (await ask('resources/list')).resources.length === 1)
  expect(JSON.stringify(seen)).not.toContain('\u200b')
})

test('a prompt is locked like a tool, and every read is in the ledger', async () => {
  const { ask, toolpact } = await openAsking({ upstream: 'legacy', client: 'modern' }, { entry: { resources: false } })
  const [status] = await toolpact.upstreams.statuses()
  expect(status!.withheld.map(({ name, reasons }) => [name, reasons[0]!.code])).toEqual([
    ['prompt:hid_den-ecaf51c6', 'hidden_characters'],
    ['resource:all', 'excluded'],
  ])
  await ask('prompts/get', { name: 'greet', arguments: { who: 'Ada' } })
  const kept = (await toolpact.ledger.read()).map(({ record }: Any) => record.tool)
  expect(kept).toContain('desk.prompt:greet')
  // Without any resource the capability is not declared.
  expect(await ask('resources/list')).toMatchObject({ code: -32601 })
})

test('a model is asked for a server only if the operator allows it, a person approves and the answer is bounded', async () => {
  const { call, asked, toolpact } = await openAsking(
    { upstream: 'legacy', client: 'legacy' },
    {
      entry: { sampling: { through: 'client', maxTokens: 500 }, roots: 'workspace' },
      capabilities: { elicitation: {}, sampling: {} },
      answer: ({ method }): JsonObject =>
        method === 'elicitation/create'
          ? { action: 'accept', content: { decision: 'approve' } }
          : { role: 'assistant', content: { type: 'text', text: 'Hello\u200b.' }, model: 'm' },
    },
  )
  expect(await call('sample')).toMatchObject({ result: { role: 'assistant', content: { text: 'Hello.' }, model: 'm' } })
  expect(asked.map(({ method }) => method)).toEqual(['elicitation/create', 'sampling/createMessage'])
  expect(asked[0].params.message).toContain('Say hello.')
  expect(asked[1].params).toEqual({ messages: [{ role: 'user', content: { type: 'text', text: 'Say hello.' } }], maxTokens: 500 }) // biome-ignore format: one line
  const records = (await toolpact.ledger.read({ tool: 'desk.sampling:create' })).map(({ record }) => record.kind)
  expect(records).toEqual(['intent', 'outcome'])
  const { result } = await call('roots')
  expect(result.roots).toEqual([{ uri: expect.stringMatching(/^file:\/\//), name: 'workspace' }])
})

test.each(['legacy', 'modern'] as const)(
  'changes of a resource of a %s server reach those who watch it',
  async (upstream) => {
    const { call, toolpact } = await openAsking({ upstream, client: 'modern' })
    await call('capabilities')
    const offers = await toolpact.catalog.offers()
    const { offer } = offers.find(({ id }) => id === 'desk.resource:all')!.tool
    if (offer?.kind !== 'resource') throw new Error('No resources are offered.')
    let updates = 0
    const stop = offer.watch!('toolpact://desk/demo://a', () => updates++)
    await until(async () => (await call('touch')).length === 1 && updates > 0)
    stop()
    await until(async () => (await call('touch')).length === 0)
  },
)

import { describe, expect, onTestFinished, test } from 'vitest'
import { initialize, openMcpHttp, openMcpStdio, readJson } from '../../../test/helpers/open-mcp.ts'
import { defineEcho, yes } from '../../../test/helpers/open-test-pipeline.ts'
import { openToolpact, type Toolpact } from '../../app/app.ts'
import type { ConfigSource } from '../../app/config/config.ts'
import { defineToolset } from '../../contract/define-toolset.ts'
import type { JsonObject } from '../../contract/json.ts'
import { lintContract } from '../../contract/lint-contract.ts'
import { metaTools } from './meta-tools.ts'

const meta = ['search_tools', 'call_read_tool', 'call_tool']

/** 300 tools, two of them of interest. Not linted, which takes seconds. */
const many = defineToolset(
  'many',
  [
    ...Array.from({ length: 298 }, (_, index) => defineEcho({ name: `job_${index}`, description: 'Does some work.' })),
    defineEcho({ name: 'read_invoice', description: 'Shows an invoice of a customer.' }),
    defineEcho({ name: 'pay_invoice', description: 'Pays an invoice.', risk: 'safe_write' }),
  ],
  { strict: false },
)

async function openMany(config: ConfigSource = {}) {
  const toolpact = await openToolpact({
    toolsets: [many, defineToolset('other', [defineEcho({ name: 'call_tool', description: 'Rings a bell.' })])],
    storage: 'memory',
    config,
  })
  onTestFinished(() => toolpact.close())
  return toolpact
}

async function openClient(toolpact: Toolpact, options: { readonly approver?: typeof yes } = {}) {
  const asking = { waitMs: 60_000, onWaiting: () => {}, ...(options.approver && { always: options.approver }) }
  const mcp = await openMcpStdio({ toolpact, catalogue: () => 'search', asking })
  mcp.send(initialize())
  const { result: about } = await mcp.next()
  let id = 0
  const request = async (method: string, params: JsonObject = {}) => {
    mcp.send({ jsonrpc: '2.0', id: ++id, method, params })
    const seen: JsonObject[] = []
    for (;;) {
      const message = await mcp.next()
      if (message.id === id) return { ...message, seen }
      seen.push(message)
    }
  }
  return {
    about,
    request,
    list: async () => (await request('tools/list')).result.tools as JsonObject[],
    names: async () => (await request('tools/list')).result.tools.map(({ name }: JsonObject) => name),
    call: (name: string, args: JsonObject) => request('tools/call', { name, arguments: args }),
    search: (query: string) => request('tools/call', { name: 'search_tools', arguments: { query } }),
  }
}

const recorded = async ({ ledger }: Toolpact) =>
  (await ledger.read()).map(({ record }) => record as unknown as JsonObject)

describe('a client that lists a searched catalogue', () => {
  test('sees three tools at first, with annotations that are never weaker than those of what they run', async () => {
    const { list, about } = await openClient(await openMany())
    const tools = await list()
    expect(tools.map(({ name }) => name)).toEqual(meta)
    expect(tools.map(({ annotations }) => annotations)).toMatchObject([
      { readOnlyHint: true },
      { readOnlyHint: true, destructiveHint: false, openWorldHint: true },
      { readOnlyHint: false, destructiveHint: true, openWorldHint: true, idempotentHint: false },
    ])
    expect(tools[0]!.description).toContain('301 tools, by toolset: many (300), other (1)')
    expect(tools[1]).not.toHaveProperty('outputSchema')
    expect(tools[2]).not.toHaveProperty('outputSchema')
    expect(about.capabilities.tools).toEqual({ listChanged: true })
  })

  test('is told of a new list before its search is answered, and sees what it has found', async () => {
    const { search, names } = await openClient(await openMany())
    const { result, seen } = await search('invoices of a customer')
    const found = result.structuredContent.tools.map(({ name }: JsonObject) => name)
    expect(found).toHaveLength(2)
    expect(seen).toEqual([{ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }])
    expect(await names()).toEqual([...meta, ...found])
    // Nothing new is found, so nothing is announced.
    expect((await search('invoice')).seen).toEqual([])
    expect(await names()).toEqual([...meta, ...found])
  })

  test('sees the 40 tools that it found last', async () => {
    const { call, names } = await openClient(await openMany())
    const numbers = (from: number) => Array.from({ length: 20 }, (_, index) => from + index).join(' ')
    for (const from of [1, 21, 41]) await call('search_tools', { query: numbers(from), limit: 20 })
    await call('search_tools', { query: 'read_invoice', limit: 1 })
    const listed = await names()
    expect(listed).toHaveLength(43)
    expect(listed[3]).toMatch(/read_invoice$/)
  })

  test('does not see what another has found', async () => {
    const toolpact = await openMany()
    const first = await openClient(toolpact)
    const second = await openClient(toolpact)
    await first.search('invoice')
    expect(await second.names()).toEqual(meta)
  })

  test('never lists a tool under the name of one of the three', async () => {
    const bell = { description: 'Rings a bell.' }
    const toolpact = await openToolpact({
      toolsets: [
        defineToolset(
          'call',
          ['tool', 'read_tool'].map((name) => defineEcho({ name, ...bell })),
        ),
        defineToolset('search', [defineEcho({ name: 'tools', ...bell }), defineEcho({ name: 'bells', ...bell })]),
      ],
      storage: 'memory',
    })
    onTestFinished(() => toolpact.close())
    const { search, names, call } = await openClient(toolpact)
    await search('rings a bell')
    expect(await names()).toEqual([...meta, 'search_bells'])
    for (const tool of ['call.tool', 'call.read_tool', 'search.tools']) {
      const { result } = await call('call_tool', { tool, arguments: { text: 'ding' } })
      expect(result.isError).toBe(false)
    }
  })
})

describe('search_tools', () => {
  test('returns what is needed to call a tool', async () => {
    const { search } = await openClient(await openMany())
    const { result } = await search('pay an invoice')
    expect(result.structuredContent.tools[0]).toMatchObject({
      name: expect.stringMatching(/pay_invoice$/),
      toolset: 'many',
      description: 'Pays an invoice.',
      risk: 'safe_write',
      approval: 'ask',
      input_schema: { type: 'object', required: ['text'] },
    })
  })

  test('names the toolsets where nothing matches', async () => {
    const { search } = await openClient(await openMany())
    expect((await search('zzzz')).result.structuredContent).toEqual({
      tools: [],
      total: 301,
      toolsets: ['many', 'other'],
    })
  })

  test('is a call of its own in the ledger, and bounded by its contract', async () => {
    const toolpact = await openMany()
    const { search } = await openClient(toolpact)
    await search('invoice')
    expect((await search('x'.repeat(1001))).result).toMatchObject({ isError: true })
    expect((await recorded(toolpact)).map(({ kind, tool }) => [kind, tool])).toEqual([
      ['intent', 'catalogue.search_tools'],
      ['outcome', 'catalogue.search_tools'],
      ['refusal', 'catalogue.search_tools'],
    ])
  })

  test('finds only what the caller may use', async () => {
    const toolpact = await openMany({ callers: { stdio: { tools: ['many.read_*'] } } })
    const { search, list, call } = await openClient(toolpact)
    const { tools, total } = (await search('pay an invoice')).result.structuredContent
    expect(tools.map(({ name }: JsonObject) => name)).toEqual([expect.stringMatching(/read_invoice$/)])
    expect(total).toBe(1)
    expect((await list())[0]!.description).toContain('many (1).')
    const { result } = await call('call_tool', { tool: 'many.pay_invoice', arguments: { text: 'a' } })
    expect(result._meta['toolpact/error']).toMatchObject({ code: 'tool_not_found' })
  })

  test('uses up no query: it reads the catalogue, as tools/list does', async () => {
    const { search, request } = await openClient(await openMany({ policy: { requireQuery: true } as never }))
    expect((await search('invoice')).result.isError).toBe(false)
    const params = { name: 'call_read_tool', arguments: { tool: 'many.read_invoice', arguments: { text: 'a' } }, _meta: { 'toolpact/query': 'q1' } } // biome-ignore format: one line
    expect((await request('tools/call', params)).result.isError).toBe(false)
    expect((await request('tools/call', params)).result._meta['toolpact/error']).toMatchObject({ code: 'single_step' })
  })
})

describe('a client that does not follow list_changed', () => {
  test('reads with call_read_tool: the call is one of the tool itself', async () => {
    const toolpact = await openMany()
    const { call } = await openClient(toolpact)
    const { result } = await call('call_read_tool', { tool: 'many.read_invoice', arguments: { text: 'hello' } })
    expect(result).toMatchObject({ isError: false, structuredContent: { said: 'hello' } })
    expect((await recorded(toolpact)).map(({ kind, tool }) => [kind, tool])).toEqual([
      ['intent', 'many.read_invoice'],
      ['outcome', 'many.read_invoice'],
    ])
  })

  test('cannot write with call_read_tool, and is told what to use', async () => {
    const toolpact = await openMany()
    const { call } = await openClient(toolpact, { approver: yes })
    const { result } = await call('call_read_tool', { tool: 'many.pay_invoice', arguments: { text: 'hello' } })
    expect(result.isError).toBe(true)
    expect(result.content[0].text).toMatch(/^not_read_only: .*call_tool/)
    expect(await recorded(toolpact)).toMatchObject([{ kind: 'refusal', tool: 'many.pay_invoice' }])
  })

  test('writes with call_tool once a person has approved exactly that call', async () => {
    const toolpact = await openMany()
    const asked: unknown[] = []
    const approver: typeof yes = async (request, ...rest) => {
      asked.push({ tool: request.binding.tool, input: request.input })
      return yes(request, ...rest)
    }
    const { call } = await openClient(toolpact, { approver })
    const { result } = await call('call_tool', { tool: 'many.pay_invoice', arguments: { text: 'hello' } })
    expect(result).toMatchObject({ isError: false, structuredContent: { said: 'hello' } })
    expect(asked).toEqual([{ tool: 'many.pay_invoice', input: { text: 'hello', times: 1 } }])
    expect((await recorded(toolpact)).map(({ kind, tool }) => [kind, tool])).toEqual([
      ['intent', 'many.pay_invoice'],
      ['outcome', 'many.pay_invoice'],
    ])
  })

  test.each([
    [{}, "'tool' is missing"],
    [{ tool: 5 }, "'tool' is missing"],
    [
      { tool: 'many.read_invoice', text: 'hello' },
      "'text' is not expected here: put the input of the tool into 'arguments'",
    ],
  ])('is told what is wrong with %j', async (args, words) => {
    const toolpact = await openMany()
    const { call } = await openClient(toolpact)
    const { result } = await call('call_tool', args as JsonObject)
    expect(result.isError).toBe(true)
    expect(result.content[0].text).toContain(words)
    expect(await recorded(toolpact)).toEqual([])
  })

  test.each([
    [
      'arguments that the contract does not allow',
      { tool: 'many.read_invoice', arguments: { txt: 'a' } },
      'invalid_input',
    ],
    ['an unknown tool', { tool: 'many.read_invoyce' }, 'tool_not_found'],
    ['one of the three', { tool: 'search_tools', arguments: { query: 'a' } }, 'tool_not_found'],
  ])('gets an error that a model can read for %s', async (_, args, code) => {
    const { call } = await openClient(await openMany())
    const { result } = await call('call_tool', args as JsonObject)
    expect(result.content[0].text.startsWith(`${code}: `)).toBe(true)
  })
})

test('over HTTP without sessions, what was found belongs to the caller', async () => {
  const { modern } = await openMcpHttp({ served: await openMany(), catalogue: () => 'search' })
  const names = async (caller: string) => {
    const { result } = await readJson(await modern('tools/list', {}, { 'X-Caller': caller }))
    expect(result).toMatchObject({ ttlMs: 0, cacheScope: 'private' })
    return result.tools.map(({ name }: JsonObject) => name)
  }
  const search = { name: 'search_tools', arguments: { query: 'pay invoice', limit: 1 } }
  await (await modern('tools/call', search, { 'X-Caller': 'ada' })).text()
  expect(await names('ada')).toEqual([...meta, expect.stringMatching(/pay_invoice$/)])
  expect(await names('bob')).toEqual(meta)
})

test('the contracts of the tools that are listed have no flaws', async () => {
  const search = await (await openMany()).catalog.find('catalogue.search_tools')
  expect(search.kind === 'found' && (await lintContract(search.tool.contract))).toEqual([])
  for (const { tool } of metaTools) {
    const problems = await lintContract(tool.contract)
    // Their output is that of any tool: quoted data.
    const own = problems.filter(({ pointer, severity }) => severity === 'error' && !pointer.startsWith('/output'))
    expect(own, tool.contract.name).toEqual([])
  }
})

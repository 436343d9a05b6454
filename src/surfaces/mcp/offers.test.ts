import { expect, test } from 'vitest'
import { initialize, modernMeta, openMcpHttp, openMcpStdio, readJson } from '../../../test/helpers/open-mcp.ts'
import { openToolpact, type ToolpactOptions } from '../../app/app.ts'
import { definePrompt } from '../../contract/define-prompt.ts'
import { defineResource } from '../../contract/define-resource.ts'
import { defineTool } from '../../contract/define-tool.ts'
import { defineToolset } from '../../contract/define-toolset.ts'
import type { JsonObject } from '../../contract/json.ts'

const closed = { type: 'object', additionalProperties: false } as const
const stored = new Map(Array.from({ length: 30 }, (_, index) => [`n${index}`, `Note ${index}.`]))

const offered = [
  defineTool(
    {
      name: 'prompt_review',
      description: 'A tool beside the prompt.',
      risk: 'read_only',
      input: closed,
      output: closed,
    },
    () => ({}),
  ),
  definePrompt(
    {
      name: 'review',
      description: 'Asks for a review of one note.',
      input: { ...closed, properties: { id: { type: 'string', description: 'Id of the note' } }, required: ['id'] },
    },
    ({ id }) => `Review note ${id}.`,
    { complete: { id: (typed) => [...stored.keys()].filter((id) => id.startsWith(typed)) } },
  ),
  definePrompt({ name: 'secret', description: 'Asks a person first.', risk: 'safe_write' }, () => 'Approved.'),
  defineResource({ name: 'readme', description: 'What the notes are.', uri: 'notes://readme' }, () => 'Read me.'),
  defineResource(
    {
      name: 'note',
      description: 'One note as text.',
      uriTemplate: 'notes://note/{id}',
      variables: { id: 'Id of the note' },
    },
    ({ id }) => stored.get(id),
    {
      list(cursor) {
        const start = Number(cursor ?? 0)
        const ids = [...stored.keys()].slice(start, start + 10)
        const next = start + 10 < stored.size ? { nextCursor: String(start + 10) } : {}
        return { resources: ids.map((id) => ({ uri: `notes://note/${id}`, name: id })), ...next }
      },
      complete: { id: (typed) => [...stored.keys()].filter((id) => id.startsWith(typed)) },
    },
  ),
]
const notes = defineToolset('notes', offered)

const openNotes = (options: Partial<ToolpactOptions> = {}) =>
  openToolpact({ toolsets: [notes], storage: 'memory', ...options })

async function open(isModern: boolean, options?: Partial<ToolpactOptions>) {
  const toolpact = await openNotes(options)
  const client = await openMcpStdio({ toolpact })
  let id = 0
  if (!isModern) {
    client.send(initialize())
    await client.next()
  }
  return {
    toolpact,
    async ask(method: string, params: JsonObject = {}) {
      const meta = isModern ? { _meta: modernMeta({ elicitation: {} }) } : {}
      client.send({ jsonrpc: '2.0', id: ++id, method, params: { ...meta, ...params } })
      return client.next()
    },
  }
}

test.each([true, false])(
  'prompts and resources are listed, read and completed, and are no tools (2026-07-28: %s)',
  async (isModern) => {
    const { ask, toolpact } = await open(isModern)
    expect((await ask('tools/list')).result.tools.map(({ name }: JsonObject) => name)).toEqual(['prompt_review'])
    expect((await ask('prompts/list')).result.prompts).toEqual([
      {
        name: 'review',
        title: 'Review',
        description: 'Asks for a review of one note.',
        arguments: [{ name: 'id', description: 'Id of the note', required: true }],
      },
      { name: 'secret', title: 'Secret', description: 'Asks a person first.' },
    ])
    const got = await ask('prompts/get', { name: 'review', arguments: { id: 'n1' } })
    expect(got.result.messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Review note n1.' } }])
    const { resources, nextCursor } = (await ask('resources/list')).result
    expect(resources.map(({ uri }: JsonObject) => uri).slice(0, 2)).toEqual(['notes://readme', 'notes://note/n0'])
    expect([resources.length, nextCursor]).toEqual([31, undefined])
    expect((await ask('resources/templates/list')).result.resourceTemplates).toMatchObject([
      { uriTemplate: 'notes://note/{id}' },
    ])
    expect((await ask('resources/read', { uri: 'notes://note/n2' })).result.contents).toEqual([
      { uri: 'notes://note/n2', text: 'Note 2.' },
    ])
    const ref = { type: 'ref/resource', uri: 'notes://note/{id}' }
    expect(
      (await ask('completion/complete', { ref, argument: { name: 'id', value: 'n2' } })).result.completion,
    ).toEqual({
      values: ['n2', ...Array.from({ length: 10 }, (_, index) => `n2${index}`)],
      total: 11,
      hasMore: false,
    })
    const records = (await toolpact.ledger.read()).map(({ record }) => record)
    expect(records.filter(({ kind }) => kind === 'outcome')).toContainEqual(
      expect.objectContaining({ tool: 'notes.resource:note', success: true }),
    )
  },
)

test.each([
  ['an unknown prompt', 'prompts/get', { name: 'none' }],
  ['a prompt without its argument', 'prompts/get', { name: 'review' }],
  ['an argument that is not declared', 'prompts/get', { name: 'review', arguments: { id: 'a', more: 'b' } }],
  ['an unknown URI', 'resources/read', { uri: 'notes://none' }],
  ['a resource that does not exist', 'resources/read', { uri: 'notes://note/none' }],
  ['a URI that is too long', 'resources/read', { uri: `notes://note/${'a'.repeat(5000)}` }],
  ['no URI', 'resources/read', {}],
  ['a cursor of another list', 'resources/list', { cursor: 'bm9uZQ' }],
  ['a cursor that is no text', 'prompts/list', { cursor: 1 }],
  ['a reference to nothing', 'completion/complete', { ref: {}, argument: { name: 'id', value: '' } }],
  ['no argument', 'completion/complete', { ref: { type: 'ref/prompt', name: 'review' } }],
])('%s is an error', async (_case, method, params) => {
  const { ask } = await open(true)
  expect((await ask(method, params as JsonObject)).error).toMatchObject({ code: -32602 })
})

test('a missing resource has the code of its revision, and its URI', async () => {
  const { ask } = await open(false)
  const uri = 'notes://note/none'
  expect((await ask('resources/read', { uri })).error).toMatchObject({ code: -32002, data: { uri } })
})

test('a prompt that needs approval asks the user of the client first', async () => {
  const { ask } = await open(true)
  const { result } = await ask('prompts/get', { name: 'secret' })
  expect(result.resultType).toBe('input_required')
  const given = { approval: { action: 'accept', content: { decision: 'approve' } } }
  const again = await ask('prompts/get', { name: 'secret', requestState: result.requestState, inputResponses: given })
  expect(again.result.messages[0].content.text).toBe('Approved.')
})

test('a caller sees only what it may use, and capabilities say so', async () => {
  const toolpact = await openNotes({
    config: {
      callers: { tester: { tools: ['notes.resource:note'] }, other: { tools: ['notes.prompt_review'] } },
    } as never,
  })
  const http = await openMcpHttp({ served: toolpact })
  const ask = async (method: string, caller: string, params: JsonObject = {}) =>
    await readJson(
      await http.modern(method, params, {
        'X-Caller': caller,
        ...(typeof params.uri === 'string' && { 'Mcp-Name': params.uri }),
      }),
    )
  expect((await ask('server/discover', 'tester')).result.capabilities).toEqual({
    tools: expect.anything(),
    resources: expect.anything(),
    completions: {},
    logging: {},
    extensions: expect.anything(),
  })
  const { capabilities } = (await ask('server/discover', 'other')).result
  expect(Object.keys(capabilities).sort()).toEqual(['extensions', 'logging', 'tools'])
  expect((await ask('resources/list', 'tester')).result.resources).toHaveLength(30)
  expect((await ask('resources/list', 'other')).error.code).toBe(-32601)
  expect((await ask('resources/read', 'other', { uri: 'notes://note/n1' })).error.code).toBe(-32601)
  expect((await ask('prompts/list', 'tester')).error.code).toBe(-32601)
  await toolpact.close()
})

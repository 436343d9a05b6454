import { expect, test } from 'vitest'
import { cleanContract } from '../../../test/data/clean-contract.ts'
import type { Contract } from '../../contract/contract.ts'
import { compareDocument } from './compare-document.ts'
import { fromMarkdown } from './from-markdown.ts'
import { toToolsMarkdown } from './tools-markdown.ts'

const contract = cleanContract()
const served = (changes: Parameters<typeof cleanContract>[0] = {}, toolset = 'notes') => {
  const tool = { contract: cleanContract(changes) }
  return { id: `${toolset}.${tool.contract.name}`, toolset, tool }
}

test('a document that was written from the contracts agrees with them', async () => {
  expect(await compare([contract], [served()])).toEqual([])
})

test.each([
  [{ risk: 'safe_write' }, '/risk', '- risk: read_only'],
  [{ description: 'Reads another note of it.' }, '/description', 'Reads one note'],
  [{ limits: { timeoutMs: 1, inputBytes: 2, outputBytes: 3 } }, '/limits/timeoutMs', '- limits:'],
  [{ effects: {} }, '/effects/reads', '- effects:'],
  [{ examples: [] }, '/examples', '['],
  [{ errors: [{ ...contract.errors[0]!, status: 410 }] }, '/errors/0/status', '404'],
])('a difference in %j is found where the document has it', async (changes, pointer, text) => {
  const page = toPage([contract])
  const found = await compare([contract], [served(changes)])
  const at = found.find((difference) => difference.pointer === pointer)!
  expect(at.tool).toBe('notes.read_note')
  expect(page.split('\n')[at.line - 1]).toContain(text)
})

test('errors are matched by code, in any order', async () => {
  const more = { code: 'aaa', status: 409, when: 'A.', suggestion: 'B.' }
  const [difference] = await compare(
    [contract],
    [served({ errors: [more, { ...contract.errors[0]!, when: 'Never.' }] })],
  )
  const page = toPage([contract]).split('\n')
  expect(page[difference!.line - 1]).toMatch(/^\[|\{ "code"|\[\{|"when"/)
})

test('undocumented parts are not compared', async () => {
  const page = `## read_note\n- risk: read_only\n- input:\n\`\`\`json\n${JSON.stringify(contract.input)}\n\`\`\`\n- errors:\n\`\`\`json\n[{ "code": "note_not_found", "http_status": 404 }]\n\`\`\`\n### Example\n\`\`\`json\n{ "input": { "path": "b.md" }, "error": "note_not_found" }\n\`\`\`\n` // biome-ignore format: one line
  const { contracts } = await fromMarkdown(page)
  expect(compareDocument(contracts, [served()])).toEqual([])
})

test.each([
  ['some of the transports', { transport: 'mcp (stdio)' }, {}, []],
  ['a transport by which it is not served', { transport: 'rest' }, { transport: 'mcp (stdio)' }, ['/transport']],
  ['an unknown transport', { transport: 'pigeon' }, {}, ['/transport']],
  ['the toolset as the endpoint', { endpoint: 'notes' }, {}, []],
  ['another endpoint', { endpoint: 'away' }, {}, ['/endpoint']],
])('a document with %s is compared with how the tool is reached', async (_what, said, code, pointers) => {
  const found = await compare([cleanContract(said)], [served(code)])
  expect(found.map(({ pointer }) => pointer)).toEqual(pointers)
})

test('unknown, missing and ambiguous tools are found', async () => {
  const page = toPage([contract])
  const line = page.split('\n').indexOf('### notes.read_note') + 1
  expect(await compare([contract], [])).toMatchObject([
    { line, tool: 'notes.read_note', message: 'There is no such tool.' },
  ])
  expect(
    await compare([contract], [served(), served({ name: 'other' }), served({ name: 'far' }, 'away')]),
  ).toMatchObject([{ line: 1, tool: 'notes.other', message: expect.stringContaining('missing') }])
  const { contracts } = await fromMarkdown(page.replace('- endpoint: `notes` (default)\n', ''))
  expect(compareDocument(contracts, [served(), served({}, 'more')])).toMatchObject([
    {
      message: 'Several toolsets have a tool of this name: notes, more.',
      fix: expect.stringContaining('- toolset: notes'),
    },
  ])
  expect(compareDocument(contracts, [served()])).toEqual([])
})

async function compare(documented: readonly Contract[], all: readonly ReturnType<typeof served>[]) {
  return compareDocument((await fromMarkdown(toPage(documented))).contracts, all)
}

function toPage(documented: readonly Contract[]): string {
  return toToolsMarkdown([
    { name: 'notes', description: 'Notes.', tools: documented.map((one) => ({ contract: one })) },
  ])
}

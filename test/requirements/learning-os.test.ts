import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { openToolpact } from '../../src/app/app.ts'
import { fromMarkdown } from '../../src/authoring/markdown/from-markdown.ts'
import { defineValidator } from '../../src/contract/define-validator.ts'
import { openRepository } from '../helpers/open-repository.ts'
import { defineEcho, makeFolder, openTestPipeline, yes } from '../helpers/open-test-pipeline.ts'
import { learningOs } from './learning-os.ts'
import { expectAppended, expectAsked, expectDenied, expectMegabyte, expectReadable } from './repository-checks.ts'
import { callOverMcp, expectListed, openStatements, readContract, readContracts } from './statements.ts'

const { statement, contracts } = openStatements(learningOs)
const hello = 'learning.hello'
const read = 'learning.read_repo_file'
const write = 'learning.write_memory_entry'
const log = 'progress_log.jsonl'
const basics = { timestamp: '2026-01-09T10:30:00Z', type: 'note' }
const open = (files: { [path: string]: string | Uint8Array } = {}) => openRepository('learning', { files })

const parts: [id: string, part: { readonly name: string; readonly like: unknown }][] = [
  ['A1', { name: 'name', like: expect.stringMatching(/^\w+$/) }],
  ['A2', { name: 'description', like: expect.stringMatching(/^\w.+\.$/) }],
  ['A3', { name: 'input', like: expect.objectContaining({ type: 'object', properties: expect.anything() }) }],
  ['A4', { name: 'output', like: expect.objectContaining({ type: 'object', properties: expect.anything() }) }],
  ['A5', { name: 'constraints', like: expect.arrayContaining([expect.any(String)]) }],
]
for (const [id, { name, like }] of parts)
  statement(id, async () => {
    const found = await readContracts('learning')
    expect(found).toHaveLength(3)
    for (const contract of found) expect(contract).toMatchObject({ [name]: like })
  })

statement('A6', () => expectListed('learning', ['hello', 'read_repo_file', 'write_memory_entry']))

contracts([
  ['A9', { tool: hello, at: '/input/type', is: 'object' }],
  ['A13', { tool: hello, at: '/output/type', is: 'object' }],
  ['A19', { tool: read, at: '/input/type', is: 'object' }],
  ['A24', { tool: read, at: '/output/type', is: 'object' }],
  ['A41', { tool: write, at: '/input/type', is: 'object' }],
  ['A48', { tool: write, at: '/output/type', is: 'object' }],
  ['A10', { tool: hello, at: '/input/properties/name', is: { type: 'string', description: 'Name to greet' } }],
  ['A11', { tool: hello, at: '/input/properties/name/maxLength', is: 100 }],
  ['A12', { tool: hello, at: '/input/required', is: ['name'] }],
  ['A14', { tool: hello, at: '/output/properties/greeting/type', is: 'string' }],
  ['A17', { tool: hello, at: '/constraints/2', is: 'For testing only' }],
  [
    'A20',
    { tool: read, at: '/input/properties/path', is: { type: 'string', description: 'Relative path from repo root' } },
  ],
  ['A22', { tool: read, at: '/input/properties/path/maxLength', is: 256 }],
  ['A23', { tool: read, at: '/input/required', is: ['path'] }],
  ['A25', { tool: read, at: '/output/properties/content', is: { type: 'string', description: 'File content' } }],
  [
    'A42',
    {
      tool: write,
      at: '/input/properties/file',
      is: { type: 'string', enum: [log, 'decisions.jsonl'], description: 'Which memory file to append to' },
    },
  ],
  ['A43', { tool: write, at: '/input/properties/entry', is: { type: 'object', description: 'JSON object to append' } }],
  [
    'A44',
    { tool: write, at: '/input/properties/entry/properties/timestamp', is: { type: 'string', format: 'date-time' } },
  ],
  ['A45', { tool: write, at: '/input/properties/entry/properties/type/type', is: 'string' }],
  ['A46', { tool: write, at: '/input/properties/entry/required', is: ['timestamp', 'type'] }],
  ['A47', { tool: write, at: '/input/required', is: ['file', 'entry'] }],
  ['A49', { tool: write, at: '/output/properties/success/type', is: 'boolean' }],
])

statement('A7', async () => {
  const { call } = await open()
  expect(await call('hello', { name: 'Ada' })).toMatchObject({ success: true, output: { greeting: 'Hello, Ada!' } })
})

statement('A8', async () => {
  const answer = await callOverMcp('learning', 'hello', { name: 'Ada' })
  expect(answer).toMatchObject({ structuredContent: { greeting: 'Hello, Ada!' } })
})

statement('A15', async () => {
  const { call, root, asked } = await open()
  await call('hello', { name: 'Ada' })
  expect(asked).toEqual([])
  expect(readdirSync(root)).toEqual([])
})

statement('A16', async () => {
  const { call } = await open()
  for (const name of ['', 'Ada\nLovelace', '{{name}}', '🙂'.repeat(100)])
    expect(await call('hello', { name }), name).toMatchObject({ success: true })
})

statement('A18', async () => {
  const { call } = await open({ 'docs/a.md': '# A\n' })
  expect(await call('read_repo_file', { path: 'docs/a.md' })).toMatchObject({ success: true })
})

statement('A21', async () => {
  const { read } = await open({ 'docs/aZ09_.-': 'x' })
  expect(await read('docs/aZ09_.-')).toMatchObject({ success: true })
  for (const character of [' ', '\\', '\0', '\n', '~', '*', 'é'])
    expect(await read(`docs/${character}`), character).toMatchObject({
      error: { code: 'invalid_input', problems: [{ pointer: '/path', keyword: 'pattern' }] },
    })
})

statement('A26', async () => {
  const { read } = await open({ 'docs/a.md': 'é 👩‍🚀' })
  expect(await read('docs/a.md')).toMatchObject({ output: { size: Buffer.byteLength('é 👩‍🚀') } })
})

const allowed: [id: string, paths: { readonly can: readonly string[] }][] = [
  ['A27', { can: ['docs/a.md', 'docs/deep/er/a'] }],
  ['A28', { can: ['paths/a.md', 'paths/deep/er/a'] }],
  ['A29', { can: ['stacks/a.md', 'stacks/deep/er/a'] }],
  ['A30', { can: [`.claude/memory/${log}`, '.claude/memory/deep/a'] }],
  ['A32', { can: ['README.md', 'CLAUDE.md'] }],
]
for (const [id, { can }] of allowed) statement(id, () => expectReadable('learning', can))

const denied: [id: string, paths: { readonly cannot: readonly string[] }][] = [
  ['A33', { cannot: ['package.json', 'src/a.ts', '.claude/settings.json', 'x/README.md', 'docsx/a'] }],
  ['A34', { cannot: ['.env', '.env.local', 'docs/.env', 'docs/.envrc'] }],
  ['A35', { cannot: ['secrets/a', 'docs/secrets/a', 'docs/x/secrets/y/a'] }],
  ['A36', { cannot: ['.git/config', 'docs/.git/config', 'docs/x/.git/hooks/a'] }],
  ['A37', { cannot: ['docs/../docs/a.md', '../a', 'docs/a..b'] }],
]
for (const [id, { cannot }] of denied) statement(id, () => expectDenied('learning', cannot))

statement('A31', async () => {
  const path = `.claude/memory/${log}`
  const { read, memory } = await open({ [path]: '{}\n' })
  await read(path)
  expect(memory(log)).toBe('{}\n')
  const { risk, effects } = await readContract('learning.read_repo_file')
  expect({ risk, effects }).toEqual({ risk: 'read_only', effects: { reads: ['path'], returns: ['private'] } })
})

statement('A38', () => expectMegabyte('learning'))

statement('A39', async () => {
  const { read } = await open({ 'docs/a': Buffer.from([0x61, 0xff]) })
  expect(await read('docs/a')).toMatchObject({ error: { code: 'not_text' } })
})

statement('A40', async () => {
  const { write, memory } = await open()
  expect(await write(log, basics)).toMatchObject({ success: true, output: { success: true } })
  expect(memory(log)).toBe(`${JSON.stringify(basics)}\n`)
})

statement('A50', async () => {
  const { write } = await open({ [`.claude/memory/${log}`]: '{}\n{}\n' })
  expect(await write(log, basics)).toMatchObject({ output: { line_number: 3 } })
})

statement('A51', () => expectAppended('learning', basics, JSON.stringify(basics)))

statement('A52', async () => {
  const { write, root } = await open()
  for (const file of ['best_practices.md', 'other.jsonl', `../${log}`, `./${log}`])
    expect(await write(file, basics), file).toMatchObject({
      error: { code: 'invalid_input', problems: [{ keyword: 'enum' }] },
    })
  expect(readdirSync(root)).toEqual([])
})

statement('A53', async () => {
  const { write, asked } = await open()
  for (const entry of [{ type: 'note' }, { timestamp: basics.timestamp }, { ...basics, timestamp: 'today' }])
    expect(await write(log, entry)).toMatchObject({ error: { code: 'invalid_input', status: 400 } })
  expect(asked).toEqual([])
})

statement('A54', () => expectAsked('learning', basics))

statement('A55', async () => {
  const { write } = await open()
  const rest = JSON.stringify({ ...basics, text: '' }).length
  expect(await write(log, { ...basics, text: 'x'.repeat(10_240 - rest) })).toMatchObject({ success: true })
  expect(await write(log, { ...basics, text: 'x'.repeat(10_241 - rest) })).toMatchObject({
    error: { code: 'entry_too_large', status: 413 },
  })
})

/** A document that was written to the template. */
const written = `## Tool: count_words

### Description
Counts the words of a text.

### Input Schema
\`\`\`json
{ "type": "object", "properties": { "text": { "type": "string" } }, "required": ["text"] }
\`\`\`

### Output Schema
\`\`\`json
{ "type": "object", "properties": { "words": { "type": "integer" } } }
\`\`\`

### Constraints
- At most a page of text
- No side effects
`
const text = { type: 'string' }
const templates: [id: string, part: object][] = [
  ['A56', { name: 'count_words', description: 'Counts the words of a text.', input: { required: ['text'] } }],
  ['A61', { name: 'count_words' }],
  ['A62', { description: 'Counts the words of a text.' }],
  ['A63', { input: { type: 'object', properties: { text }, required: ['text'] } }],
  ['A64', { output: { type: 'object', properties: { words: { type: 'integer' } } } }],
  ['A65', { constraints: ['At most a page of text', 'No side effects'] }],
]
for (const [id, part] of templates)
  statement(id, async () => {
    const { contracts } = await fromMarkdown(written)
    expect(contracts).toHaveLength(1)
    expect(contracts[0]!.source).toMatchObject(part)
  })

statement('A66', async () => {
  const { contracts, report } = await fromMarkdown(written)
  expect(report.filter(({ severity }) => severity === 'error')).toEqual([])
  const folder = join(makeFolder(), 'own')
  mkdirSync(folder)
  writeFileSync(join(folder, 'count_words.contract.json'), JSON.stringify(contracts[0]!.source))
  writeFileSync(join(folder, 'count_words.js'), "export const run = ({ text }) => ({ words: text.split(' ').length })")
  const options = { storage: 'memory', contracts: [folder], workspace: folder, approver: yes } as const
  const toolpact = await openToolpact(options)
  onTestFinished(() => toolpact.close())
  expect(await toolpact.call('own.count_words', { text: 'one two' })).toMatchObject({ output: { words: 2 } })
  expect(await toolpact.call('own.count_words', {})).toMatchObject({ error: { code: 'invalid_input' } })
})

statement('A58', async () => {
  // Whatever its contract says, a tool reaches nothing outside the workspace.
  const { read } = await openRepository('practitioner')
  expect(await read('../outside')).toMatchObject({ error: { code: 'access_denied' } })
  // A tool that says that it is dangerous does not run unless a person agrees.
  const { call, runs } = openTestPipeline([defineEcho({ risk: 'dangerous' })])
  expect(await call('test.echo', { text: 'x' })).toMatchObject({ error: { code: 'approval_denied' } })
  expect(runs).toEqual([])
})

statement('A67', async () => {
  const { call, records, runs } = openTestPipeline([defineEcho()])
  const valid = await records(await call('test.echo', { text: 'x' }))
  expect(valid[0]).toMatchObject({ kind: 'intent', checks: { input: 'passed' } })
  const invalid = await records(await call('test.echo', { text: 5 }))
  expect(invalid).toMatchObject([{ kind: 'refusal', checks: { input: 'failed' } }])
  expect(runs).toHaveLength(1)
})

statement('A68', async () => {
  const { call, runs } = openTestPipeline([defineEcho()])
  for (const input of [{}, { text: 5 }, { text: 'x', times: 10 }, { text: 'x', more: 1 }, []])
    expect(await call('test.echo', input)).toMatchObject({
      success: false,
      error: { code: 'invalid_input', status: 400 },
    })
  expect(runs).toEqual([])
})

statement('A69', async () => {
  const { input } = await readContract('learning.hello')
  const validate = defineValidator(input)
  expect(await validate({ name: 'Ada' })).toMatchObject({ valid: true })
  expect(await validate({ name: 5 })).toMatchObject({ valid: false })
})

import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { fromMarkdown } from '../../src/authoring/markdown/from-markdown.ts'
import { toSummary } from '../../src/projections/summary.ts'
import { openRepository } from '../helpers/open-repository.ts'
import { openRest } from '../helpers/open-rest.ts'
import { makeFolder } from '../helpers/open-test-pipeline.ts'
import { practitionerBooster } from './practitioner-booster.ts'
import { expectAppended, expectAsked, expectDenied, expectMegabyte, expectReadable } from './repository-checks.ts'
import { callOverMcp, expectListed, openStatements, readContract } from './statements.ts'

const { statement, contracts } = openStatements(practitionerBooster)
const hello = 'practitioner.hello'
const read = 'practitioner.read_repo_file'
const write = 'practitioner.write_memory_entry'
const log = 'progress_log.jsonl'
const line = '{"timestamp": "2026-01-09T10:30:00Z", "event": "task_complete", "task": "EDA notebook"}'
const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/)
const tracker = '# Progress Tracker\n\n...'

/** Sends a request as the document writes it, and gives what comes back. All is approved. */
async function ask(tool: string, parameters: object) {
  const workspace = makeFolder()
  mkdirSync(join(workspace, 'paths/Advanced'), { recursive: true })
  writeFileSync(join(workspace, 'paths/Advanced/tracker.md'), tracker)
  const { post } = await openRest({ toolsets: ['practitioner'], workspace })
  return { ...(await post('/v1/call', { tool, parameters })), workspace }
}

const open = (files: { [path: string]: string } = {}) => openRepository('practitioner', { files })

contracts([
  ['B10', { tool: hello, at: '/description', is: 'Returns a greeting message. Use for testing MCP connectivity.' }],
  ['B11', { tool: hello, at: '/input/type', is: 'object' }],
  ['B12', { tool: hello, at: '/input/properties/name', is: { type: 'string', description: 'Name to greet' } }],
  ['B15', { tool: hello, at: '/output/type', is: 'object' }],
  ['B16', { tool: hello, at: '/output/properties/message', is: { type: 'string', description: 'Greeting message' } }],
  [
    'B17',
    {
      tool: hello,
      at: '/output/properties/timestamp',
      is: { type: 'string', format: 'date-time', description: 'Server timestamp' },
    },
  ],
  ['B24', { tool: read, at: '/description', is: 'Read a file from the repository. Limited to safe paths.' }],
  ['B25', { tool: read, at: '/input/type', is: 'object' }],
  [
    'B26',
    { tool: read, at: '/input/properties/path', is: { type: 'string', description: 'Relative path from repo root' } },
  ],
  ['B28', { tool: read, at: '/input/properties/encoding', is: { type: 'string', enum: ['utf-8', 'base64'] } }],
  ['B30', { tool: read, at: '/input/required', is: ['path'] }],
  ['B31', { tool: read, at: '/output/type', is: 'object' }],
  ['B32', { tool: read, at: '/output/properties/content', is: { type: 'string', description: 'File content' } }],
  [
    'B45',
    { tool: write, at: '/description', is: 'Append an entry to a memory file. Only supports append operations.' },
  ],
  ['B46', { tool: write, at: '/input/type', is: 'object' }],
  [
    'B47',
    {
      tool: write,
      at: '/input/properties/file',
      is: { type: 'string', enum: [log, 'decisions.jsonl', 'best_practices.md'] },
    },
  ],
  ['B48', { tool: write, at: '/input/properties/file/description', is: 'Target memory file' }],
  ['B49', { tool: write, at: '/input/properties/entry', is: { type: 'string', description: 'Content to append' } }],
  ['B50', { tool: write, at: '/input/required', is: ['file', 'entry'] }],
  ['B51', { tool: write, at: '/output/type', is: 'object' }],
  ['B52', { tool: write, at: '/output/properties/success/type', is: 'boolean' }],
])

const schema = { type: 'object', additionalProperties: false, properties: {} }
const forms: [id: string, part: { readonly is: object }][] = [
  ['B1', { is: { name: 'count_words' } }],
  ['B2', { is: { description: 'Counts the words of a text.' } }],
  ['B3', { is: { input: schema } }],
  ['B4', { is: { output: schema } }],
]
for (const [id, { is }] of forms)
  statement(id, async () => {
    const object = {
      name: 'count_words',
      description: 'Counts the words of a text.',
      parameters: schema,
      returns: schema,
    }
    const { contracts } = await fromMarkdown(`## count_words\n\n\`\`\`json\n${JSON.stringify(object)}\n\`\`\`\n`)
    expect(contracts).toMatchObject([{ source: is }])
  })

statement('B5', () => expectListed('practitioner', ['hello', 'read_repo_file', 'write_memory_entry']))

statement('B6', async () => {
  expect(await ask('hello', {})).toMatchObject({ status: 200 })
  expect(await ask('unknown', {})).toMatchObject({ status: 404, body: { code: 'tool_not_found' } })
})

statement('B7', async () => {
  expect(await ask('hello', { name: 'Ada' })).toMatchObject({ body: { message: 'Hello, Ada!' } })
  expect(await ask('hello', [])).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
})

statement('B8', async () => {
  const { body } = await ask('hello', {})
  expect(Object.keys(body).toSorted()).toEqual(['message', 'timestamp'])
})

statement('B9', async () => {
  const answer = await callOverMcp('practitioner', 'hello', { name: 'Ada' })
  expect(answer).toMatchObject({ structuredContent: { message: 'Hello, Ada!' } })
})

statement('B13', async () => {
  const { call } = await open()
  expect(await call('hello', {})).toMatchObject({ output: { message: 'Hello, World!' } })
})

statement('B14', async () => {
  const { input } = await readContract(hello)
  expect((input as { readonly required?: readonly string[] }).required ?? []).toEqual([])
})

statement('B18', async () => {
  expect(await ask('hello', { name: 'Learner' })).toMatchObject({ status: 200 })
})

statement('B19', async () => {
  const { body } = await ask('hello', { name: 'Learner' })
  expect(body).toEqual({ message: 'Hello, Learner!', timestamp: isoTime })
})

statement('B20', async () => {
  const { call } = await open()
  for (let count = 1; count <= 100; count++) expect(await call('hello', {})).toMatchObject({ success: true })
  expect(await call('hello', {})).toMatchObject({ error: { code: 'rate_limited', status: 429 } })
})

statement('B21', async () => {
  const { call, root, asked } = await open()
  await call('hello', {})
  expect(asked).toEqual([])
  expect(readdirSync(root)).toEqual([])
})

statement('B22', async () => {
  const { constraints } = await readContract(hello)
  expect(constraints).toContain('No authentication required')
  // Over stdio, on the command line and in a program there is none.
  expect(await callOverMcp('practitioner', 'hello', {})).toMatchObject({
    structuredContent: { message: 'Hello, World!' },
  })
})

statement('B23', () => expectReadable('practitioner', ['README.md', 'src/deep/er/a.ts']))

statement('B27', async () => {
  const { read } = await open({ 'aZ09_/.-': 'x' })
  expect(await read('aZ09_/.-')).toMatchObject({ success: true })
  for (const character of [' ', '\\', '\0', '\n', '~', '*', 'é', ''])
    expect(await read(character), character).toMatchObject({
      error: { code: 'invalid_input', problems: [{ pointer: '/path', keyword: 'pattern' }] },
    })
})

statement('B29', async () => {
  const { read } = await open({ a: 'é' })
  expect(await read('a')).toMatchObject({ output: { content: 'é' } })
  expect(await read('a', { encoding: 'base64' })).toMatchObject({ output: { content: 'w6k=' } })
})

statement('B33', async () => {
  const { read } = await open({ a: 'é' })
  for (const encoding of ['utf-8', 'base64'])
    expect(await read('a', { encoding })).toMatchObject({ output: { size: 2 } })
})

statement('B34', async () => {
  const { read, root } = await open({ a: 'x' })
  utimesSync(join(root, 'a'), 0, new Date('2026-01-09T10:00:00Z'))
  expect(await read('a')).toMatchObject({ output: { modified: '2026-01-09T10:00:00.000Z' } })
})

statement('B35', async () => {
  expect(await ask('read_repo_file', { path: 'paths/Advanced/tracker.md' })).toMatchObject({ status: 200 })
})

statement('B36', async () => {
  const { body } = await ask('read_repo_file', { path: 'paths/Advanced/tracker.md' })
  expect(body).toEqual({ content: tracker, size: tracker.length, modified: isoTime })
})

const blocked: [id: string, paths: { readonly cannot: readonly string[] }][] = [
  ['B37', { cannot: ['../a', '..', 'src/../../a', '/etc/passwd'] }],
  ['B38', { cannot: ['.env', '.env.local', 'a/.envrc'] }],
  ['B39', { cannot: ['secrets/a', 'a/secrets/b/c'] }],
  ['B40', { cannot: ['server.key', 'a/b/server.key'] }],
  ['B41', { cannot: ['server.pem', 'a/b/server.pem'] }],
]
for (const [id, { cannot }] of blocked) statement(id, () => expectDenied('practitioner', cannot))

statement('B42', () => expectMegabyte('practitioner'))

statement('B43', async () => {
  const { risk, effects } = await readContract(read)
  expect({ risk, effects }).toEqual({ risk: 'read_only', effects: { reads: ['path'], returns: ['private'] } })
})

statement('B44', async () => {
  const { write, memory } = await open()
  for (const [file, entry] of [
    [log, line],
    ['decisions.jsonl', '{}'],
    ['best_practices.md', '- Look first.'],
  ] as const) {
    expect(await write(file, entry)).toMatchObject({ success: true })
    expect(memory(file)).toBe(`${entry}\n`)
  }
})

statement('B53', async () => {
  const { write } = await open()
  expect(await write(log, '"é"')).toMatchObject({ output: { bytes_written: 5 } })
})

statement('B54', async () => {
  const { write } = await open()
  expect(await write(log, '{}')).toMatchObject({ output: { timestamp: isoTime } })
})

statement('B55', async () => {
  const { status, workspace } = await ask('write_memory_entry', { file: log, entry: line })
  expect(status).toBe(200)
  expect(readFileSync(join(workspace, '.claude/memory', log), 'utf8')).toBe(`${line}\n`)
})

statement('B56', async () => {
  const { body } = await ask('write_memory_entry', { file: log, entry: line })
  expect(body).toEqual({ success: true, bytes_written: line.length + 1, timestamp: isoTime })
})

statement('B57', () => expectAppended('practitioner', line, line))

statement('B58', async () => {
  const { write, root } = await open()
  for (const file of ['README.md', 'other.jsonl', `../${log}`])
    expect(await write(file, '{}'), file).toMatchObject({ error: { code: 'invalid_input', status: 400 } })
  expect(readdirSync(root)).toEqual([])
})

statement('B59', async () => {
  const { write } = await open()
  expect(await write(log, `"${'x'.repeat(10_238)}"`)).toMatchObject({ success: true })
  expect(await write(log, `"${'x'.repeat(10_239)}"`)).toMatchObject({ error: { code: 'entry_too_large', status: 413 } })
})

statement('B60', async () => {
  const { write, root } = await open()
  for (const entry of ['not json', '{"a":', '{} {}', ''])
    expect(await write(log, entry), entry).toMatchObject({ error: { code: 'invalid_entry', status: 400 } })
  expect(readdirSync(root)).toEqual([])
})

statement('B61', async () => {
  const { write, asked } = await open()
  expect(await write(log, 'not json')).toMatchObject({ error: { code: 'invalid_entry' } })
  expect(await write('best_practices.md', '  ')).toMatchObject({ error: { code: 'invalid_entry' } })
  expect(asked).toEqual([])
})

statement('B62', () => expectAsked('practitioner', line))

const cells: [id: string, cell: { readonly tool: string; readonly is: object }][] = [
  ['B63', { tool: hello, is: { access: 'Public' } }],
  ['B64', { tool: hello, is: { sideEffects: 'None' } }],
  ['B65', { tool: hello, is: { approvalRequired: false } }],
  ['B66', { tool: read, is: { access: 'Filtered' } }],
  ['B67', { tool: read, is: { sideEffects: 'None' } }],
  ['B68', { tool: read, is: { approvalRequired: false } }],
  ['B69', { tool: write, is: { access: 'Memory only' } }],
  ['B70', { tool: write, is: { sideEffects: 'Append' } }],
  ['B71', { tool: write, is: { approvalRequired: true } }],
]
for (const [id, { tool, is }] of cells)
  statement(id, async () => {
    expect(toSummary(await readContract(tool))).toMatchObject(is)
  })

const statuses: [id: string, call: { readonly tool: string; readonly input: object; readonly is: [number, string] }][] =
  [
    ['B72', { tool: read, input: { path: 'a b' }, is: [400, 'invalid_input'] }],
    ['B73', { tool: read, input: { path: '.env' }, is: [403, 'access_denied'] }],
    ['B74', { tool: read, input: { path: 'missing.md' }, is: [404, 'file_not_found'] }],
    ['B75', { tool: write, input: { file: log, entry: `"${'x'.repeat(10_239)}"` }, is: [413, 'entry_too_large'] }],
    ['B77', { tool: write, input: { file: log, entry: '{}' }, is: [500, 'write_failed'] }],
  ]
for (const [id, { tool, input, is }] of statuses)
  statement(id, async () => {
    const workspace = makeFolder()
    // A folder in the place of the memory file.
    mkdirSync(join(workspace, '.claude/memory', log), { recursive: true })
    const { post } = await openRest({ toolsets: ['practitioner'], workspace })
    const { status, body } = await post(tool, input)
    expect([status, body.code]).toEqual(is)
  })

statement('B76', async () => {
  const { post, toolpact } = await openRest({ toolsets: ['practitioner'] })
  const caller = { name: 'tester' }
  for (let count = 1; count <= 100; count++) await toolpact.call(hello, {}, { caller })
  const { status, body } = await post(hello, {})
  expect([status, body.code]).toEqual([429, 'rate_limited'])
})

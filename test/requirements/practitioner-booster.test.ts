import { mkdirSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { toSummary } from '../../src/projections/summary.ts'
import { openRepository } from '../open-repository.ts'
import { openRest } from '../open-rest.ts'
import { makeFolder } from '../open-test-pipeline.ts'
import { practitionerBooster } from './practitioner-booster.ts'
import { expectAppended, expectAsked, expectDenied, expectMegabyte, expectReadable } from './repository-checks.ts'
import { callOverMcp, openStatements, readContract } from './statements.ts'

const { statement, contracts } = openStatements(practitionerBooster)
const hello = 'practitioner.hello'
const read = 'practitioner.read_repo_file'
const write = 'practitioner.write_memory_entry'
const log = 'progress_log.jsonl'
const line = '{"timestamp": "2026-01-09T10:30:00Z", "event": "task_complete", "task": "EDA notebook"}'
const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/)
const open = (files: { [path: string]: string } = {}) => openRepository('practitioner', { files })

contracts([
  ['B2', { tool: hello, at: '/description', is: 'Returns a greeting message. Use for testing MCP connectivity.' }],
  ['B3', { tool: hello, at: '/input/type', is: 'object' }],
  ['B4', { tool: hello, at: '/input/properties/name', is: { type: 'string', description: 'Name to greet' } }],
  ['B7', { tool: hello, at: '/output/type', is: 'object' }],
  ['B8', { tool: hello, at: '/output/properties/message', is: { type: 'string', description: 'Greeting message' } }],
  [
    'B9',
    {
      tool: hello,
      at: '/output/properties/timestamp',
      is: { type: 'string', format: 'date-time', description: 'Server timestamp' },
    },
  ],
  ['B15', { tool: read, at: '/description', is: 'Read a file from the repository. Limited to safe paths.' }],
  ['B16', { tool: read, at: '/input/type', is: 'object' }],
  [
    'B17',
    { tool: read, at: '/input/properties/path', is: { type: 'string', description: 'Relative path from repo root' } },
  ],
  ['B19', { tool: read, at: '/input/properties/encoding', is: { type: 'string', enum: ['utf-8', 'base64'] } }],
  ['B21', { tool: read, at: '/input/required', is: ['path'] }],
  ['B22', { tool: read, at: '/output/type', is: 'object' }],
  ['B23', { tool: read, at: '/output/properties/content', is: { type: 'string', description: 'File content' } }],
  [
    'B36',
    { tool: write, at: '/description', is: 'Append an entry to a memory file. Only supports append operations.' },
  ],
  ['B37', { tool: write, at: '/input/type', is: 'object' }],
  [
    'B38',
    {
      tool: write,
      at: '/input/properties/file',
      is: { type: 'string', enum: [log, 'decisions.jsonl', 'best_practices.md'] },
    },
  ],
  ['B39', { tool: write, at: '/input/properties/file/description', is: 'Target memory file' }],
  ['B40', { tool: write, at: '/input/properties/entry', is: { type: 'string', description: 'Content to append' } }],
  ['B41', { tool: write, at: '/input/required', is: ['file', 'entry'] }],
  ['B42', { tool: write, at: '/output/type', is: 'object' }],
  ['B43', { tool: write, at: '/output/properties/success/type', is: 'boolean' }],
])

statement('B1', async () => {
  const answer = await callOverMcp('practitioner', 'hello', { name: 'Ada' })
  expect(answer).toMatchObject({ structuredContent: { message: 'Hello, Ada!' } })
})

statement('B5', async () => {
  const { call } = await open()
  expect(await call('hello', {})).toMatchObject({ output: { message: 'Hello, World!' } })
})

statement('B6', async () => {
  const { input } = await readContract(hello)
  expect((input as { readonly required?: readonly string[] }).required ?? []).toEqual([])
})

statement('B10', async () => {
  const { call } = await open()
  expect(await call('hello', { name: 'Learner' })).toMatchObject({ success: true })
})

statement('B11', async () => {
  const { call } = await open()
  const result = await call('hello', { name: 'Learner' })
  expect(result.success && result.output).toEqual({ message: 'Hello, Learner!', timestamp: isoTime })
})

statement('B12', async () => {
  const { call } = await open()
  for (let count = 1; count <= 100; count++) expect(await call('hello', {})).toMatchObject({ success: true })
  expect(await call('hello', {})).toMatchObject({ error: { code: 'rate_limited', status: 429 } })
})

statement('B13', async () => {
  const { call, root, asked } = await open()
  await call('hello', {})
  expect(asked).toEqual([])
  expect(readdirSync(root)).toEqual([])
})

statement('B14', () => expectReadable('practitioner', ['README.md', 'src/deep/er/a.ts']))

statement('B18', async () => {
  const { read } = await open({ 'aZ09_/.-': 'x' })
  expect(await read('aZ09_/.-')).toMatchObject({ success: true })
  for (const character of [' ', '\\', '\0', '\n', '~', '*', 'é', ''])
    expect(await read(character), character).toMatchObject({
      error: { code: 'invalid_input', problems: [{ pointer: '/path', keyword: 'pattern' }] },
    })
})

statement('B20', async () => {
  const { read } = await open({ a: 'é' })
  expect(await read('a')).toMatchObject({ output: { content: 'é' } })
  expect(await read('a', { encoding: 'base64' })).toMatchObject({ output: { content: 'w6k=' } })
})

statement('B24', async () => {
  const { read } = await open({ a: 'é' })
  for (const encoding of ['utf-8', 'base64'])
    expect(await read('a', { encoding })).toMatchObject({ output: { size: 2 } })
})

statement('B25', async () => {
  const { read, root } = await open({ a: 'x' })
  utimesSync(join(root, 'a'), 0, new Date('2026-01-09T10:00:00Z'))
  expect(await read('a')).toMatchObject({ output: { modified: '2026-01-09T10:00:00.000Z' } })
})

statement('B26', () => expectReadable('practitioner', ['paths/Advanced/tracker.md']))

statement('B27', async () => {
  const { read } = await open({ 'paths/Advanced/tracker.md': '# Progress Tracker\n\n...' })
  const result = await read('paths/Advanced/tracker.md')
  expect(result.success && result.output).toEqual({ content: '# Progress Tracker\n\n...', size: 23, modified: isoTime })
})

const blocked: [id: string, paths: { readonly cannot: readonly string[] }][] = [
  ['B28', { cannot: ['../a', '..', 'src/../../a', '/etc/passwd'] }],
  ['B29', { cannot: ['.env', '.env.local', 'a/.envrc'] }],
  ['B30', { cannot: ['secrets/a', 'a/secrets/b/c'] }],
  ['B31', { cannot: ['server.key', 'a/b/server.key'] }],
  ['B32', { cannot: ['server.pem', 'a/b/server.pem'] }],
]
for (const [id, { cannot }] of blocked) statement(id, () => expectDenied('practitioner', cannot))

statement('B33', () => expectMegabyte('practitioner'))

statement('B34', async () => {
  const { risk, effects } = await readContract(read)
  expect({ risk, effects }).toEqual({ risk: 'read_only', effects: { reads: ['path'] } })
})

statement('B35', async () => {
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

statement('B44', async () => {
  const { write } = await open()
  expect(await write(log, '"é"')).toMatchObject({ output: { bytes_written: 5 } })
})

statement('B45', async () => {
  const { write } = await open()
  expect(await write(log, '{}')).toMatchObject({ output: { timestamp: isoTime } })
})

statement('B46', async () => {
  const { write, memory } = await open()
  await write(log, line)
  expect(memory(log)).toBe(`${line}\n`)
})

statement('B47', async () => {
  const { write } = await open()
  const result = await write(log, line)
  expect(result.success && result.output).toEqual({ success: true, bytes_written: line.length + 1, timestamp: isoTime })
})

statement('B48', () => expectAppended('practitioner', line, line))

statement('B49', async () => {
  const { write, root } = await open()
  for (const file of ['README.md', 'other.jsonl', `../${log}`])
    expect(await write(file, '{}'), file).toMatchObject({ error: { code: 'invalid_input', status: 400 } })
  expect(readdirSync(root)).toEqual([])
})

statement('B50', async () => {
  const { write } = await open()
  expect(await write(log, `"${'x'.repeat(10_238)}"`)).toMatchObject({ success: true })
  expect(await write(log, `"${'x'.repeat(10_239)}"`)).toMatchObject({ error: { code: 'entry_too_large', status: 413 } })
})

statement('B51', async () => {
  const { write, root } = await open()
  for (const entry of ['not json', '{"a":', '{} {}', ''])
    expect(await write(log, entry), entry).toMatchObject({ error: { code: 'invalid_entry', status: 400 } })
  expect(readdirSync(root)).toEqual([])
})

statement('B52', () => expectAsked('practitioner', line))

const cells: [id: string, cell: { readonly tool: string; readonly is: object }][] = [
  ['B53', { tool: hello, is: { access: 'Public' } }],
  ['B54', { tool: hello, is: { sideEffects: 'None' } }],
  ['B55', { tool: hello, is: { approvalRequired: false } }],
  ['B56', { tool: read, is: { access: 'Filtered' } }],
  ['B57', { tool: read, is: { sideEffects: 'None' } }],
  ['B58', { tool: read, is: { approvalRequired: false } }],
  ['B59', { tool: write, is: { access: 'Memory only' } }],
  ['B60', { tool: write, is: { sideEffects: 'Append' } }],
  ['B61', { tool: write, is: { approvalRequired: true } }],
]
for (const [id, { tool, is }] of cells)
  statement(id, async () => {
    expect(toSummary(await readContract(tool))).toMatchObject(is)
  })

const statuses: [id: string, call: { readonly tool: string; readonly input: object; readonly is: [number, string] }][] =
  [
    ['B62', { tool: read, input: { path: 'a b' }, is: [400, 'invalid_input'] }],
    ['B63', { tool: read, input: { path: '.env' }, is: [403, 'access_denied'] }],
    ['B64', { tool: read, input: { path: 'missing.md' }, is: [404, 'file_not_found'] }],
    ['B65', { tool: write, input: { file: log, entry: `"${'x'.repeat(10_239)}"` }, is: [413, 'entry_too_large'] }],
    ['B67', { tool: write, input: { file: log, entry: '{}' }, is: [500, 'write_failed'] }],
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

statement('B66', async () => {
  const { post, toolpact } = await openRest({ toolsets: ['practitioner'] })
  const caller = { name: 'tester' }
  for (let count = 1; count <= 100; count++) await toolpact.call(hello, {}, { caller })
  const { status, body } = await post(hello, {})
  expect([status, body.code]).toEqual([429, 'rate_limited'])
})

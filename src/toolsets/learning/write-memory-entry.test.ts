import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openRepository, type RepositoryOptions } from '../../../test/helpers/open-repository.ts'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'

const open = (options: RepositoryOptions = {}) => openRepository('learning', options)
const basics = { timestamp: '2026-01-09T10:30:00Z', type: 'note' }
const log = 'progress_log.jsonl'

test('creates the file, appends one line per entry and returns its number', async () => {
  const { write, memory, violations } = await open()
  expect(await write(log, { ...basics, task: 'EDA' })).toMatchObject({
    success: true,
    output: { success: true, line_number: 1 },
  })
  expect(await write(log, { type: 'b', timestamp: '2026-01-09T10:30:00+01:00' })).toMatchObject({
    output: { line_number: 2 },
  })
  expect(await write('decisions.jsonl', basics)).toMatchObject({ output: { line_number: 1 } })
  expect(memory(log)).toBe(
    '{"timestamp":"2026-01-09T10:30:00Z","type":"note","task":"EDA"}\n{"type":"b","timestamp":"2026-01-09T10:30:00+01:00"}\n',
  )
  expect(violations).toEqual([])
})

test.each([
  ['line breaks', 'a\nb\r\nc'],
  ['line ends of Unicode', 'a\u2028b\u2029c\u0085d'],
  ['control characters', 'a\u000bb\u000cc\u001ed\0'],
  ['quotes, backslashes and emoji', '"\\ \\n 👩‍🚀 李小龙'],
])('%s stay on one line and come back as they were', async (_what, text) => {
  const { write, memory } = await open()
  const entry = { ...basics, text, [text]: [text, { deep: text }] }
  await write(log, entry)
  await write(log, basics)
  const lines = memory(log).split(/[\n\r\v\f\u001c-\u001e\u0085\u2028\u2029]/)
  expect(lines).toHaveLength(3)
  expect(JSON.parse(lines[0]!)).toEqual(entry)
})

test('a line truncated by a crash is kept and terminated, with a warning', async () => {
  const { write, memory } = await open({ files: { '.claude/memory/progress_log.jsonl': '{"a":1}\n{"b":' } })
  expect(await write(log, basics)).toMatchObject({
    success: true,
    output: { line_number: 3 },
    notes: { closed_line: 2 },
  })
  expect(memory(log)).toBe(`{"a":1}\n{"b":\n${JSON.stringify(basics)}\n`)
  expect(await write(log, basics)).not.toHaveProperty('notes')
})

test('a person is asked, and sees the line and where it goes', async () => {
  const { write, asked } = await open()
  await write(log, basics)
  await write(log, { ...basics, where: 'x' })
  const path = '.claude/memory/progress_log.jsonl'
  const change = (kind: string, text: string) => ({
    changes: [{ path, kind, added: 1, removed: 0, lines: [{ kind: 'added', text }] }],
  })
  expect(asked).toMatchObject([
    { foreseen: change('new', JSON.stringify(basics)) },
    { foreseen: change('edit', JSON.stringify({ ...basics, where: 'x' })) },
  ])
})

test('without a yes nothing is written', async () => {
  const { root, write } = await open({ answer: 'no' })
  expect(await write(log, basics)).toMatchObject({ error: { code: 'approval_denied', status: 403 } })
  expect(readdirSync(root)).toEqual([])
})

test.each([
  ['a token', { text: `see ghp_${'a1B2'.repeat(9)}` }, 'github token'],
  ['a password under its name', { login: { password: 'correct horse battery' } }, 'named secret'],
  ['a key in a list', { list: ['AKIAIOSFODNN7EXAMPLE'] }, 'aws access key'],
  ['a key after a line break', { text: `first\nsk-ant-${'a1B2'.repeat(9)}` }, 'anthropic key'],
  ['a private key', { text: '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\n-----END PRIVATE KEY-----' }, 'private key'],
])('%s is refused without a question, with what was found, not its value', async (_what, more, kind) => {
  const { root, write, asked } = await open()
  const result = await write(log, { ...basics, ...more })
  expect(result).toMatchObject({
    error: {
      code: 'secret_in_entry',
      status: 400,
      message: expect.stringContaining(kind),
      suggestion: expect.stringContaining('Remove the secret'),
    },
  })
  expect(JSON.stringify(result)).not.toMatch(/a1B2|horse|AKIA|MIIE/)
  expect(asked).toEqual([])
  expect(existsSync(join(root, '.claude'))).toBe(false)
})

test('10KB are written, and not a byte more', async () => {
  const { write, memory } = await open()
  const rest = Buffer.byteLength(JSON.stringify({ ...basics, text: '' }))
  expect(await write(log, { ...basics, text: 'x'.repeat(10_240 - rest) })).toMatchObject({ success: true })
  expect(Buffer.byteLength(memory(log))).toBe(10_241)
  for (const text of ['x'.repeat(10_241 - rest), `é${'x'.repeat(10_239 - rest)}`, '\u2028'.repeat(1700)])
    expect(await write(log, { ...basics, text })).toMatchObject({
      error: { code: 'entry_too_large', status: 413, message: expect.stringMatching(/has 10\d\d\d bytes/) },
    })
  expect(Buffer.byteLength(memory(log))).toBe(10_241)
})

test('fifty calls at once each get a line of their own', async () => {
  const { write, memory } = await open()
  const results = await Promise.all(Array.from({ length: 50 }, (_, n) => write(log, { ...basics, n })))
  const lines = memory(log)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines).toHaveLength(50)
  for (const [n, result] of results.entries())
    expect(result.success && lines[(result.output.line_number as number) - 1].n).toBe(n)
})

test('nothing is written outside the repository, or to anything but a regular file', async () => {
  const { root, write } = await open()
  const outside = makeFolder()
  mkdirSync(join(root, '.claude'))
  symlinkSync(outside, join(root, '.claude/memory'))
  expect(await write(log, basics)).toMatchObject({ error: { code: 'access_denied', status: 403 } })
  expect(readdirSync(outside)).toEqual([])

  const { root: second, write: writeSecond } = await open()
  writeFileSync(join(second, '.claude'), 'a file')
  expect(await writeSecond(log, basics)).toMatchObject({
    error: { code: 'write_failed', status: 500, message: expect.stringContaining(".claude' is not a directory") },
  })

  const { root: third, write: writeThird } = await open({ files: { '.claude/memory/x': '' } })
  mkdirSync(join(third, '.claude/memory', log))
  expect(await writeThird(log, basics)).toMatchObject({ error: { code: 'write_failed' } })
})

const refused: [what: string, input: object, keyword: string][] = [
  ['another file', { file: 'best_practices.md', entry: basics }, 'enum'],
  ['a path', { file: '../progress_log.jsonl', entry: basics }, 'enum'],
  ['a time without a zone', { file: log, entry: { ...basics, timestamp: '2026-01-09T10:30:00' } }, 'format'],
  ['a day that is none', { file: log, entry: { ...basics, timestamp: '2026-02-30T10:30:00Z' } }, 'format'],
  ['no type', { file: log, entry: { timestamp: basics.timestamp } }, 'required'],
  ['no timestamp', { file: log, entry: { type: 'x' } }, 'required'],
  ['a type that is a number', { file: log, entry: { ...basics, type: 1 } }, 'type'],
  ['text for an entry, as the other toolset takes it', { file: log, entry: JSON.stringify(basics) }, 'type'],
  ['another key', { file: log, entry: basics, mode: 'overwrite' }, 'additionalProperties'],
]

test('input that breaks the contract is refused before a person is asked', async () => {
  const { root, call, asked } = await open()
  for (const [what, input, keyword] of refused)
    expect(await call('write_memory_entry', input), what).toMatchObject({
      error: { code: 'invalid_input', status: 400, problems: [{ keyword }] },
    })
  expect(asked).toEqual([])
  expect(readdirSync(root)).toEqual([])
})

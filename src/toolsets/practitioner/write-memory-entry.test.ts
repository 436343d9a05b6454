import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openRepository, type RepositoryOptions } from '../../../test/helpers/open-repository.ts'

const open = (options: RepositoryOptions = {}) => openRepository('practitioner', options)
const log = 'progress_log.jsonl'

test('appends the text of a JSON value unchanged, and returns size and time', async () => {
  const { write, memory, violations } = await open()
  const entry = '{"timestamp": "2026-01-09T10:30:00Z", "event": "task_complete", "n": 1.0}'
  const before = Date.now()
  const result = await write(log, entry)
  expect(result.success && result.output).toEqual({
    success: true,
    bytes_written: entry.length + 1,
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  })
  const time = Date.parse(result.success ? String(result.output.timestamp) : '')
  expect(time).toBeGreaterThanOrEqual(before)
  expect(time).toBeLessThanOrEqual(Date.now())
  expect(memory(log)).toBe(`${entry}\n`)
  expect(violations).toEqual([])
})

test('any JSON value will do', async () => {
  const { write, memory } = await open()
  const entries = ['1', '"text"', 'null', '[1,2]', '{}', '12345678901234567890', '{"a":{"b":[]}}']
  for (const entry of entries) expect(await write('decisions.jsonl', entry), entry).toMatchObject({ success: true })
  expect(memory('decisions.jsonl')).toBe(`${entries.join('\n')}\n`)
})

test.each([
  ['a value over several lines', '\n{\r\n  "a": [\n    1,\n    2\n  ]\n}\n', '{ "a": [ 1, 2 ] }'],
  ['line ends of Unicode', '"a\u2028b\u2029c\u0085d"', '"a\\u2028b\\u2029c\\u0085d"'],
  ['escapes', '"a\\nb\\u000a"', '"a\\nb\\u000a"'],
])('%s goes on one line and stays the same value', async (_what, entry, line) => {
  const { write, memory } = await open()
  expect(await write(log, entry)).toMatchObject({ output: { bytes_written: Buffer.byteLength(line) + 1 } })
  expect(memory(log)).toBe(`${line}\n`)
  expect(JSON.parse(line)).toEqual(JSON.parse(entry))
})

test('an entry that is not a JSON value is refused without asking a person', async () => {
  const { root, write, asked } = await open()
  const entries = {
    words: 'We use SQLite.',
    nothing: '',
    'white space': ' \n ',
    'two values': '{}{}',
    'two lines of values': '{"a":1}\n{"b":2}',
    'a value that is cut off': '{"a":',
    'a comma too many': '{"a":1,}',
    'a raw line break in a text': '"a\nb"',
    'a key that is there twice': '{"a":1,"a":2}',
    'a byte order mark': '\ufeff{}',
  }
  for (const [what, entry] of Object.entries(entries)) {
    expect(await write(log, entry), what).toMatchObject({
      error: { code: 'invalid_entry', status: 400, message: expect.stringContaining('The entry is not a JSON value.') },
    })
  }
  expect(asked).toEqual([])
  expect(readdirSync(root)).toEqual([])
})

test('Markdown keeps its lines, with a blank line between entries', async () => {
  const { write, memory } = await open()
  const file = 'best_practices.md'
  expect(await write(file, '# Best practices\r\n\r\nLook first.  \n\n')).toMatchObject({
    output: { bytes_written: 30 },
  })
  expect(await write(file, '\n    code\n')).toMatchObject({ output: { bytes_written: 10 } })
  expect(await write(file, '- one\n- two\u2028')).toMatchObject({ success: true })
  expect(memory(file)).toBe('# Best practices\n\nLook first.\n\n    code\n\n- one\n- two\n')
})

test.each([
  ['nothing', ''],
  ['white space', ' \n\t\r\n'],
  ['control characters', 'a\u001b[2Jb'],
])('%s is no Markdown entry', async (_what, entry) => {
  const { root, write } = await open()
  expect(await write('best_practices.md', entry)).toMatchObject({ error: { code: 'invalid_entry', status: 400 } })
  expect(readdirSync(root)).toEqual([])
})

test('Markdown without a final line end gets one, with a warning', async () => {
  const { write, memory } = await open({ files: { '.claude/memory/best_practices.md': 'by hand' } })
  expect(await write('best_practices.md', 'more')).toMatchObject({
    output: { bytes_written: 7 },
    notes: { closed_line: 1 },
  })
  expect(memory('best_practices.md')).toBe('by hand\n\nmore\n')
})

test.each([
  ['in JSON', log, `{"text":"ghp_${'a1B2'.repeat(9)}"}`, 'github token'],
  ['hidden by escapes', log, `{"text":"\\u0067\\u0068p_${'a1B2'.repeat(9)}"}`, 'github token'],
  ['under its name', log, '{"api_key": "a1B2a1B2a1B2"}', 'named secret'],
  ['in Markdown', 'best_practices.md', `Use\n\n    login ghp_${'a1B2'.repeat(9)}\n`, 'github token'],
])('a secret %s is refused with what was found, not its value', async (_what, file, entry, kind) => {
  const { root, write } = await open()
  const result = await write(file, entry)
  expect(result).toMatchObject({
    error: { code: 'secret_in_entry', status: 400, message: expect.stringContaining(kind) },
  })
  expect(JSON.stringify(result)).not.toContain('a1B2')
  expect(readdirSync(root)).toEqual([])
})

test.each([log, 'best_practices.md'])('10KB are written to %s, and not a byte more', async (file) => {
  const { write, memory } = await open()
  const entry = (size: number) => `"${'x'.repeat(size - 2)}"`
  expect(await write(file, entry(10_240))).toMatchObject({ success: true, output: { bytes_written: 10_241 } })
  for (const more of [entry(10_241), entry(60_000), `"é${'x'.repeat(10_237)}"`])
    expect(await write(file, more)).toMatchObject({ error: { code: 'entry_too_large', status: 413 } })
  expect(memory(file)).toHaveLength(10_241)
})

test('a person is asked, and sees the lines and where they go', async () => {
  const { write, asked } = await open()
  await write('best_practices.md', '# A\n\nb')
  expect(asked).toMatchObject([
    {
      foreseen: {
        changes: [
          {
            path: '.claude/memory/best_practices.md',
            kind: 'new',
            lines: ['# A', '', 'b'].map((text) => ({ kind: 'added', text })),
          },
        ],
      },
    },
  ])
})

const refused: [what: string, input: object, keyword: string][] = [
  ['another file', { file: 'notes.md', entry: 'x' }, 'enum'],
  ['an object for an entry, as the other toolset takes it', { file: log, entry: { a: 1 } }, 'type'],
  ['no entry', { file: log }, 'required'],
  ['another key', { file: log, entry: '1', position: 0 }, 'additionalProperties'],
]

test('input that breaks the contract is refused before a person is asked', async () => {
  const { call, asked } = await open()
  for (const [what, input, keyword] of refused)
    expect(await call('write_memory_entry', input), what).toMatchObject({
      error: { code: 'invalid_input', status: 400, problems: [{ keyword }] },
    })
  expect(asked).toEqual([])
})

import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { openWorkspace } from '../../../test/helpers/open-workspace.ts'

function openWith(content: string | Buffer, name = 'hello.py') {
  const workspace = openWorkspace({ root: makeFolder() })
  writeFileSync(join(workspace.root, name), content)
  return workspace
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('')

test('reads a whole file', async () => {
  const { call } = openWith(numbered(3))
  expect(await call('read_file', { path: 'hello.py' })).toMatchObject({
    success: true,
    output: {
      success: true,
      output: 'Contents of hello.py (lines 1-3):\nline 1\nline 2\nline 3\n',
      files_affected: [],
      execution_time_ms: expect.any(Number),
      metadata: {
        total_lines: 3,
        lines_returned: 3,
        file_size_bytes: 21,
        start_line: 1,
        end_line: 3,
        truncated: false,
        line_endings: 'lf',
      },
    },
  })
})

test.each([
  ['a range', { start_line: 2, end_line: 3 }, 'lines 2-3', 'line 2\nline 3\n'],
  ['one line', { start_line: 4, end_line: 4 }, 'lines 4-4', 'line 4\n'],
  ['from a line on', { start_line: 4 }, 'lines 4-5', 'line 4\nline 5\n'],
  ['up to a line', { end_line: 2 }, 'lines 1-2', 'line 1\nline 2\n'],
  ['a range that ends past the end', { start_line: 5, end_line: 400 }, 'lines 5-5', 'line 5\n'],
])('reads %s', async (_what, range, shown, content) => {
  const { call } = openWith(numbered(5))
  const result = await call('read_file', { path: 'hello.py', ...range })
  expect(result).toMatchObject({
    success: true,
    output: {
      output: `Contents of hello.py (${shown}):\n${content}`,
      metadata: { total_lines: 5, lines_returned: content.split('\n').length - 1, truncated: false },
    },
  })
})

test.each([
  ['past the end', { start_line: 30, end_line: 40 }, '20 lines', '30-40'],
  ['just past the end', { start_line: 21 }, '20 lines', '21-end'],
  ['backwards', { start_line: 10, end_line: 5 }, '20 lines', '10-5'],
])('a range %s is an error that says what the file has', async (_what, range, has, requested) => {
  const { call } = openWith(numbered(20))
  expect(await call('read_file', { path: 'hello.py', ...range })).toMatchObject({
    success: false,
    error: {
      code: 'invalid_line_range',
      status: 400,
      message: `Line range invalid - file has ${has}, requested ${requested}`,
      suggestion: 'Request lines from 1 to 20, with start_line not above end_line.',
    },
  })
})

test('reads an empty file, from its first line only', async () => {
  const { call } = openWith('')
  const empty = {
    output: 'Contents of hello.py (empty):\n',
    metadata: { total_lines: 0, lines_returned: 0, file_size_bytes: 0, start_line: 1, end_line: 0, truncated: false },
  }
  for (const range of [{}, { start_line: 1 }, { end_line: 5 }])
    expect(await call('read_file', { path: 'hello.py', ...range })).toMatchObject({ success: true, output: empty })
  expect(await call('read_file', { path: 'hello.py', start_line: 2 })).toMatchObject({
    success: false,
    error: { code: 'invalid_line_range', message: 'Line range invalid - file has 0 lines, requested 2-end' },
  })
})

test.each([
  ['no final line end', 'a\nb', 2, 'lf'],
  ['CRLF', 'a\r\nb\r\n', 2, 'crlf'],
  ['mixed line ends', 'a\r\nb\nc\r\n', 3, 'mixed'],
  ['one line without an end', 'abc', 1, 'none'],
  ['blank lines', '\n\n\n', 3, 'lf'],
  ['other scripts and emoji', 'naïve\n日本語\n👩‍🚀\n', 3, 'lf'],
  ['escape sequences', '\u001b[2Ja\n', 1, 'lf'],
  ['what looks like a warning', 'Warning: no\n', 1, 'lf'],
])('returns %s exactly', async (_what, content, lines, endings) => {
  const { call } = openWith(content)
  expect(await call('read_file', { path: 'hello.py' })).toMatchObject({
    success: true,
    output: {
      output: `Contents of hello.py (lines 1-${lines}):\n${content}`,
      metadata: { total_lines: lines, line_endings: endings, file_size_bytes: Buffer.byteLength(content) },
    },
  })
})

test('a byte order mark is reported and not returned', async () => {
  const { call } = openWith('\ufeffa\n')
  expect(await call('read_file', { path: 'hello.py' })).toMatchObject({
    success: true,
    output: { output: 'Contents of hello.py (lines 1-1):\na\n', metadata: { bom: true, file_size_bytes: 5 } },
  })
})

test('bytes that are not UTF-8 become replacement characters, with a warning', async () => {
  const { call } = openWith(Buffer.from([0x61, 0xff, 0x0a]))
  const warning = 'File is not valid UTF-8, wrong bytes are shown as \ufffd'
  expect(await call('read_file', { path: 'hello.py' })).toMatchObject({
    success: true,
    output: {
      output: `Warning: ${warning}\nContents of hello.py (lines 1-1):\na\ufffd\n`,
      metadata: { warnings: [warning] },
    },
  })
})

test('of a binary file the first kilobyte is shown as hex', async () => {
  const { call } = openWith(Buffer.from(Array.from({ length: 3000 }, (_, index) => index % 256)), 'logo.png')
  const result = await call('read_file', { path: 'logo.png', start_line: 100, end_line: 200 })
  const warning = 'File appears to be binary, displaying first 1KB as hex'
  expect(result).toMatchObject({
    success: true,
    output: {
      metadata: { binary: true, truncated: true, lines_returned: 0, file_size_bytes: 3000, warnings: [warning] },
    },
  })
  const lines = String(result.success && result.output.output).split('\n')
  expect(lines.slice(0, 3)).toEqual([
    `Warning: ${warning}`,
    'Contents of logo.png (first 1024 bytes as hex):',
    '00000000  00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f  |................|',
  ])
  expect(lines[6]).toBe('00000040  40 41 42 43 44 45 46 47 48 49 4a 4b 4c 4d 4e 4f  |@ABCDEFGHIJKLMNO|')
  expect(lines).toHaveLength(2 + 64 + 1)
})

test('a small binary file is shown whole', async () => {
  const { call } = openWith(Buffer.from('a\0b'))
  expect(await call('read_file', { path: 'hello.py' })).toMatchObject({
    success: true,
    output: {
      output: expect.stringContaining(`(first 3 bytes as hex):\n00000000  61 00 62${' '.repeat(39)}  |a.b|\n`),
      metadata: { binary: true, truncated: false },
    },
  })
})

test('above 10MB whole lines are returned, with the line to continue from', async () => {
  const line = `${'x'.repeat(1023)}\n`
  const { call } = openWith(line.repeat(10_241))
  const first = await call('read_file', { path: 'hello.py' })
  const warning = 'Content is larger than 10MB, showing lines 1-10240 of 10241; continue with start_line 10241'
  expect(first).toMatchObject({
    success: true,
    output: {
      metadata: {
        total_lines: 10_241,
        lines_returned: 10_240,
        file_size_bytes: 10_486_784,
        end_line: 10_240,
        truncated: true,
        next_start_line: 10_241,
        warnings: [warning],
      },
    },
  })
  expect(String(first.success && first.output.output).slice(0, 200)).toMatch(
    new RegExp(`^Warning: ${warning}\nContents of hello\\.py \\(lines 1-10240\\):\nxxx`),
  )
  expect(await call('read_file', { path: 'hello.py', start_line: 10_241 })).toMatchObject({
    success: true,
    output: {
      output: `Contents of hello.py (lines 10241-10241):\n${line}`,
      metadata: { truncated: false, start_line: 10_241 },
    },
  })
})

test('a line of more than 10MB is cut, with a warning', async () => {
  const { call } = openWith(`${'x'.repeat(10_485_761)}\nrest\n`)
  expect(await call('read_file', { path: 'hello.py' })).toMatchObject({
    success: true,
    output: {
      metadata: {
        truncated: true,
        next_start_line: 2,
        warnings: ['Line 1 is longer than 10MB, showing the beginning of it; continue with start_line 2'],
      },
    },
  })
})

test('10MB of characters that JSON writes with six are returned', async () => {
  const { call } = openWith('\u0001'.repeat(10_485_760))
  expect(await call('read_file', { path: 'hello.py' })).toMatchObject({
    success: true,
    output: { metadata: { truncated: false, file_size_bytes: 10_485_760 } },
  })
})

test('one line of a very large file is read in bounded memory', async () => {
  const { root, call } = openWith(numbered(1000))
  truncateSync(join(root, 'hello.py'), 300 * 2 ** 20)
  const before = process.memoryUsage().rss
  expect(await call('read_file', { path: 'hello.py', start_line: 2, end_line: 2 })).toMatchObject({
    success: true,
    output: { output: 'Contents of hello.py (lines 2-2):\nline 2\n', metadata: { total_lines: 1001 } },
  })
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 2 ** 20)
})

test('follows a link that stays inside and reports the file it read', async () => {
  const { root, call } = openWith('x\n')
  symlinkSync('hello.py', join(root, 'link'))
  expect(await call('read_file', { path: 'link' })).toMatchObject({
    success: true,
    output: { output: 'Contents of hello.py (lines 1-1):\nx\n' },
  })
})

test.each(['日本語.txt', 'a b.txt', '-n', '.env', "it's", 'e\u0301'])('reads a file named %s', async (name) => {
  const { call } = openWith('x', name)
  expect(await call('read_file', { path: name })).toMatchObject({
    success: true,
    output: { output: `Contents of ${name} (lines 1-1):\nx` },
  })
})

test('a name that could be misread is shown as JSON in the header', async () => {
  const { call } = openWith('x', 'a\nb')
  expect(await call('read_file', { path: 'a\nb' })).toMatchObject({
    success: true,
    output: { output: 'Contents of "a\\nb" (lines 1-1):\nx' },
  })
})

test('fails on a missing path, and on a directory', async () => {
  const { root, call } = openWith('x')
  mkdirSync(join(root, 'src'))
  for (const path of ['missing.txt', 'src/missing.txt', 'hello.py/x'])
    expect(await call('read_file', { path })).toMatchObject({
      success: false,
      error: {
        code: 'file_not_found',
        status: 404,
        message: `File '${path}' not found`,
        suggestion: expect.stringContaining('file_search'),
      },
    })
  expect(await call('read_file', { path: 'src' })).toMatchObject({
    success: false,
    error: { code: 'not_a_file', status: 400, suggestion: expect.stringContaining('list_dir') },
  })
})

test('does not read paths that are closed to tools', async () => {
  const root = makeFolder()
  mkdirSync(join(root, 'state'))
  writeFileSync(join(root, 'state/ledger'), 'x')
  const { call } = openWorkspace({ root, denied: [join(root, 'state')] })
  expect(await call('read_file', { path: 'state/ledger' })).toMatchObject({
    success: false,
    error: { code: 'permission_denied', message: "Cannot read file 'state/ledger' - permission denied" },
  })
})

test.each([
  ['no path', {}, expect.any(String), 'required'],
  ['an empty path', { path: '' }, '/path', 'minLength'],
  ['a path that is a number', { path: 1 }, '/path', 'type'],
  ['line 0', { path: 'hello.py', start_line: 0 }, '/start_line', 'minimum'],
  ['a negative line', { path: 'hello.py', end_line: -1 }, '/end_line', 'minimum'],
  ['half a line', { path: 'hello.py', start_line: 1.5 }, '/start_line', 'type'],
  ['a line in words', { path: 'hello.py', start_line: 'one' }, '/start_line', 'type'],
  ['an unknown parameter', { path: 'hello.py', encoding: 'utf8' }, expect.any(String), 'additionalProperties'],
])('%s is refused', async (_what, input, pointer, keyword) => {
  expect(await openWith('x').call('read_file', input)).toMatchObject({
    success: false,
    error: { code: 'invalid_input', problems: [{ pointer, keyword }] },
  })
})

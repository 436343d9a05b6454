import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { openWorkspace } from '../../../test/helpers/open-workspace.ts'

function openWith(content: string | Buffer) {
  const { root, call } = openWorkspace({ root: makeFolder() })
  writeFileSync(join(root, 'hello.py'), content)
  return {
    root,
    call,
    replace: (old_string: string, new_string: string) =>
      call('replace_string_in_file', { path: 'hello.py', old_string, new_string }),
    bytes: () => readFileSync(join(root, 'hello.py')),
    text: () => readFileSync(join(root, 'hello.py'), 'utf8'),
  }
}

test('replaces a single occurrence and reports its line', async () => {
  const { replace, text } = openWith('a\nb\nc\nd\nold\n')
  expect(await replace('old', 'new')).toMatchObject({
    success: true,
    output: {
      success: true,
      output: 'Replaced 1 occurrence in hello.py',
      files_affected: ['hello.py'],
      execution_time_ms: expect.any(Number),
      metadata: { occurrences_found: 1, occurrences_replaced: 1, lines_changed: [5] },
    },
  })
  expect(text()).toBe('a\nb\nc\nd\nnew\n')
})

test('of several only the first is replaced, with a warning', async () => {
  const { replace, text } = openWith('-\n-\n-\n-\nx x\nx')
  const warning = 'Found 3 occurrences, replaced only the first at line 5'
  expect(await replace('x', 'y')).toMatchObject({
    success: true,
    output: {
      output: `Warning: ${warning}\nReplaced 1 occurrence in hello.py`,
      metadata: { occurrences_found: 3, occurrences_replaced: 1, lines_changed: [5], warnings: [warning] },
    },
  })
  expect(text()).toBe('-\n-\n-\n-\ny x\nx')
})

test.each(['$&', '$1', '$$', "$'", '$`', '\\n', '.*', '\\', '%s', '{{x}}', '\u001b[2J'])(
  '%s is literal, as old string and as new one',
  async (literal) => {
    const as = openWith('before OLD after')
    expect(await as.replace('OLD', literal)).toMatchObject({ success: true })
    expect(as.text()).toBe(`before ${literal} after`)
    expect(await as.replace(literal, 'OLD')).toMatchObject({ success: true })
    expect(as.text()).toBe('before OLD after')
  },
)

test('an empty new string deletes', async () => {
  const { replace, text } = openWith('a\nb\nc\n')
  expect(await replace('b\n', '')).toMatchObject({ success: true, output: { metadata: { lines_changed: [2] } } })
  expect(text()).toBe('a\nc\n')
})

test('several lines can be replaced, and are reported as they are now', async () => {
  const { replace, text } = openWith('a\nb\nc\nd\n')
  expect(await replace('b\nc\n', 'x\ny\nz\n')).toMatchObject({
    success: true,
    output: { metadata: { lines_changed: [2, 3, 4, 5] } },
  })
  expect(text()).toBe('a\nx\ny\nz\nd\n')
})

test('at most 1000 changed lines are reported', async () => {
  const { replace } = openWith('a')
  const result = await replace('a', '\n'.repeat(5000))
  expect(result.success && (result.output.metadata as { lines_changed: number[] }).lines_changed).toHaveLength(1000)
})

test('the whole file may be the old string', async () => {
  const { replace, text } = openWith('all')
  expect(await replace('all', '')).toMatchObject({ success: true })
  expect(text()).toBe('')
})

test('occurrences do not overlap', async () => {
  const { replace, text } = openWith('aaaa')
  expect(await replace('aa', 'b')).toMatchObject({ success: true, output: { metadata: { occurrences_found: 2 } } })
  expect(text()).toBe('baa')
})

test.each([
  ['a byte order mark', '\ufeffOLD\n'],
  ['mixed line ends', 'a\r\nb\nOLD\rc\r\n'],
  ['no final line end', 'a\nOLD'],
  ['NUL bytes', '\0\0OLD\0'],
  ['other scripts', '日本語OLD👩‍🚀'],
])('%s outside the match stays', async (_what, content) => {
  const { replace, text } = openWith(content)
  expect(await replace('OLD', 'né\r\nw')).toMatchObject({ success: true })
  expect(text()).toBe(content.replace('OLD', 'né\r\nw'))
})

test('bytes that are not UTF-8 stay, outside the match and beside it', async () => {
  const wrong = Buffer.from([0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80])
  const { replace, bytes } = openWith(Buffer.concat([wrong, Buffer.from('old'), wrong]))
  expect(await replace('old', 'new')).toMatchObject({ success: true })
  expect(bytes()).toEqual(Buffer.concat([wrong, Buffer.from('new'), wrong]))
})

test('the replacement character does not match a byte that is not UTF-8', async () => {
  const { replace, bytes } = openWith(Buffer.from([0x61, 0xff]))
  expect(await replace('a\ufffd', 'b')).toMatchObject({ success: false, error: { code: 'string_not_found' } })
  expect(bytes()).toEqual(Buffer.from([0x61, 0xff]))
})

test('the mode stays', async () => {
  const { root, replace } = openWith('old')
  chmodSync(join(root, 'hello.py'), 0o751)
  expect(await replace('old', 'new')).toMatchObject({ success: true })
  expect(statSync(join(root, 'hello.py')).mode & 0o7777).toBe(0o751)
})

test('a link stays a link, and its target is reported', async () => {
  const { root, call, text } = openWith('old')
  symlinkSync('hello.py', join(root, 'link'))
  expect(await call('replace_string_in_file', { path: 'link', old_string: 'old', new_string: 'new' })).toMatchObject({
    success: true,
    output: { files_affected: ['hello.py'] },
  })
  expect(text()).toBe('new')
  expect(statSync(join(root, 'link')).isFile()).toBe(true)
})

test.each([
  ['text that is not there', 'a\n', 'old_text', 'old_text', 'Read the file with workspace.read_file'],
  ['other case', 'Name\n', 'name', 'name', 'Read the file with workspace.read_file'],
  ['LF for CRLF', 'a\r\nb\r\n', 'a\nb', 'a\\nb', 'The file has CRLF line ends'],
  ['CRLF for LF', 'a\nb\n', 'a\r\nb', 'a\\r\\nb', 'The file has LF line ends'],
  ['other indentation', 'x\nif y:\n\tz\n', 'if y:\n    z', 'if y:\\n    z', 'begins at line 2'],
  ['a blank string', 'x', ' \n ', ' \\n ', 'Read the file with workspace.read_file'],
  ['nothing in an empty file', '', 'x', 'x', 'Read the file with workspace.read_file'],
])('%s is not found, and the suggestion helps', async (_what, content, old, shown, suggestion) => {
  const { replace, text } = openWith(content)
  expect(await replace(old, 'new')).toMatchObject({
    success: false,
    error: {
      code: 'string_not_found',
      status: 422,
      message: `String '${shown}' not found in file`,
      suggestion: expect.stringContaining(suggestion),
    },
  })
  expect(text()).toBe(content)
})

test('a long old string is shortened in the message', async () => {
  const { replace } = openWith('a')
  const result = await replace(`${'x'.repeat(1_000_000)}\u202e`, '')
  expect(result).toMatchObject({
    success: false,
    error: { message: expect.stringMatching(/x…x+\\u{202e}' not found/) },
  })
  expect(result.success || result.error.message.length).toBeLessThan(300)
})

test('old equals new is an error, and nothing is written', async () => {
  const { root, replace } = openWith('same')
  const before = statSync(join(root, 'hello.py'))
  expect(await replace('same', 'same')).toMatchObject({
    success: false,
    error: { code: 'nothing_to_replace', status: 400, message: 'old_string and new_string are the same' },
  })
  expect(statSync(join(root, 'hello.py'))).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs })
})

test('concurrent edits are not lost: one succeeds, the other is refused or follows it', async () => {
  const { replace, text } = openWith('one two')
  const results = await Promise.all([replace('one', '1'), replace('two', '2')])
  const done = results.filter(({ success }) => success).length
  expect(done).toBeGreaterThan(0)
  if (done === 2) expect(text()).toBe('1 2')
  else {
    expect(results.find(({ success }) => !success)).toMatchObject({ error: { code: 'file_changed', status: 409 } })
    expect(['1 two', 'one 2']).toContain(text())
  }
})

test('a file that changes between read and write is refused, and stays as it is', async () => {
  const root = makeFolder()
  const path = join(root, 'hello.py')
  writeFileSync(path, 'old')
  const { call } = openWorkspace({
    root,
    wrapFiles: (files) => ({
      ...files,
      replace(...change) {
        writeFileSync(path, 'old, but other')
        return files.replace(...change)
      },
    }),
  })
  expect(
    await call('replace_string_in_file', { path: 'hello.py', old_string: 'old', new_string: 'new' }),
  ).toMatchObject({
    error: {
      code: 'file_changed',
      message: "File 'hello.py' changed since it was read",
      suggestion: expect.stringContaining('Read the file again'),
    },
  })
  expect(readFileSync(path, 'utf8')).toBe('old, but other')
})

test('10MB is the limit, before and after', async () => {
  const most = 10_485_760
  const { root, replace, text } = openWith(`old${'x'.repeat(most - 3)}`)
  expect(await replace('old', 'longer')).toMatchObject({
    success: false,
    error: {
      code: 'file_too_large',
      status: 413,
      message: `The file would have ${most + 3} bytes, more than the 10MB allowed`,
    },
  })
  expect(await replace('old', 'new')).toMatchObject({ success: true })
  expect(text().startsWith('newx')).toBe(true)
  writeFileSync(join(root, 'hello.py'), 'x'.repeat(most + 1))
  expect(await replace('x', 'y')).toMatchObject({ success: false, error: { code: 'file_too_large' } })
})

test('millions of occurrences are counted', async () => {
  const { replace } = openWith('ab'.repeat(5_000_000))
  expect(await replace('a', 'c')).toMatchObject({
    success: true,
    output: { metadata: { occurrences_found: 5_000_000, lines_changed: [1] } },
  })
})

test('fails on a missing path, on a directory and on paths that git executes', async () => {
  const { root, call } = openWith('old')
  mkdirSync(join(root, '.git'))
  writeFileSync(join(root, '.git/config'), 'old')
  const replace = (path: string) => call('replace_string_in_file', { path, old_string: 'old', new_string: 'new' })
  expect(await replace('missing.txt')).toMatchObject({
    success: false,
    error: { code: 'file_not_found', message: "File 'missing.txt' not found" },
  })
  expect(await replace('.')).toMatchObject({ success: false, error: { code: 'not_a_file' } })
  expect(await replace('.git/config')).toMatchObject({
    success: false,
    error: {
      code: 'permission_denied',
      message: "Cannot modify file '.git/config' - permission denied: git runs programs that are configured there",
    },
  })
  expect(readFileSync(join(root, '.git/config'), 'utf8')).toBe('old')
})

test.each([
  ['no path', { old_string: 'a', new_string: 'b' }, expect.any(String), 'required'],
  ['no old string', { path: 'hello.py', new_string: 'b' }, expect.any(String), 'required'],
  ['no new string', { path: 'hello.py', old_string: 'a' }, expect.any(String), 'required'],
  ['an empty old string', { path: 'hello.py', old_string: '', new_string: 'b' }, '/old_string', 'minLength'],
  ['a number', { path: 'hello.py', old_string: 1, new_string: 'b' }, '/old_string', 'type'],
  ['null', { path: 'hello.py', old_string: 'a', new_string: null }, '/new_string', 'type'],
])('%s is refused', async (_what, input, pointer, keyword) => {
  const { call, text } = openWith('a1')
  expect(await call('replace_string_in_file', input)).toMatchObject({
    success: false,
    error: { code: 'invalid_input', problems: [{ pointer, keyword }] },
  })
  expect(text()).toBe('a1')
})

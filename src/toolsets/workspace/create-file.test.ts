import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { openWorkspace } from '../../../test/helpers/open-workspace.ts'

const open = () => openWorkspace({ root: makeFolder() })

test('creates a file and reports its path and size', async () => {
  const { root, call } = open()
  expect(await call('create_file', { path: 'hello.py', content: 'print("Hello")\n' })).toMatchObject({
    success: true,
    output: {
      success: true,
      output: 'Created file: hello.py (15 bytes)',
      files_affected: ['hello.py'],
      execution_time_ms: expect.any(Number),
      metadata: { size_bytes: 15, created_parents: [] },
    },
  })
  expect(readFileSync(join(root, 'hello.py'), 'utf8')).toBe('print("Hello")\n')
  expect(readdirSync(root)).toEqual(['hello.py'])
})

test('creates the directories that are missing and names them', async () => {
  const { root, call } = open()
  mkdirSync(join(root, 'src'))
  expect(await call('create_file', { path: './src//a/b/../b/c.txt', content: '' })).toMatchObject({
    success: true,
    output: {
      output: 'Created file: src/a/b/c.txt (0 bytes)',
      files_affected: ['src/a/b/c.txt'],
      metadata: { created_parents: ['src/a', 'src/a/b'] },
    },
  })
})

test.each([
  ['nothing', '', '0 bytes'],
  ['one byte', 'x', '1 byte'],
  ['text of two bytes a character', 'é\n', '3 bytes'],
  ['emoji', '👩‍🚀', '11 bytes'],
  ['CRLF', 'a\r\nb\r\n', '6 bytes'],
  ['a byte order mark', '\ufeffx', '4 bytes'],
  ['no final line end', 'a\nb', '3 bytes'],
  ['control characters and NUL', 'a\0\u001b[2J\u007f', '7 bytes'],
])('writes %s exactly', async (_what, content, size) => {
  const { root, call } = open()
  const result = await call('create_file', { path: 'a', content })
  expect(result).toMatchObject({ success: true, output: { output: `Created file: a (${size})` } })
  expect(readFileSync(join(root, 'a'))).toEqual(Buffer.from(content))
})

test.each(['日本語/ファイル.txt', 'a b.txt', "it's $HOME `id`.txt", '-rf', '.env', 'e\u0301.txt', 'a\\b.txt'])(
  'takes the name %s',
  async (path) => {
    const { root, call } = open()
    expect(await call('create_file', { path, content: 'x' })).toMatchObject({
      success: true,
      output: { output: `Created file: ${path} (1 byte)`, files_affected: [path] },
    })
    expect(readFileSync(join(root, path), 'utf8')).toBe('x')
  },
)

test('a name that could be misread is shown as JSON', async () => {
  const { call } = open()
  expect(await call('create_file', { path: 'a\nCreated file: b', content: '' })).toMatchObject({
    success: true,
    output: {
      output: 'Created file: "a\\nCreated file: b" (0 bytes)',
      files_affected: ['a\nCreated file: b'],
    },
  })
})

test('takes an absolute path inside the working directory', async () => {
  const { root, call } = open()
  expect(await call('create_file', { path: join(root, 'x/y'), content: '' })).toMatchObject({
    success: true,
    output: { files_affected: ['x/y'] },
  })
})

test('fails if the path exists, and leaves it unchanged', async () => {
  const { root, call } = open()
  writeFileSync(join(root, 'test.txt'), 'kept')
  mkdirSync(join(root, 'directory'))
  symlinkSync('nowhere', join(root, 'dangling'))
  expect(await call('create_file', { path: 'test.txt', content: 'new' })).toMatchObject({
    success: false,
    error: {
      code: 'file_exists',
      status: 409,
      message: "File 'test.txt' already exists. Use workspace.replace_string_in_file to modify",
      suggestion: expect.stringMatching(/./),
    },
  })
  for (const path of ['directory', 'dangling', '.', 'directory/'])
    expect(await call('create_file', { path, content: 'new' }), path).toMatchObject({
      success: false,
      error: { code: 'file_exists' },
    })
  expect(readFileSync(join(root, 'test.txt'), 'utf8')).toBe('kept')
  expect(readdirSync(root).sort()).toEqual(['dangling', 'directory', 'test.txt'])
})

test('fails below a file, and below a dangling link', async () => {
  const { root, call } = open()
  writeFileSync(join(root, 'test.txt'), 'kept')
  symlinkSync('nowhere', join(root, 'dangling'))
  expect(await call('create_file', { path: 'test.txt/x', content: '' })).toMatchObject({
    success: false,
    error: { code: 'not_a_directory', message: "Path 'test.txt' is not a directory" },
  })
  expect(await call('create_file', { path: 'dangling/x', content: '' })).toMatchObject({
    success: false,
    error: { code: 'file_not_found' },
  })
})

test('accepts 10MB and not a byte more', async () => {
  const { root, call } = open()
  const most = 10_485_760
  expect(await call('create_file', { path: 'most', content: 'x'.repeat(most) })).toMatchObject({ success: true })
  expect(statSync(join(root, 'most')).size).toBe(most)
  const result = await call('create_file', { path: 'more', content: `é${'x'.repeat(most - 1)}` })
  expect(result).toMatchObject({
    success: false,
    error: {
      code: 'content_too_large',
      status: 413,
      message: `Content has ${most + 1} bytes, more than the 10MB allowed`,
    },
  })
  expect(readdirSync(root)).toEqual(['most'])
})

test('takes 10MB of characters that JSON writes with six', async () => {
  const { root, call } = open()
  expect(await call('create_file', { path: 'a', content: '\u0001'.repeat(10_485_760) })).toMatchObject({
    success: true,
  })
  expect(statSync(join(root, 'a')).size).toBe(10_485_760)
})

test('of two calls at once one wins, and its file is whole', async () => {
  const { root, call } = open()
  const contents = ['a'.repeat(100_000), 'b'.repeat(100_000)]
  const results = await Promise.all(contents.map((content) => call('create_file', { path: 'x/y', content })))
  expect(results.filter(({ success }) => success)).toHaveLength(1)
  expect(results.find(({ success }) => !success)).toMatchObject({ error: { code: 'file_exists' } })
  expect(contents).toContain(readFileSync(join(root, 'x/y'), 'utf8'))
})

test('refuses paths that git executes', async () => {
  const { root, call } = open()
  mkdirSync(join(root, '.git'))
  expect(await call('create_file', { path: '.git/hooks/pre-commit', content: 'id' })).toMatchObject({
    success: false,
    error: {
      code: 'permission_denied',
      status: 403,
      message:
        "Cannot create file '.git/hooks/pre-commit' - permission denied: git runs programs that are configured there",
    },
  })
  expect(readdirSync(join(root, '.git'))).toEqual([])
})

test.each([
  ['no path', { content: 'x' }, expect.any(String), 'required'],
  ['no content', { path: 'x' }, expect.any(String), 'required'],
  ['an empty path', { path: '', content: 'x' }, '/path', 'minLength'],
  ['a path that is too long', { path: 'x'.repeat(4097), content: '' }, '/path', 'maxLength'],
  ['a path that is a number', { path: 5, content: 'x' }, '/path', 'type'],
  ['content that is null', { path: 'x', content: null }, '/content', 'type'],
  ['content that is an object', { path: 'x', content: { a: 1 } }, '/content', 'type'],
])('%s is refused', async (_what, input, pointer, keyword) => {
  const { root, call } = open()
  expect(await call('create_file', input)).toMatchObject({
    success: false,
    error: { code: 'invalid_input', problems: [{ pointer, keyword }] },
  })
  expect(readdirSync(root)).toEqual([])
})

test('an unknown parameter and half a character are refused', async () => {
  const { root, call } = open()
  for (const more of [{ mode: 0o777 }, { content: 'x\ud800' }])
    expect(await call('create_file', { path: 'x', content: '', ...more })).toMatchObject({
      success: false,
      error: { code: 'invalid_input' },
    })
  expect(readdirSync(root)).toEqual([])
})

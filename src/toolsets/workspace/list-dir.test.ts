import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { openWorkspace } from '../../../test/helpers/open-workspace.ts'

const open = () => openWorkspace({ root: makeFolder() })

test('lists a directory, sorted, with directories marked', async () => {
  const { root, call } = open()
  mkdirSync(join(root, 'src/models'), { recursive: true })
  for (const name of ['utils.py', 'app.py', '.hidden', 'Z']) writeFileSync(join(root, 'src', name), '')
  expect(await call('list_dir', { path: 'src' })).toMatchObject({
    success: true,
    output: {
      success: true,
      output: 'Contents of ./src:\n  .hidden\n  Z\n  app.py\n  models/\n  utils.py\n',
      files_affected: [],
      metadata: { total_entries: 5, files: 4, directories: 1, other: 0, page: 1, pages: 1 },
    },
  })
})

test('lists the working directory if no path is given', async () => {
  const { root, call } = open()
  writeFileSync(join(root, 'a'), '')
  for (const input of [{}, { path: '.' }, { path: './' }, { path: root }])
    expect(await call('list_dir', input)).toMatchObject({
      success: true,
      output: { output: 'Contents of .:\n  a\n', metadata: { total_entries: 1 } },
    })
})

test('reports that a directory is empty', async () => {
  const { root, call } = open()
  mkdirSync(join(root, 'empty'))
  expect(await call('list_dir', { path: 'empty/' })).toMatchObject({
    success: true,
    output: {
      output: 'Contents of ./empty (empty):\n',
      metadata: { total_entries: 0, files: 0, directories: 0, other: 0, page: 1, pages: 1 },
    },
  })
})

test('shows links with their target, without following them, and marks special files', async () => {
  const { root, call } = open()
  symlinkSync('/etc', join(root, 'a'))
  symlinkSync('nowhere', join(root, 'b'))
  mkdirSync(join(root, 'c'))
  symlinkSync('c', join(root, 'd'))
  execFileSync('mkfifo', [join(root, 'e')])
  expect(await call('list_dir', {})).toMatchObject({
    success: true,
    output: {
      output: 'Contents of .:\n  a -> /etc\n  b -> nowhere\n  c/\n  d -> c\n  e (special)\n',
      metadata: { total_entries: 5, files: 0, directories: 1, other: 4 },
    },
  })
  expect(await call('list_dir', { path: 'd' })).toMatchObject({
    success: true,
    output: { output: 'Contents of ./c (empty):\n' },
  })
})

test('writes names that could be misread as JSON', async () => {
  const { root, call } = open()
  for (const name of ['a\n  b', 'c -> d', 'e (special)', 'f\u001b[2J', ' g', '日本語 h.txt'])
    writeFileSync(join(root, name), '')
  symlinkSync('x\ny', join(root, 'i'))
  expect(await call('list_dir', {})).toMatchObject({
    success: true,
    output: {
      output:
        'Contents of .:\n  " g"\n  "a\\n  b"\n  "c -> d"\n  "e (special)"\n  "f\\u001b[2J"\n  i -> "x\\ny"\n  日本語 h.txt\n',
      metadata: { total_entries: 7 },
    },
  })
})

test('1000 entries are one page, 1001 are two', async () => {
  const { root, call } = open()
  for (let index = 0; index < 1000; index++) writeFileSync(join(root, `f${String(index).padStart(4, '0')}`), '')
  const one = await call('list_dir', {})
  expect(one).toMatchObject({ success: true, output: { metadata: { total_entries: 1000, pages: 1 } } })
  expect(one.success && one.output.metadata).not.toHaveProperty('warnings')
  mkdirSync(join(root, 'g'))
  const first = await call('list_dir', {})
  expect(first).toMatchObject({
    success: true,
    output: {
      output: expect.stringMatching(
        /^Warning: Found 1001 entries, showing 1-1000; continue with page 2\nContents of \.:\n {2}f0000\n/,
      ),
      metadata: {
        total_entries: 1001,
        files: 1000,
        directories: 1,
        page: 1,
        pages: 2,
        warnings: ['Found 1001 entries, showing 1-1000; continue with page 2'],
      },
    },
  })
  expect(String(first.success && first.output.output).split('\n')).toHaveLength(1003)
  expect(await call('list_dir', { page: 2 })).toMatchObject({
    success: true,
    output: {
      output: 'Warning: Found 1001 entries, showing 1001-1001\nContents of .:\n  g/\n',
      metadata: { total_entries: 1001, files: 1000, directories: 1, page: 2, pages: 2 },
    },
  })
})

test('a page past the end is an error with the number of pages', async () => {
  const { call } = open()
  for (const page of [2, 1_000_000, Number.MAX_SAFE_INTEGER])
    expect(await call('list_dir', { page })).toMatchObject({
      success: false,
      error: {
        code: 'invalid_page',
        status: 400,
        message: `Page ${page} invalid - directory has 1 page`,
        suggestion: 'Ask for a page from 1 to 1.',
      },
    })
})

test('a page of the longest names, each character escaped, still fits', async () => {
  const { root, call } = open()
  for (let index = 0; index < 1000; index++) writeFileSync(join(root, `${'\u0001'.repeat(240)}${index}`), '')
  expect(await call('list_dir', {})).toMatchObject({ success: true, output: { metadata: { total_entries: 1000 } } })
})

test('fails on a file and on a missing path', async () => {
  const { root, call } = open()
  writeFileSync(join(root, 'file.txt'), '')
  expect(await call('list_dir', { path: 'file.txt' })).toMatchObject({
    success: false,
    error: { code: 'not_a_directory', status: 400, message: "Path 'file.txt' is not a directory" },
  })
  expect(await call('list_dir', { path: 'file.txt/x' })).toMatchObject({
    success: false,
    error: { code: 'not_a_directory' },
  })
  expect(await call('list_dir', { path: 'missing' })).toMatchObject({
    success: false,
    error: { code: 'file_not_found', status: 404, message: "Directory 'missing' not found" },
  })
})

test('does not list paths that are closed to tools', async () => {
  const root = makeFolder()
  mkdirSync(join(root, 'state/deep'), { recursive: true })
  writeFileSync(join(root, 'a'), '')
  const { call } = openWorkspace({ root, denied: [join(root, 'state')] })
  expect(await call('list_dir', {})).toMatchObject({ success: true, output: { output: 'Contents of .:\n  a\n' } })
  for (const path of ['state', 'state/deep'])
    expect(await call('list_dir', { path })).toMatchObject({
      success: false,
      error: { code: 'permission_denied', message: 'Cannot list directory - permission denied' },
    })
})

test('a link that leads outside, and circular links', async () => {
  const { root, call } = open()
  symlinkSync('/', join(root, 'out'))
  symlinkSync('loop', join(root, 'loop'))
  expect(await call('list_dir', { path: 'out' })).toMatchObject({
    success: false,
    error: { code: 'path_outside_working_dir', message: "Path 'out' is outside working directory" },
  })
  expect(await call('list_dir', { path: 'loop' })).toMatchObject({ success: false, error: { code: 'invalid_path' } })
})

test.each([
  ['an empty path', { path: '' }, '/path', 'minLength'],
  ['a path that is null', { path: null }, '/path', 'type'],
  ['page 0', { page: 0 }, '/page', 'minimum'],
  ['half a page', { page: 1.5 }, '/page', 'type'],
  ['a page in words', { page: 'two' }, '/page', 'type'],
  ['an unknown parameter', { recursive: true }, expect.any(String), 'additionalProperties'],
])('%s is refused', async (_what, input, pointer, keyword) => {
  expect(await open().call('list_dir', input)).toMatchObject({
    success: false,
    error: { code: 'invalid_input', problems: [{ pointer, keyword }] },
  })
})

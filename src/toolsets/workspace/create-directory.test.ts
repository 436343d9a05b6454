import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { openWorkspace } from '../../../test/helpers/open-workspace.ts'

const open = () => openWorkspace({ root: makeFolder() })

test('creates a directory', async () => {
  const { root, call } = open()
  expect(await call('create_directory', { path: 'src' })).toMatchObject({
    success: true,
    output: {
      success: true,
      output: 'Created directory: src',
      files_affected: ['src'],
      metadata: { created: true, created_parents: [] },
    },
  })
  expect(statSync(join(root, 'src')).isDirectory()).toBe(true)
})

test('creates parents and lists them', async () => {
  const { root, call } = open()
  mkdirSync(join(root, 'a'))
  expect(await call('create_directory', { path: 'a/b/c/d' })).toMatchObject({
    success: true,
    output: {
      output: 'Created directory: a/b/c/d',
      files_affected: ['a/b/c/d'],
      metadata: { created: true, created_parents: ['a/b', 'a/b/c'] },
    },
  })
})

test.each(['src', 'src/', './src', 'src/../src', '.'])('%s exists already, which is not an error', async (path) => {
  const { root, call } = open()
  mkdirSync(join(root, 'src'))
  writeFileSync(join(root, 'src/kept'), '')
  const shown = path === '.' ? '.' : 'src'
  expect(await call('create_directory', { path })).toMatchObject({
    success: true,
    output: {
      output: `Directory already exists: ${shown}`,
      files_affected: [],
      metadata: { created: false, created_parents: [] },
    },
  })
  expect(readdirSync(join(root, 'src'))).toEqual(['kept'])
})

test.each(['日本語', 'a b', "it's", '-p', '.config', 'a\\b', '$(id)'])('takes the name %s', async (path) => {
  const { root, call } = open()
  expect(await call('create_directory', { path })).toMatchObject({ success: true, output: { files_affected: [path] } })
  expect(readdirSync(root)).toEqual([path])
})

test('a name that could be misread is shown as JSON', async () => {
  const { call } = open()
  expect(await call('create_directory', { path: 'a\u202eb' })).toMatchObject({
    success: true,
    output: { output: 'Created directory: "a\\u202eb"', files_affected: ['a\u202eb'] },
  })
})

test('takes an absolute path inside the working directory', async () => {
  const { root, call } = open()
  expect(await call('create_directory', { path: join(root, 'x') })).toMatchObject({
    success: true,
    output: { files_affected: ['x'] },
  })
})

test('fails on a file and below one', async () => {
  const { root, call } = open()
  writeFileSync(join(root, 'test.txt'), 'kept')
  for (const path of ['test.txt', 'test.txt/x'])
    expect(await call('create_directory', { path })).toMatchObject({
      success: false,
      error: {
        code: 'not_a_directory',
        status: 400,
        message: "Path 'test.txt' exists as a file, cannot create directory",
      },
    })
})

test('follows a link that stays inside, and refuses a dangling one', async () => {
  const { root, call } = open()
  mkdirSync(join(root, 'real'))
  symlinkSync('real', join(root, 'link'))
  symlinkSync('nowhere', join(root, 'dangling'))
  expect(await call('create_directory', { path: 'link/x' })).toMatchObject({
    success: true,
    output: { files_affected: ['real/x'] },
  })
  for (const path of ['dangling', 'dangling/x'])
    expect(await call('create_directory', { path })).toMatchObject({
      success: false,
      error: { code: 'file_not_found' },
    })
  expect(existsSync(join(root, 'nowhere'))).toBe(false)
})

test('circular links and names that are too long are invalid paths', async () => {
  const { root, call } = open()
  symlinkSync('loop', join(root, 'loop'))
  for (const path of ['loop/x', 'x'.repeat(300)])
    expect(await call('create_directory', { path })).toMatchObject({ success: false, error: { code: 'invalid_path' } })
})

test('refuses paths that git executes', async () => {
  const { root, call } = open()
  expect(await call('create_directory', { path: '.git/hooks' })).toMatchObject({
    success: false,
    error: {
      code: 'permission_denied',
      status: 403,
      message: 'Cannot create directory - permission denied: git runs programs that are configured there',
    },
  })
  expect(readdirSync(root)).toEqual([])
})

test('many calls at once make one directory', async () => {
  const { call } = open()
  const results = await Promise.all(Array.from({ length: 20 }, () => call('create_directory', { path: 'a/b/c' })))
  expect(results.every(({ success }) => success)).toBe(true)
  expect(
    results.filter((result) => result.success && result.output.files_affected?.toString() === 'a/b/c'),
  ).toHaveLength(1)
})

test.each([
  ['no path', {}, expect.any(String), 'required'],
  ['an empty path', { path: '' }, '/path', 'minLength'],
  ['a path that is a list', { path: ['a'] }, '/path', 'type'],
  ['a path that is too long', { path: 'x/'.repeat(2049) }, '/path', 'maxLength'],
  ['an unknown parameter', { path: 'a', mode: 7 }, expect.any(String), 'additionalProperties'],
])('%s is refused', async (_what, input, pointer, keyword) => {
  const { root, call } = open()
  expect(await call('create_directory', input)).toMatchObject({
    success: false,
    error: { code: 'invalid_input', problems: [{ pointer, keyword }] },
  })
  expect(readdirSync(root)).toEqual([])
})

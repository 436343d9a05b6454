import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { readSmallFile } from './read-small-file.ts'

test('a regular file up to the limit is read, through a symlink only on request', () => {
  const folder = makeFolder()
  const path = join(folder, 'file')
  writeFileSync(path, 'äbc')
  symlinkSync('file', join(folder, 'link'))
  expect(readSmallFile(path, { maxBytes: 4 })).toBe('äbc')
  expect(readSmallFile(path, { maxBytes: 3 })).toBeUndefined()
  if (process.platform !== 'win32') expect(readSmallFile(join(folder, 'link'), { maxBytes: 4 })).toBeUndefined()
  expect(readSmallFile(join(folder, 'link'), { maxBytes: 4, followLinks: true })).toBe('äbc')
  expect(readSmallFile(join(folder, 'missing'), { maxBytes: 4 })).toBeUndefined()
  writeFileSync(path, 'x'.repeat(50_000))
  expect(readSmallFile(path, { maxBytes: 50_000 })).toHaveLength(50_000)
  expect(readSmallFile(path, { maxBytes: 49_999 })).toBeUndefined()
})

test.skipIf(process.platform === 'win32')('a FIFO, a device and a folder are not read', () => {
  const folder = makeFolder()
  execFileSync('mkfifo', [join(folder, 'pipe')])
  mkdirSync(join(folder, 'folder'))
  for (const path of [join(folder, 'pipe'), join(folder, 'folder'), '/dev/zero', '/dev/null'])
    expect(readSmallFile(path, { maxBytes: 10, followLinks: true }), path).toBeUndefined()
})

test.skipIf(process.platform !== 'linux')('a file that claims to be empty is read up to the limit', () => {
  expect(readSmallFile('/proc/self/status', { maxBytes: 10 })).toBeUndefined()
  expect(readSmallFile('/proc/self/status', { maxBytes: 100_000 })).toMatch(/^Name:/)
})

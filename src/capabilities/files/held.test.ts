import {
  constants,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { holdByDescriptor, holdByName } from './held.ts'

let root: string

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'toolpact-held-')))
  mkdirSync(join(root, 'a'))
  writeFileSync(join(root, 'a/file'), 'held')
})

afterEach(() => {
  rmSync(root, { recursive: true, force: true })
})

/** Moves the directory away and puts a link to another one, with a file of that name, in its place. */
function swap() {
  renameSync(join(root, 'a'), join(root, 'moved'))
  mkdirSync(join(root, 'other'))
  writeFileSync(join(root, 'other/file'), 'other')
  symlinkSync('other', join(root, 'a'))
}

test.skipIf(process.platform !== 'linux')('a file held by descriptor stays the same when it is moved', async () => {
  const held = holdByDescriptor(join(root, 'a/file'), { follow: true })
  const directory = holdByDescriptor(join(root, 'a'), { follow: false })
  swap()
  expect(held.real).toBe(join(root, 'a/file'))
  expect(held.where()).toBe(join(root, 'moved/file'))
  const handle = await held.open(constants.O_RDONLY)
  expect(await handle.readFile('utf8')).toBe('held')
  await handle.close()
  rmSync(directory.at('file'))
  expect(() => held.where()).toThrow('ENOENT')
  held.close()
  directory.close()
})

test('a file held by name is refused once it was replaced', async () => {
  const held = holdByName(join(root, 'a/file'), { follow: true })
  const handle = await held.open(constants.O_RDONLY)
  expect(await handle.readFile('utf8')).toBe('held')
  await handle.close()
  swap()
  expect(() => held.where()).toThrow('ENOENT')
  await expect(held.open(constants.O_RDONLY)).rejects.toThrow('ENOENT')
  held.close()
})

test('a file that was replaced at the same path is refused when it is held by name', async () => {
  const held = holdByName(join(root, 'a/file'), { follow: true })
  // The old file stays, so that its inode number is not reused.
  renameSync(join(root, 'a/file'), join(root, 'a/old'))
  writeFileSync(join(root, 'a/file'), 'another')
  expect(() => held.where()).toThrow('ENOENT')
  await expect(held.open(constants.O_RDONLY)).rejects.toThrow('ENOENT')
  held.close()
})

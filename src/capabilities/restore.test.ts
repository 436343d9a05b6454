import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Image } from '../contract/image.ts'
import { maxImageBytes, withImages } from './files/with-images.ts'
import { openFiles } from './files.ts'
import { restoreImages } from './restore.ts'

const base = mkdtempSync(join(tmpdir(), 'toolpact-restore-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

const bytes = (text: string) => new TextEncoder().encode(text)

function openFolder() {
  const root = mkdtempSync(join(base, 'root-'))
  const images = new Map<string, Image>()
  const files = withImages(openFiles({ root }), async (image) => {
    const first = images.get(image.path)
    images.set(image.path, first ? { ...image, before: first.before } : image)
  })
  return {
    root,
    files,
    images,
    read: (path: string) => readFileSync(join(root, path), 'utf8'),
    write: (path: string, text: string) => writeFileSync(join(root, path), text),
    undo: (options = {}) => restoreImages([...images.values()], { root, ...options }),
  }
}

test('a new file goes, with the folders that were made for it', async () => {
  const { root, files, undo } = openFolder()
  await files.createExclusive('a/b/new.txt', bytes('new'))
  expect(await undo()).toEqual([
    { path: 'a/b/new.txt', outcome: 'removed' },
    { path: 'a/b', outcome: 'removed' },
    { path: 'a', outcome: 'removed' },
  ])
  expect(existsSync(join(root, 'a'))).toBe(false)
})

test('a file that was written several times is as it was before the first', async () => {
  const { files, read, write, undo } = openFolder()
  write('a.txt', 'one')
  for (const text of ['two', 'three'])
    await files.replace('a.txt', bytes(text), (await files.readWhole('a.txt')).identity)
  expect(read('a.txt')).toBe('three')
  expect(await undo()).toEqual([{ path: 'a.txt', outcome: 'restored' }])
  expect(read('a.txt')).toBe('one')
  expect(await undo()).toEqual([{ path: 'a.txt', outcome: 'same' }])
})

test('appended entries are removed, and so is a file that an entry created', async () => {
  const { root, files, read, write, undo } = openFolder()
  write('log.txt', 'first')
  await files.append('log.txt', bytes('second'))
  await files.append('new/log.txt', bytes('entry'))
  expect((await undo()).map(({ outcome }) => outcome)).toEqual(['removed', 'removed', 'restored'])
  expect(read('log.txt')).toBe('first')
  expect(existsSync(join(root, 'new'))).toBe(false)
})

test('files that changed since stay, and this is reported', async () => {
  const { root, files, read, write, undo } = openFolder()
  write('a.txt', 'one')
  await files.replace('a.txt', bytes('two'), (await files.readWhole('a.txt')).identity)
  await files.createExclusive('b.txt', bytes('b'))
  await files.createDirectory('folder')
  write('a.txt', 'mine')
  write('b.txt', 'mine')
  write('folder/mine.txt', 'mine')
  expect(await undo()).toEqual([
    { path: 'folder', outcome: 'changed', reason: 'The folder has other things in it.' },
    { path: 'b.txt', outcome: 'changed', reason: 'It was changed since.' },
    { path: 'a.txt', outcome: 'changed', reason: 'It was changed since.' },
  ])
  expect([read('a.txt'), read('b.txt'), existsSync(join(root, 'folder/mine.txt'))]).toEqual(['mine', 'mine', true])
})

test('a file that is gone comes back, and a folder in its place stays', async () => {
  const { root, files, read, write, undo } = openFolder()
  write('a.txt', 'one')
  await files.replace('a.txt', bytes('two'), (await files.readWhole('a.txt')).identity)
  rmSync(join(root, 'a.txt'))
  expect(await undo()).toEqual([{ path: 'a.txt', outcome: 'restored' }])
  expect(read('a.txt')).toBe('one')
  rmSync(join(root, 'a.txt'))
  mkdirSync(join(root, 'a.txt'))
  expect(await undo()).toEqual([{ path: 'a.txt', outcome: 'changed', reason: 'There is a folder now.' }])
})

test('nothing outside, protected or closed is touched', async () => {
  const { root, files, undo } = openFolder()
  const outside = join(base, 'outside.txt')
  writeFileSync(outside, 'new')
  await files.createExclusive('a.txt', bytes('new'))
  rmSync(join(root, 'a.txt'))
  symlinkSync(outside, join(root, 'a.txt'))
  expect(await undo()).toMatchObject([{ outcome: 'failed', reason: expect.stringContaining('outside') }])
  const foreign = [{ path: '../outside.txt', before: null, after: 'x' } as const]
  expect(await restoreImages(foreign, { root })).toMatchObject([{ outcome: 'failed' }])
  expect(await restoreImages([{ path: '.git/config', before: bytes('x') }], { root })).toMatchObject([
    { outcome: 'failed' },
  ])
  expect(readFileSync(outside, 'utf8')).toBe('new')
})

test('a file that is too large is appended to, and reported as too large', async () => {
  const { files, images, write, undo } = openFolder()
  write('large.txt', 'x'.repeat(maxImageBytes + 1))
  await files.append('large.txt', bytes('entry'))
  expect(images.get('large.txt')).toEqual({ path: 'large.txt', before: 'too_large' })
  expect(await undo()).toMatchObject([{ outcome: 'too_large' }])
})

test('a write whose old content cannot be stored does not happen', async () => {
  const { root } = openFolder()
  writeFileSync(join(root, 'old.txt'), 'old')
  const plain = openFiles({ root })
  const files = withImages(plain, async () => {
    throw new Error('The disk is full.')
  })
  const { identity } = await plain.readWhole('old.txt')
  await expect(files.createExclusive('new.txt', bytes('x'))).rejects.toThrow('The disk is full.')
  await expect(files.replace('old.txt', bytes('x'), identity)).rejects.toThrow('The disk is full.')
  await expect(files.append('old.txt', bytes('x'))).rejects.toThrow('The disk is full.')
  await expect(files.createDirectory('folder')).rejects.toThrow('The disk is full.')
  expect(readFileSync(join(root, 'old.txt'), 'utf8')).toBe('old')
  expect(existsSync(join(root, 'new.txt'))).toBe(false)
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Image } from '../../contract/image.ts'
import { openFiles } from '../files.ts'
import { maxImageBytes, withImages } from './with-images.ts'

function open() {
  const root = mkdtempSync(join(tmpdir(), 'toolpact-images-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const images: Image[] = []
  const files = withImages(openFiles({ root }), async (image) => void images.push(image))
  return { root, files, images }
}

test('a file that is too large to keep is replaced all the same, and its image says so', async () => {
  const { root, files, images } = open()
  writeFileSync(join(root, 'large'), 'x'.repeat(maxImageBytes + 1))
  const { identity } = await files.readWhole('large', { maxBytes: maxImageBytes + 1 })
  await files.replace('large', Buffer.from('small'), identity)
  expect(images).toMatchObject([{ path: 'large', before: 'too_large' }])
})

test('a write whose image cannot be read does not happen', async () => {
  const { root, files, images } = open()
  writeFileSync(join(root, 'file'), 'a')
  const { identity } = await files.readWhole('file')
  await files.createDirectory('folder')
  await expect(files.replace('folder', Buffer.from('x'), identity)).rejects.toMatchObject({ code: 'not_a_file' })
  expect(images.filter(({ before }) => before !== null)).toEqual([])
})

test('every folder that a write creates is kept, outermost first', async () => {
  const { files, images } = open()
  await files.createExclusive('one/two/file', Buffer.from('x'))
  await files.createExclusive('one/two/other', Buffer.from('x'))
  await files.createDirectory('one/three/four')
  expect(images.map(({ path, after }) => (after === 'directory' ? `${path}/` : path))).toEqual([
    'one/',
    'one/two/',
    'one/two/file',
    'one/two/other',
    'one/three/',
    'one/three/four/',
  ])
})

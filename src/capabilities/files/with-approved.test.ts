import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { OutdatedApproval } from '../../contract/approved-files.ts'
import { openFiles } from '../files.ts'
import { withApproved } from './with-approved.ts'

function open() {
  const root = realpathSync(makeFolder())
  for (const name of ['docs', 'src']) mkdirSync(join(root, name))
  writeFileSync(join(root, 'docs/log.md'), 'first\n')
  const files = openFiles({ root })
  const places = new Map([
    ['docs/log.md', join(root, 'docs/log.md')],
    ['docs/new.md', join(root, 'docs/new.md')],
  ])
  const approved = withApproved(files, { approved: { places, contents: new Map() } })
  const swap = () => {
    renameSync(join(root, 'docs'), join(root, 'moved'))
    symlinkSync(join(root, 'src'), join(root, 'docs'))
  }
  return { root, files, approved, swap }
}

test('an entry is appended where it was shown, also to a new file and by another spelling of the path', async () => {
  const { root, approved } = open()
  await approved.append('docs/log.md', Buffer.from('second'))
  await approved.append('docs/./new.md', Buffer.from('only'))
  expect(readFileSync(join(root, 'docs/log.md'), 'utf8')).toBe('first\nsecond\n')
  expect(readFileSync(join(root, 'docs/new.md'), 'utf8')).toBe('only\n')
})

test.each(['docs/log.md', 'docs/new.md'])('an entry for %s is not appended elsewhere', async (path) => {
  const { root, approved, swap } = open()
  swap()
  await expect(approved.append(path, Buffer.from('second'))).rejects.toThrow(OutdatedApproval)
  expect(existsSync(join(root, 'src/new.md'))).toBe(false)
  expect(existsSync(join(root, 'src/log.md'))).toBe(false)
  expect(readFileSync(join(root, 'moved/log.md'), 'utf8')).toBe('first\n')
})

test('files that were not shown are written as usual', async () => {
  const { root, approved, swap } = open()
  swap()
  await approved.createExclusive('docs/other.md', Buffer.from('x'))
  expect(existsSync(join(root, 'src/other.md'))).toBe(true)
})

test('the content of every whole read is recorded', async () => {
  const { files } = open()
  const read: string[] = []
  const { identity } = await withApproved(files, { onRead: (...found) => read.push(...found) }).readWhole('docs/log.md')
  expect(read).toEqual(['docs/log.md', identity.digest])
})

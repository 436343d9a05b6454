import { linkSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { openFiles } from '../files.ts'
import { holdByDescriptor, holdByName } from './held.ts'

const holds = [holdByName, ...(process.platform === 'linux' ? [holdByDescriptor] : [])]

function open(hold = holds[0]!) {
  const root = makeFolder()
  mkdirSync(join(root, 'folder/state'), { recursive: true })
  mkdirSync(join(root, '.git'))
  for (const path of ['file', 'folder/a', '.git/config', 'twin']) writeFileSync(join(root, path), 'x')
  linkSync(join(root, 'twin'), join(root, 'twin2'))
  symlinkSync('missing', join(root, 'nowhere'))
  symlinkSync('circle', join(root, 'circle'))
  symlinkSync('folder', join(root, 'link'))
  return { root, files: openFiles({ root, hold, denied: [join(root, 'folder/state')] }) }
}

const paths = [
  ...['.', 'file', 'folder', 'folder/a', 'file/a', 'file/a/b', 'new', 'new/a/b', 'link', 'link/a', 'link/new/b'],
  ...['nowhere', 'nowhere/a', 'circle', 'circle/a', '..', '../a', 'link/../../a', '/etc/passwd', 'a\0b', 'twin'],
  ...['.git', '.git/config', '.git/new', '.git/new/a', 'x/.git/config', 'folder/state', 'folder/state/a'],
  ...['x'.repeat(300), `new/${'x'.repeat(300)}`, `${'x'.repeat(300)}/a`],
]

test.each(holds)('a check fails as its operation does, and changes nothing (%o)', async (hold) => {
  const x = Buffer.from('x')
  for (const path of paths) {
    const { root, files } = open(hold)
    const before = readdirSync(root, { recursive: true })
    const { check } = files
    const checked = {
      read: await outcomeOf(check.read(path)),
      list: await outcomeOf(check.list(path)),
      replace: await outcomeOf(check.replace(path)),
      createExclusive: await outcomeOf(check.createExclusive(path)),
      append: await outcomeOf(check.append(path)),
      createDirectory: await outcomeOf(check.createDirectory(path)),
    }
    expect(readdirSync(root, { recursive: true })).toEqual(before)
    const identity = () => files.readWhole('file').then((whole) => whole.identity)
    const done = {
      read: await outcomeOf(files.readWhole(path)),
      list: await outcomeOf(files.list(path)),
      // Of another file, so that no replaceable file is replaced.
      replace: await outcomeOf(files.replace(path, x, { ...(await identity()), size: -1 })),
      createExclusive: await outcomeOf(open(hold).files.createExclusive(path, x)),
      append: await outcomeOf(open(hold).files.append(path, x)),
      createDirectory: await outcomeOf(open(hold).files.createDirectory(path)),
    }
    expect({ path, ...checked }).toEqual({ path, ...done })
  }
})

/** A changed file could have been replaced. */
async function outcomeOf(attempt: Promise<unknown>): Promise<string> {
  const failed = await attempt.then(
    () => undefined,
    (error) => error,
  )
  return failed === undefined || failed.code === 'file_changed' ? 'done' : `${failed.code}: ${failed.message}`
}

import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../../test/helpers/open-test-pipeline.ts'
import { StateError } from '../../../state/state-error.ts'
import { openTrustFile } from './trust-file.ts'

function openNew() {
  const directory = join(makeFolder(), 'state')
  return { directory, path: join(directory, 'trust.json'), ...openTrustFile({ directory }) }
}

const entry = (path: string, digest = 'sha256:1') => ({
  path,
  digest,
  trustedBy: 'ada',
  trustedAt: '2026-06-01T09:00:00.000Z',
})

test('nothing is trusted without a file, and looking makes none', async () => {
  const { directory, load, remove } = openNew()
  expect(load()).toEqual([])
  expect(await remove('/a')).toBe(false)
  expect(existsSync(directory)).toBe(false)
})

test('what is trusted at a path takes the place of what was, and is removed by the path', async () => {
  const { load, add, remove } = openNew()
  await add(entry('/a'))
  await add(entry('/b'))
  await add(entry('/a', 'sha256:2'))
  expect(load()).toEqual([entry('/b'), entry('/a', 'sha256:2')])
  expect(await remove('/b')).toBe(true)
  expect(load()).toEqual([entry('/a', 'sha256:2')])
})

test('entries that are added at once are all kept', async () => {
  const { load, add } = openNew()
  await Promise.all(Array.from({ length: 20 }, (_, index) => add(entry(`/${index}`))))
  expect(load()).toHaveLength(20)
})

test('the file belongs to its user alone', async () => {
  const { directory, path, add } = openNew()
  await add(entry('/a'))
  expect(readdirSync(directory).sort()).toEqual(['trust.json', 'trust.json.lock'])
  if (process.platform === 'win32') return
  for (const name of [directory, path, `${path}.lock`]) expect(statSync(name).mode & 0o077).toBe(0)
})

test.skipIf(process.platform === 'win32').each<[string, (path: string, directory: string) => void, string]>([
  ['a file that others may write', (path) => chmodSync(path, 0o666), 'may be written by others'],
  ['a directory that others may write', (_, directory) => chmodSync(directory, 0o777), 'may be written by others'],
])('%s trusts nothing, and says why', async (_, change, words) => {
  const { directory, path, load, add } = openNew()
  await add(entry('/a'))
  change(path, directory)
  expect(load).toThrow(StateError)
  expect(load).toThrow(words)
  await expect(add(entry('/b'))).rejects.toThrow(words)
})

test.each<[text: string, words: string]>([
  ['{', 'is not valid'],
  ['[]', 'has the version undefined'],
  ['{"version":2,"trusted":[]}', 'has the version 2'],
  ['{"version":1}', "has no list 'trusted'"],
  ['{"version":1,"trusted":[null]}', "has no 'path' in entry 1"],
  ['{"version":1,"trusted":[{"path":"/a","digest":1}]}', "has no 'digest' in entry 1"],
])('%s trusts nothing', (text, words) => {
  const { directory, path, load } = openNew()
  mkdirSync(directory, { mode: 0o700 })
  writeFileSync(path, text, { mode: 0o600 })
  expect(load).toThrow(StateError)
  expect(load).toThrow(words)
})

test.skipIf(process.platform === 'win32')('a link in place of the file trusts nothing', () => {
  const { directory, path, load } = openNew()
  mkdirSync(directory, { mode: 0o700 })
  symlinkSync('/dev/null', path)
  expect(load).toThrow('is a symbolic link')
})

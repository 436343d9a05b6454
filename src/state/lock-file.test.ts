import { spawn } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openLockFile } from './lock-file.ts'
import { StateError } from './state-error.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolpact-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function openNumbers() {
  return openLockFile<number[]>({
    path: join(folder, 'toolpact.lock'),
    directory: () => join(folder, 'state'),
    read: (bytes) => {
      const value = JSON.parse(Buffer.from(bytes).toString())
      if (!Array.isArray(value)) throw new Error('is no list')
      return value
    },
    write: (numbers) => JSON.stringify(numbers),
  })
}

test('there is none at first; a change makes it, and nothing else is left in the folder', async () => {
  const file = openNumbers()
  expect(file.load()).toBeUndefined()
  expect(await file.change((numbers = []) => [...numbers, 1])).toEqual([1])
  expect(await file.change((numbers = []) => [...numbers, 2])).toEqual([1, 2])
  expect(file.load()).toEqual([1, 2])
  expect(readdirSync(folder).sort()).toEqual(['state', 'toolpact.lock'])
})

test('a file that stays the same is not written, and one that changes keeps its mode', async () => {
  const file = openNumbers()
  await file.change(() => [1])
  const path = join(folder, 'toolpact.lock')
  const { ino } = statSync(path)
  await file.change(() => [1])
  expect(statSync(path).ino).toBe(ino)
  chmodSync(path, 0o640)
  await file.change(() => [1, 2])
  expect(statSync(path).mode & 0o777).toBe(0o640)
})

test.each<[what: string, make: (path: string) => void, words: string]>([
  ['holds something else', (path) => writeFileSync(path, '{}'), 'is no list'],
  ['is a folder', (path) => mkdirSync(path), 'is not a regular file'],
  ['is a link', (path) => symlinkSync('/etc/hostname', path), 'is not a regular file'],
  ['is a dangling link', (path) => symlinkSync(`${path}.none`, path), 'is not a regular file'],
])('a file that %s is refused, says what to do, and is left as it is', async (_what, make, words) => {
  const path = join(folder, 'toolpact.lock')
  make(path)
  const file = openNumbers()
  expect(() => file.load()).toThrow(StateError)
  expect(() => file.load()).toThrow(`The lock ${path} ${words}`)
  expect(() => file.load()).toThrow('Take it back from version control')
  await expect(file.change(() => [1])).rejects.toThrow(words)
  expect(readdirSync(folder).filter((name) => name.startsWith('toolpact.lock'))).toEqual(['toolpact.lock'])
})

test('a change that fails, or could not be read again, leaves the file as it was', async () => {
  const file = openNumbers()
  await file.change(() => [1])
  await expect(
    file.change(() => {
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  await expect(file.change(() => ({}) as number[])).rejects.toThrow('is no list')
  expect(file.load()).toEqual([1])
})

test('processes that write at once lose nothing', { timeout: 60_000 }, async () => {
  const script = join(folder, 'writer.ts')
  writeFileSync(
    script,
    `import { openLockFile } from ${JSON.stringify(new URL('lock-file.ts', import.meta.url).href)}
     const file = openLockFile({
       path: ${JSON.stringify(join(folder, 'toolpact.lock'))},
       directory: () => ${JSON.stringify(join(folder, 'state'))},
       read: (bytes) => JSON.parse(Buffer.from(bytes).toString()),
       write: (numbers) => JSON.stringify(numbers),
     })
     for (let index = 0; index < 10; index++) await file.change((numbers = []) => [...numbers, Number(process.argv[2]) * 100 + index])`,
  )
  const codes = await Promise.all(
    [1, 2, 3, 4].map(
      (writer) =>
        new Promise((resolve) => {
          spawn(process.execPath, [script, String(writer)], { stdio: 'inherit' }).on('close', resolve)
        }),
    ),
  )
  expect(codes).toEqual([0, 0, 0, 0])
  const wanted = [1, 2, 3, 4].flatMap((writer) => Array.from({ length: 10 }, (_, index) => writer * 100 + index))
  expect(JSON.parse(readFileSync(join(folder, 'toolpact.lock'), 'utf8')).sort()).toEqual(wanted)
})

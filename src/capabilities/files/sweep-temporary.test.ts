import { execFileSync, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sweepTemporaryFiles } from './sweep-temporary.ts'

const never = new AbortController().signal

/** A workspace, and a function that writes a file into it with an old modification time. */
function openWorkspace() {
  const root = mkdtempSync(join(tmpdir(), 'toolpact-sweep-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const write = (path: string, minutesAgo = 60) => {
    const full = join(root, path)
    mkdirSync(dirname(full), { recursive: true })
    writeFileSync(full, '')
    const time = Date.now() / 1000 - 60 * minutesAgo
    utimesSync(full, time, time)
    return full
  }
  return { root, write }
}

const temporary = () => `.toolpact-${randomUUID()}.tmp`

test('temporary files of killed processes are removed in every folder, and nothing else is', async () => {
  const { root, write } = openWorkspace()
  const left = [write(temporary()), write(`a/b/${temporary()}`)]
  const kept = [
    write(temporary(), 1),
    write('notes.tmp'),
    write(`${temporary()}.txt`),
    write(`.git/${temporary()}`),
    write(`a/node_modules/${temporary()}`),
  ]
  mkdirSync(join(root, temporary()))
  expect(await sweepTemporaryFiles(root, never)).toBe(2)
  expect(left.filter(existsSync)).toEqual([])
  expect(kept.filter(existsSync)).toEqual(kept)
})

test.skipIf(process.platform === 'win32')(
  'a file that cannot be removed does not keep the others (skipped for a root that may not mount)',
  async ({ skip }) => {
    const { root, write } = openWorkspace()
    for (const folder of ['a', 'b', 'c']) write(`${folder}/${temporary()}`)
    const locked = write(`locked/${temporary()}`)
    if (!keep(locked)) skip()
    expect(await sweepTemporaryFiles(root, never)).toBe(3)
    expect(existsSync(locked)).toBe(true)
  },
)

/** Makes a file that cannot be removed, even by root, for whom permissions do not count. False if that is not possible. */
function keep(path: string): boolean {
  if (process.getuid?.() === 0) {
    if (spawnSync('mount', ['--bind', path, path]).status !== 0) return false
    onTestFinished(() => void execFileSync('umount', [path]))
  } else {
    chmodSync(dirname(path), 0o500)
    onTestFinished(() => chmodSync(dirname(path), 0o700))
  }
  return true
}

test('the walk ends at a depth of 20 folders', async () => {
  const { root, write } = openWorkspace()
  const [deepest, deeper] = [write(`${'d/'.repeat(20)}${temporary()}`), write(`${'d/'.repeat(21)}${temporary()}`)]
  expect(await sweepTemporaryFiles(root, never)).toBe(1)
  expect([deepest, deeper].map(existsSync)).toEqual([false, true])
})

test('nothing is removed after an abort, or in a missing folder', async () => {
  const { root, write } = openWorkspace()
  const left = write(temporary())
  expect(await sweepTemporaryFiles(root, AbortSignal.abort())).toBe(0)
  expect(await sweepTemporaryFiles(join(root, 'missing'), never)).toBe(0)
  expect(existsSync(left)).toBe(true)
})

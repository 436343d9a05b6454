import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openFiles } from '../files.ts'

/** Swaps a directory for a link to another one and back, as fast as it can. */
const swapper = `
  const fs = require('node:fs')
  const [directory, outside] = process.argv.slice(1)
  process.stdout.write('ready')
  const attempt = (step) => {
    for (;;) {
      try {
        return step()
      } catch {
        // The calls under test recreate and fill the directory while it is moved aside.
        try {
          fs.rmSync(directory, { recursive: true, force: true })
        } catch {}
      }
    }
  }
  for (;;) {
    fs.renameSync(directory, directory + '.aside')
    attempt(() => fs.symlinkSync(outside, directory))
    fs.unlinkSync(directory)
    attempt(() => fs.renameSync(directory + '.aside', directory))
  }
`

let place: string
let root: string
let outside: string
let child: ChildProcess
let closed: Promise<unknown>

beforeEach(async () => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'toolpact-swap-')))
  root = join(place, 'root')
  outside = join(place, 'outside')
  for (const [directory, content] of [
    [join(root, 'directory'), 'inside\n'],
    [outside, 'secret\n'],
  ] as const) {
    mkdirSync(join(directory, 'deep'), { recursive: true })
    for (const name of ['file', 'deep/file']) writeFileSync(join(directory, name), content)
  }
  writeFileSync(join(outside, 'only-outside'), '')
  child = spawn(process.execPath, ['-e', swapper, join(root, 'directory'), outside])
  closed = once(child, 'close')
  await once(child.stdout!, 'data')
})

afterEach(async () => {
  child.kill('SIGKILL')
  await closed
  rmSync(place, { recursive: true, force: true })
})

test.skipIf(process.platform !== 'linux')(
  'while a parent is swapped for a link, not a byte outside is read or written',
  { timeout: 120_000 },
  async () => {
    const files = openFiles({ root })
    const seen = { inside: 0, refused: 0 }
    const paths = ['directory/file', 'directory/deep/file']
    const end = Date.now() + 3000
    for (let round = 0; Date.now() < end || (seen.inside < 20 && round < 100_000); round++) {
      const path = paths[round % 2]!
      const results = await Promise.allSettled([
        files.readLines(path).then(({ text }) => expect(text).toBe('inside\n')),
        files.readWhole(path).then(async ({ bytes, identity }) => {
          expect(Buffer.from(bytes).toString()).toBe('inside\n')
          await files.replace(path, bytes, identity)
        }),
        files.createExclusive(`directory/deep/new-${round}`, Buffer.from('inside\n')),
        files.createDirectory(`directory/made-${round}/deep`),
        files.append(`directory/deep/appended-${round % 3}`, Buffer.from('inside')),
        files
          .list('directory')
          .then(({ entries }) => expect(entries.some(({ name }) => name === 'only-outside')).toBe(false)),
        files.stat(path),
      ])
      for (const result of results) {
        if (result.status === 'fulfilled') seen.inside++
        else {
          seen.refused++
          expect(result.reason, String(result.reason.stack)).toMatchObject({
            code: expect.stringMatching(/^(path_outside_working_dir|file_not_found|file_changed|not_a_directory)$/),
          })
        }
      }
    }
    expect(child.exitCode).toBeNull()
    expect(seen.inside).toBeGreaterThan(10)
    expect(seen.refused).toBeGreaterThan(10)
    expect(readdirSync(outside).sort()).toEqual(['deep', 'file', 'only-outside'])
    expect(readdirSync(join(outside, 'deep'))).toEqual(['file'])
    for (const name of ['file', 'deep/file']) expect(readFileSync(join(outside, name), 'utf8')).toBe('secret\n')
  },
)

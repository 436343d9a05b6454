import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { entries } from '../../../test/helpers/run-command.ts'

let root: string
const size = 8_000_000

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'toolpact-crash-'))
})

afterEach(() => {
  rmSync(root, { recursive: true, force: true })
})

/** Runs a program that uses `files`, and kills it after a while. */
async function crash(program: string, afterMs: number): Promise<void> {
  const code = `
    import { openFiles } from ${JSON.stringify(pathToFileURL(entries.files).href)}
    const files = openFiles({ root: ${JSON.stringify(root)} })
    process.stdout.write('ready')
    ${program}
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  await Promise.race([once(child.stdout, 'data'), closed])
  await delay(afterMs)
  child.kill('SIGKILL')
  await closed
}

test('a crash while creating leaves the whole file or none', async () => {
  for (let round = 0; round < 12; round++) {
    const path = `file-${round}`
    await crash(`await files.createExclusive('${path}', Buffer.alloc(${size}, 'x'))`, round * 2)
    if (existsSync(join(root, path))) expect(statSync(join(root, path)).size).toBe(size)
  }
})

test('a crash while replacing leaves the old content or the new', async () => {
  const path = join(root, 'file')
  writeFileSync(path, 'a'.repeat(size))
  for (let round = 0; round < 12; round++) {
    await crash(
      `for (;;) {
        const { bytes, identity } = await files.readWhole('file')
        await files.replace('file', Buffer.alloc(${size}, bytes[0] === 97 ? 'b' : 'a'), identity)
      }`,
      10 + round * 7,
    )
    const content = readFileSync(path, 'utf8')
    expect(content === 'a'.repeat(size) || content === 'b'.repeat(size)).toBe(true)
  }
})

import assert from 'node:assert/strict'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { type Files, openFiles } from '../../src/capabilities/files.ts'
import { ToolError } from '../../src/contract/tool-error.ts'
import { defineTarget } from './target.ts'

const secret = 'nobody may read this'
const names = ['.', '..', '...', '', 'inner', 'file.txt', 'out', 'out-file', 'up', 'loop', 'secret', 'root-evil', 'ROOT', 'new', '~', 'C:', '\\..\\', '%2e%2e', '．．', '\u2025', 'é', 'e\u0301', 'a\u202eb', 'x'.repeat(300), '-rf', 'nul', 'file.txt\0', '\ud800', 'file:', 'http:'] // biome-ignore format: one line
const part = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...names) }, fc.string({ unit: 'binary', maxLength: 10 }))
const operations: { readonly [name: string]: (files: Files, path: string) => Promise<unknown> } = {
  readLines: (files, path) => files.readLines(path),
  readWhole: (files, path) => files.readWhole(path),
  stat: (files, path) => files.stat(path),
  locate: (files, path) => files.locate(path),
  list: (files, path) => files.list(path),
  createExclusive: (files, path) => files.createExclusive(path, Buffer.from('x')),
  createDirectory: (files, path) => files.createDirectory(path),
  append: (files, path) => files.append(path, Buffer.from('x\n')),
}

/** For any path, nothing outside the root is read or changed, and refusals have a code. */
export const pathTarget = defineTarget(() => {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'toolpact-fuzz-')))
  const [root, outside] = [join(place, 'root'), join(place, 'root-evil')]
  const reset = () => {
    for (const folder of [root, outside]) rmSync(folder, { recursive: true, force: true })
    mkdirSync(join(root, 'inner'), { recursive: true })
    mkdirSync(outside)
    writeFileSync(join(outside, 'secret'), secret)
    writeFileSync(join(root, 'file.txt'), 'a line\n')
    symlinkSync(outside, join(root, 'out'))
    symlinkSync(join(outside, 'secret'), join(root, 'out-file'))
    symlinkSync('..', join(root, 'inner', 'up'))
    symlinkSync('loop', join(root, 'loop'))
  }
  reset()
  const files = openFiles({ root })
  const isAsItWas = () =>
    readdirSync(place).join() === 'root,root-evil' &&
    readdirSync(outside).join() === 'secret' &&
    readFileSync(join(outside, 'secret'), 'utf8') === secret
  return {
    inputs: fc.record({
      parts: fc.array(part, { maxLength: 6 }),
      start: fc.constantFrom('', '', '/', './', '//', 'ROOT', 'OUTSIDE', '\\\\'),
      operation: fc.constantFrom(...Object.keys(operations)),
    }),
    async check({ parts, start, operation }) {
      const first = start === 'ROOT' ? `${root}/` : start === 'OUTSIDE' ? `${outside}/` : start
      try {
        const found = await operations[operation]!(files, first + parts.join('/'))
        const told = JSON.stringify(found, (_, value) => (typeof value === 'bigint' ? String(value) : value))
        // A listing shows link targets, nothing more.
        const isTold = operation !== 'list' && told.includes(`${outside}/`)
        assert.ok(!isTold && !told.includes(secret), `${operation} told what is outside`)
        const { bytes } = found as { bytes?: unknown }
        if (bytes instanceof Uint8Array)
          assert.ok(!Buffer.from(bytes).includes(secret), `${operation} read what is outside`)
      } catch (error) {
        if (!(error instanceof ToolError)) throw error
      }
      const isSound = isAsItWas()
      if (!isSound || readdirSync(root).length > 50) {
        for (const name of readdirSync(place)) rmSync(join(place, name), { recursive: true, force: true })
        // The root is resolved by name, so a new folder of that name becomes the root.
        reset()
      }
      assert.ok(isSound, `${operation} changed what is outside`)
    },
    close: () => rmSync(place, { recursive: true, force: true }),
  }
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { beginArrived } from '../../../contract/arrived-together.ts'
import { openStateFiles } from './state-files.ts'

test('calls that arrived together see one version of the rules, and those after them the next', () => {
  const directory = mkdtempSync(join(tmpdir(), 'toolpact-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const { rules } = openStateFiles(() => directory)
  const versions: unknown[] = []
  beginArrived(() => {
    versions.push(rules.version())
    writeFileSync(join(directory, 'rules.json'), '[]')
    versions.push(rules.version())
  })
  const next = rules.version()
  expect(versions).toEqual([undefined, undefined])
  expect(next).toEqual(expect.any(String))
  writeFileSync(join(directory, 'rules.json'), '[ ]')
  expect(rules.version()).not.toBe(next)
})

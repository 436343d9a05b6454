import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { makeFolder } from '../helpers/open-test-pipeline.ts'
import { entries } from '../helpers/run-command.ts'

// Each call stayed in memory until the next full collection, although nothing used it any more: 6 KB. What is left are its records.
test('of calls through the host, little outlives the collections of new objects', () => {
  const args = ['--expose-gc', entries.hostHeap, makeFolder()]
  const printed = execFileSync(process.execPath, args, { encoding: 'utf8', timeout: 150_000 })
  expect(printed).toMatch(/^\d+\n$/)
  expect(Number(printed)).toBeLessThan(3000)
})

import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { entries } from '../helpers/run-command.ts'

test('nothing that misbehaves escapes from its call: no unhandled rejection, no exception, no warning', () => {
  const printed = execFileSync(process.execPath, [entries.pipelineQuiet], { encoding: 'utf8', timeout: 150_000 })
  expect(JSON.parse(printed)).toEqual({
    ends: ['cancelled', 'internal', 'invalid_output', 'success', 'timeout'],
    escaped: [],
  })
})

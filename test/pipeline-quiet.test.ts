import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const script = fileURLToPath(new URL('pipeline-quiet-process.ts', import.meta.url))

test('nothing that misbehaves escapes from its call: no unhandled rejection, no exception, no warning', () => {
  const printed = execFileSync(process.execPath, [script], { encoding: 'utf8', timeout: 30_000 })
  expect(JSON.parse(printed)).toEqual({
    ends: ['cancelled', 'internal', 'invalid_output', 'success', 'timeout'],
    escaped: [],
  })
})

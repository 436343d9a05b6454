import { expect, test } from 'vitest'
import { readReport } from './report.ts'

test.each([
  ['what is new is reported', '/tmp/old\0\0/tmp/old\0/tmp/new\0/run/.new\0\0', ['/tmp/new', '/run/.new']],
  ['what was there before is not', '/tmp/old\0\0/tmp/old\0\0', []],
  ['a command that was ended before it could report left nothing known', '/tmp/old\0\0', []],
  ['nothing was reported at all', '', []],
])('%s', (_, report, discarded) => {
  expect(readReport(report)).toEqual({ discarded })
})

import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { findMetLimit, toLimitScript } from './limits.ts'

test.each([
  [153, '', 'file size'],
  [1, 'OSError: [Errno 27] File too large', 'file size'],
  [1, 'MemoryError', 'memory'],
  [134, 'FATAL ERROR: JavaScript heap out of memory', 'memory'],
  [2, 'sh: 1: Cannot fork', 'processes'],
  [254, 'bash: fork: retry: Resource temporarily unavailable', 'processes'],
  [1, 'assertion failed', undefined],
  [0, 'MemoryError', undefined],
  [null, '', undefined],
])('exit code %j with %j is about %s', (exitCode, complaint, limit) => {
  expect(findMetLimit(exitCode, complaint)).toBe(limit)
})

test.skipIf(process.platform !== 'linux').each(['sh', 'bash --posix'])('%s sets the limits', (shell) => {
  const script = toLimitScript({ processes: 321, memoryBytes: 64 * 1024 ** 2, fileBytes: 1024 ** 2 })
  const [program = '', ...options] = shell.split(' ')
  const text = execFileSync(program, [...options, '-c', `${script}\ncat /proc/self/limits`], { encoding: 'utf8' })
  const limits = Object.fromEntries(
    text.split('\n').map((line) => [line.slice(0, 26).trim(), line.slice(26).trim().split(/\s+/).slice(0, 2)]),
  )
  expect(limits).toMatchObject({
    'Max processes': ['321', '321'],
    'Max data size': ['67108864', '67108864'],
    'Max file size': ['1048576', '1048576'],
    'Max core file size': ['0', '0'],
  })
})

import { expect, test } from 'vitest'
import { toHints } from './hints.ts'

const outcome = (text: string, more: { exitCode?: number; limit?: 'memory' } = {}) =>
  ({ exitCode: 1, ...more, stderr: { text } }) as Parameters<typeof toHints>[0]
const git = { access: 'read', reason: 'it runs sh', pushes: false } as const
const hintsOf = (text: string, more = {}, sandbox = 'bubblewrap') =>
  toHints(outcome(text, more), { workingDirectory: '/project', git, sandbox }).join('\n')

test('a failure is explained by what the sandbox denies, with the setting that allows it', () => {
  expect(hintsOf('', { limit: 'memory' })).toMatch(/^It exceeded the limit on memory\. .*"memoryMb"/)
  expect(hintsOf('MemoryError')).toMatch(/^It may have hit the limit on memory\./)
  expect(hintsOf('connect: Operation not permitted')).toContain('"sandboxUnixSockets": true')
  expect(hintsOf('touch: /etc/x: Read-only file system')).toContain('write only the working directory')
  expect(hintsOf('.git/index.lock: Read-only file system')).toContain('this command only reads it: it runs sh.')
  expect(hintsOf("fatal: transport 'file' not allowed")).toContain('Ask the operator to push there')
  expect(hintsOf('cat: /home/ada/notes: No such file or directory')).toContain('"sandboxRead": ["/path"]')
})

test.each([
  ['a file that is missing in the working directory', 'cat: /project/notes: No such file or directory'],
  ['a file that is missing in the system', 'cat: /usr/lib/notes: No such file or directory'],
  ['a file without a folder', 'cat: notes: No such file or directory'],
  ['any other failure', 'cat: /home/ada/notes: Is a directory'],
])('the sandbox is not blamed for %s', (_, text) => {
  expect(hintsOf(text)).toBe('')
})

test('a command that succeeded gets no hints, whatever it wrote', () => {
  expect(hintsOf('MemoryError, EPERM, EROFS, /home/ada ENOENT', { exitCode: 0 })).toBe('')
})

test('Seatbelt has one error for all that it denies', () => {
  const said = hintsOf('cat: /Users/ada/notes: Operation not permitted', {}, 'seatbelt')
  expect(said).toContain('can write only the working directory')
  expect(said).toContain('"sandboxRead"')
  expect(said).not.toContain('Unix sockets')
})

import { expect, test } from 'vitest'
import { chooseShell, findMissingCommand } from './shell.ts'

test.skipIf(process.platform === 'win32')('a POSIX shell of the user is used', () => {
  expect(chooseShell('/bin/sh', '/work')).toEqual({ program: '/bin/sh', options: ['-c', '--'] })
})

test.each(['/usr/bin/fish', '/usr/bin/nu', '/bin/tcsh', '/usr/bin/pwsh', '/no/such/bash', 'bash'])(
  '%s is replaced by /bin/sh, and reported',
  (shell) => {
    expect(chooseShell(shell, '/work', 'linux')).toEqual({
      program: '/bin/sh',
      options: ['-c', '--'],
      insteadOf: shell,
    })
  },
)

test.each([undefined, '', '/usr/sbin/nologin', '/bin/false'])('%s is not reported as a shell', (shell) => {
  expect(chooseShell(shell, '/work', 'linux')).toEqual({ program: '/bin/sh', options: ['-c', '--'] })
})

test('on Windows commands run in cmd.exe', () => {
  expect(chooseShell('C:\\Program Files\\Git\\bin\\bash.exe', 'C:\\work', 'win32')).toMatchObject({
    program: 'cmd.exe',
  })
})

test.each([
  ['linux', 127, 'sh: 1: nope: not found\n', 'nope'],
  ['linux', 127, 'bash: line 1: nope: command not found\n', 'nope'],
  ['darwin', 127, 'zsh:1: command not found: nope\n', 'nope'],
  ['linux', 127, 'sh: 1: nope: Permission denied\n', 'nope'],
  ['linux', 1, 'sh: 1: nope: not found\n', undefined],
  ['linux', 127, 'something else\n', undefined],
  [
    'win32',
    1,
    "'nope' is not recognized as an internal or external command,\r\noperable program or batch file.\r\n",
    'nope',
  ],
  ['win32', 9009, "'a b' is not recognized as an internal or external command,\r\n", 'a b'],
  ['win32', 0, "'nope' is not recognized as an internal or external command,\r\n", undefined],
  ['win32', 1, 'The system cannot find the path specified.\r\n', undefined],
] as const)('on %s, exit code %i after %j names %s', (platform, exitCode, complaint, expected) => {
  expect(findMissingCommand(exitCode, complaint, platform)).toBe(expected)
})

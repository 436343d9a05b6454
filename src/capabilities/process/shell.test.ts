import { expect, test } from 'vitest'
import { chooseShell } from './shell.ts'

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

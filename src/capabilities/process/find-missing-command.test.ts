import { expect, test } from 'vitest'
import { findMissingCommand } from './find-missing-command.ts'

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

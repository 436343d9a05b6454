import { expect, test } from 'vitest'
import { decidePath, isInside } from './path.ts'

const posixRules = { roots: ['/home/ada/work', '/data/work'], platform: 'linux' } as const
const windowsRules = { roots: ['C:\\work'], platform: 'win32' } as const

test.each([
  ['a.txt', ['a.txt']],
  ['./src//a.txt', ['src', 'a.txt']],
  ['src/../a.txt', ['a.txt']],
  ['.', []],
  ['src/', ['src']],
  ['/home/ada/work/a.txt', ['a.txt']],
  ['/data/work/a.txt', ['a.txt']],
  ['/home/ada/work', []],
  ['../work/a.txt', ['a.txt']],
  ['..a/b..', ['..a', 'b..']],
  ['...', ['...']],
  ['a\\b', ['a\\b']],
  ['note: today.txt', ['note: today.txt']],
  ['file.txt:stream', ['file.txt:stream']],
  ['con', ['con']],
  ['~/x', ['~', 'x']],
  ['cafe\u0301', ['cafe\u0301']],
  ['caf\u00e9', ['caf\u00e9']],
])('on POSIX %j is inside', (path, segments) => {
  expect(decidePath(path, posixRules)).toEqual({ allow: true, segments })
})

test.each([
  '..',
  '../etc/passwd',
  'a/../../x',
  '/etc/passwd',
  '/home/ada/work-evil/x',
  '../work-evil/x',
  '/home/ada',
  '//server/share',
  '/proc/self/root/etc/passwd',
  '/home/ada/work/../../../etc',
  '\\\\?\\C:\\x',
  '\\\\server\\share',
  '\\??\\C:\\x',
  '\\Windows',
  'C:x',
  'C:\\x',
  'c:/x',
  'a:b',
  '..\\..\\etc\\passwd',
  'a\\..\\..\\x',
  'a/..\\x',
  'file:///etc/passwd',
  'FILE://x',
])('on POSIX %j is outside', (path) => {
  expect(decidePath(path, posixRules)).toMatchObject({ allow: false, code: 'path_outside_working_dir' })
})

test.each([
  ['a.txt', ['a.txt']],
  ['src/a.txt', ['src', 'a.txt']],
  ['src\\a.txt', ['src', 'a.txt']],
  ['C:\\work\\a.txt', ['a.txt']],
  ['c:/WORK/a.txt', ['a.txt']],
  ['console.log', ['console.log']],
  ['.', []],
])('on Windows %j is inside', (path, segments) => {
  expect(decidePath(path, windowsRules)).toEqual({ allow: true, segments })
})

test.each([
  '..\\x',
  '../x',
  'C:x',
  'D:\\work\\a',
  'C:\\work-evil\\x',
  '\\Windows\\x',
  '/Windows/x',
  '\\\\?\\C:\\work\\a',
  '\\\\.\\PhysicalDrive0',
  '//server/share',
  '\\/server/share',
  '\\\\server\\share\\x',
  '\\??\\C:\\x',
])('on Windows %j is outside', (path) => {
  expect(decidePath(path, windowsRules)).toMatchObject({ allow: false, code: 'path_outside_working_dir' })
})

test.each([
  'a.txt:stream',
  'a.txt::$DATA',
  '.git::$INDEX_ALLOCATION/x',
  'C:\\work\\a:b',
  'nul',
  'NUL.txt',
  'con .txt',
  'src/COM1',
  'lpt¹',
  'CONIN$',
  'a.',
  'a ',
  'src. /x',
  'a*b',
  'a?b',
  'a|b',
  'a\tb',
])('on Windows %j is no path', (path) => {
  expect(decidePath(path, windowsRules)).toMatchObject({ allow: false, code: 'invalid_path' })
})

test.each(['', 'a\0b', 'a\ud800b', 'x'.repeat(5000)])('nowhere is %j a path', (path) => {
  for (const rules of [posixRules, windowsRules])
    expect(decidePath(path, rules)).toMatchObject({ allow: false, code: 'invalid_path' })
})

test('a path may have 4096 characters and no more', () => {
  expect(decidePath('x'.repeat(4096), posixRules)).toMatchObject({ allow: true })
  expect(decidePath('x'.repeat(4097), posixRules)).toMatchObject({ allow: false, code: 'invalid_path' })
})

test('under the root / everything absolute is inside', () => {
  const rules = { roots: ['/'], platform: 'linux' } as const
  expect(decidePath('/etc/passwd', rules)).toEqual({ allow: true, segments: ['etc', 'passwd'] })
  expect(decidePath('../..', rules)).toEqual({ allow: true, segments: [] })
})

test('a sibling with the same beginning is not inside', () => {
  expect(isInside('/root', '/root', 'linux')).toBe(true)
  expect(isInside('/root', '/root/x', 'linux')).toBe(true)
  expect(isInside('/root', '/root-evil', 'linux')).toBe(false)
  expect(isInside('/root', '/', 'linux')).toBe(false)
  expect(isInside('/', '/x', 'linux')).toBe(true)
  expect(isInside('C:\\a', 'c:\\A\\b', 'win32')).toBe(true)
  expect(isInside('C:\\a', 'D:\\a\\b', 'win32')).toBe(false)
})

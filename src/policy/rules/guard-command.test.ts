import { expect, test } from 'vitest'
import { findOpenRunner, guardCommand, namesCommand } from './guard-command.ts'
import { readPattern } from './read-pattern.ts'

const guard = (command: string, pattern: string, protectedPaths: readonly string[] = []) =>
  guardCommand(JSON.stringify(command), readPattern(`"${pattern}"`), protectedPaths)

test.each<[string, string, RegExp | undefined]>([
  ['ls docs', 'ls .*', undefined],
  ['ls', 'ls', undefined],
  ['ls docs; rm x', 'ls .*', /shell characters/],
  ['ls docs; date', 'ls docs; .*', undefined],
  ['ls a; b; c', 'ls a; .*', /shell characters/],
  ['ls -a', 'ls .*', /options/],
  ['ls -a docs', 'ls -a .*', undefined],
  ['ls -a -b', 'ls -a .*', /options/],
  ['ls -a', 'ls (?:-a)', /options/],
  ['ls docs', '.*', /which command/],
  ['ls docs', 'l.*', /which command/],
  ['ls docs', 'ls.*', /which command/],
  ['A=1 ls docs', 'A=1 .*', /which command/],
  ['ls toolpact', 'ls .*', /rules themselves/],
  ['ls toolpact-notes', 'ls .*', undefined],
  ['bash docs', 'bash .*', /runs its arguments as commands/],
  ['bash docs', 'bash docs', undefined],
  ['git log main', 'git log .*', undefined],
  ['git log main', 'git .*', /or a subcommand of these: status, log/],
  ['git push main', 'git push .*', /write out the whole command/],
  ['bash a; ls b', 'bash a; ls .*', undefined],
  ['ls a; bash b', 'ls a; bash .*', /'bash' runs/],
  ['A=1 ls a; B=2 bash b', 'A=1 ls a; B=2 bash .*', /'bash' runs/],
])('%s by the rule %s asks because of %s', (command, pattern, reason) => {
  if (reason) expect(guard(command, pattern)).toMatch(reason)
  else expect(guard(command, pattern)).toBeUndefined()
})

test('a command that names a protected path asks', () => {
  expect(guard('ls /state/rules', 'ls .*', ['/state'])).toMatch('rules themselves')
  expect(guard('ls /other', 'ls .*', ['/state'])).toBeUndefined()
})

test('a command of 16384 characters with its quotes is read, and a longer one asks', () => {
  const ofLength = (length: number) => `ls ${'x'.repeat(length - 5)}`
  expect(guard(ofLength(16_384), 'ls .*')).toBeUndefined()
  expect(guard(ofLength(16_385), 'ls .*')).toMatch('too long to review')
})

test.each([
  ['"ls ', true],
  ['"ls"', true],
  ['["ls"', true],
  ['"ls', false],
  ['"A=1 ls ', true],
  ['', false],
])('the beginning %s names the command: %s', (prefix, named) => {
  expect(namesCommand(prefix)).toBe(named)
})

test('a subcommand counts as written out once its last character is', () => {
  const text = '"git log main"'
  expect(findOpenRunner(text, '"git log'.length)).toBeUndefined()
  expect(findOpenRunner(text, '"git lo'.length)).toMatch("'git'")
})

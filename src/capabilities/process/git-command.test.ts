import { expect, test } from 'vitest'
import { toGitAccess } from './git-command.ts'

test.each([
  ['git commit -m "a; b && c"', 'write'],
  ["git add -A && git commit -m 'it''s $HOME'", 'write'],
  ['  git -C sub -c user.name="Ada L" --no-pager commit --amend --no-edit\n', 'write'],
  ['git add src/*.ts; git stash@{0}', 'write'],
  ['git rebase main\ngit push -u origin HEAD', 'write-config'],
  ['git switch -c topic', 'write-config'],
  ['git config user.name Ada', 'write-config'],
  ['', 'read'],
  ['git', 'read'],
  ['npm test', 'read'],
  ['./git commit', 'read'],
  ['git status | head', 'read'],
  ['git add . & sh x', 'read'],
  ['git commit -m "$(sh x)"', 'read'],
  ['git commit -m `sh x`', 'read'],
  ['git log > .git/hooks/pre-commit', 'read'],
  ['git commit && sh evil.sh', 'read'],
  ["git -c alias.x='!sh' x", 'read'],
  ['git -c core.fsmonitor=./x status', 'read'],
  ['git --exec-path=. status', 'read'],
  ['git rebase -x ./x main', 'read'],
  ['git rebase --exec "sh x" main', 'read'],
  ['git submodule foreach sh x', 'read'],
  ['git bisect run ./x', 'read'],
  ['PATH=. git commit', 'read'],
  ["git commit -m 'open", 'read'],
  ['git commit -m "a\\"b"', 'read'],
])('%j may %s', (command, access) => {
  expect(toGitAccess(command)).toBe(access)
})

test('a long command is read in linear time', () => {
  expect(toGitAccess(`git commit -m ${"'a' ".repeat(7000)}|`)).toBe('read')
})

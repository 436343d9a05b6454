import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { decideGitAccess } from './git-command.ts'
import { findGitSubcommand } from './git-subcommands.ts'

test.each([
  ['git commit -m "a; b && c"', 'write'],
  ["git add -A && git commit -m 'it''s $HOME'", 'write'],
  ['git commit -am "- begins like an option" -m --too', 'write'],
  ['git commit --message=x --message "-y"', 'write'],
  ['git commit -mfix && git commit -m"fix: x" && git commit -amfix', 'write'],
  ['  git -C sub -c user.name="Ada L" --no-pager commit --amend --no-edit\n', 'write'],
  ['git add src/*.ts ./*.md; git stash pop stash@{0}', 'write'],
  ['git status -sb && git diff --stat HEAD~1 -- src && git log --oneline -5 && git show HEAD^{tree}', 'write'],
  ['git log -n 3 --since="2 days ago" --format="%h %s" main..topic', 'write'],
  ['git merge --no-ff topic && git rebase --onto main a b && git rebase --continue', 'write'],
  ['git fetch --all --prune && git pull --rebase origin main && git push --force-with-lease origin HEAD', 'write'],
  ['git restore --staged . && git reset --hard HEAD~1 && git clean -fdx', 'write'],
  ['git stash push -u -m wip && git stash list && git stash pop', 'write'],
  ['git tag -a v1 -m "first" && git cherry-pick -x abc && git revert --no-edit abc', 'write'],
  ['git blame -L 1,5 a && git rev-parse --abbrev-ref HEAD && git ls-files -o --exclude-standard', 'write'],
  ['git grep -n -e foo -- src && git mv a b && git rm -r --cached c', 'write'],
  ['git checkout - && git checkout -b topic origin/topic', 'write-config'],
  ['git rebase main\ngit push -u origin HEAD', 'write-config'],
  ['git push -fu origin HEAD', 'write-config'],
  ['git switch -c topic', 'write-config'],
  ['git branch -D topic && git worktree add -b x ../x', 'write-config'],
  ['git remote -v && git remote add origin https://example.org/x.git', 'write-config'],
  ['git remote set-url origin git@example.org:x.git', 'write-config'],
  ['git init -q', 'write-config'],
  ['git submodule update --init --recursive', 'write-config'],
  ['git config --get core.fsmonitor && git config user.name Ada', 'write-config'],
  ['git config set branch.topic.description x', 'write-config'],
  ['', 'read'],
  ['git', 'read'],
  ['npm test', 'read'],
  ['./git commit', 'read'],
  ['git\r./x commit', 'read'],
  ['git status | head', 'read'],
  ['git add . & sh x', 'read'],
  ['git commit -m "$(sh x)"', 'read'],
  ['git commit -m `sh x`', 'read'],
  ['git log > .git/hooks/pre-commit', 'read'],
  ['git commit && sh evil.sh', 'read'],
  ["git -c alias.x='!sh' x", 'read'],
  ['git -c core.fsmonitor=./x status', 'read'],
  ['git -c user.name -c core.fsmonitor=./x status', 'read'],
  ['git --exec-path=. status', 'read'],
  ['PATH=. git commit', 'read'],
  ["git commit -m 'open", 'read'],
  ['git commit -m "a\\"b"', 'read'],
])('%j may %s', (command, access) => {
  expect(decideGitAccess(command).access).toBe(access)
})

describe('a command that makes git run a program only reads, however it is spelled:', () => {
  test.each([
    ...['-x ./x', '-x./x', '-ix ./x', '-qx./x', '--exec "sh x"', '--exec=x', '--exe x', '--ex=x', '--e"x"ec x'].map(
      (words) => `git rebase ${words} main`,
    ),
    ...['-s x', '--strategy=x', '--strat x'].map((words) => `git merge ${words} topic`),
    ...['--upload-pack=./x', '--upload-pac=./x', '--upl ./x'].map((words) => `git fetch ${words} .`),
    ...['--receive-pack=./x', '--receive-p=./x', '--exec=./x', '--exe ./x'].map((words) => `git push ${words} . HEAD`),
    'git pull -j --upload-pack=./x',
    ...['-Otouch', '-nOtouch', '-1Otouch', '-O', '--open-files-in-pager=touch', '--open=touch', '--ext-grep'].map(
      (words) => `git grep ${words} x`,
    ),
    ...['-u ./x', '--upload-pack=./x', '-c core.fsmonitor=./x'].map((words) => `git clone ${words} . y`),
    ...['--template=./x', '--templ ./x'].map((words) => `git init ${words}`),
    'git submodule foreach sh x',
    'git submodule --quiet foreach sh x',
    'git bisect run ./x',
    'git difftool -x ./x',
    'git fetch ext::./x',
    'git diff --ext-diff',
    'git commit -mfoom --exec',
    'git commit -m -- --exec',
    'git rebase main -- -x ./x',
  ])('%s', (command) => {
    expect(decideGitAccess(command)).toMatchObject({ access: 'read', reason: expect.any(String) })
  })

  test.each([
    ['braces', 'git rebase {--exec=x,main}'],
    ['braces in a word', "git rebase main{,' --exec=x'}"],
    ['a range in braces', 'git add a{1..3}'],
    ['a pattern that matches a file with such a name', 'git rebase *'],
    ['a pattern after an option', 'git rebase -- ?x*'],
  ])('by %s', (_, command) => {
    expect(decideGitAccess(command).reason).toMatch(/^the shell may turn/)
  })

  test.each([
    'git diff --output=.git/commondir',
    'git log --outp=.git/config',
    'git stash show -m --output=.git/commondir',
    'git config core.fsmonitor ./x',
    'git config set core.fsmonitor ./x',
    'git config --file .git/config user.name x',
    'git config --default user.name core.fsmonitor ./x',
    'git config --rename-section user core',
    'git remote add here ./x',
    'git remote set-url origin x',
    'git unknown',
    'git toString',
  ])('or lets git run one later: %s', (command) => {
    expect(decideGitAccess(command).access).toBe('read')
  })
})

test('options that take a separate value here take one in git too', () => {
  // Some subcommands list their options only inside a repository.
  const cwd = makeFolder()
  execFileSync('git', ['init', '-q'], { cwd })
  for (const name of ['commit', 'merge', 'tag']) {
    const listed = execFileSync('git', [name, '--git-completion-helper-all'], { cwd, encoding: 'utf8' }).split(/\s+/)
    const separate = [...findGitSubcommand(name)!.options].filter(([, value]) => value === 'separate')
    expect(separate.map(([option]) => option)).toEqual(['-m', '--message'])
    expect(listed).toContain('--message=')
  }
})

test('a push is reported as one', () => {
  expect(decideGitAccess('git add . && git push')).toEqual({ access: 'write', pushes: true })
  expect(decideGitAccess('git fetch')).toEqual({ access: 'write', pushes: false })
})

test('a long command is read in linear time', () => {
  expect(decideGitAccess(`git commit -m ${"'a' ".repeat(7000)}|`).access).toBe('read')
})

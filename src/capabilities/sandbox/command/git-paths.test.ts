import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeFolder } from '../../../../test/helpers/open-test-pipeline.ts'
import { openProcess, type ProcessOptions } from '../../process.ts'

let home: string
let cwd: string

beforeEach(() => {
  home = realpathSync(makeFolder())
  cwd = join(home, 'work')
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.org\n')
  git(home, 'init', '-q', 'work')
})

const path = '/usr/local/bin:/usr/bin:/bin'

function git(folder: string, ...words: string[]): string {
  const environment = { PATH: path, HOME: home }
  return execFileSync('git', words, { cwd: folder, env: environment, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }) // biome-ignore format: one line
}

async function run(command: string, options: Partial<ProcessOptions> = {}) {
  const environment = { PATH: path, HOME: home, SHELL: '/bin/sh' }
  return openProcess({ cwd, environment, sandbox: 'required', ...options }).run(command)
}

const works =
  (await openProcess({ cwd: tmpdir(), environment: { PATH: path }, sandbox: 'auto' }).sandbox()).name === 'bubblewrap'

describe.skipIf(!works)('repositories in the sandbox (skipped where bubblewrap does not work)', () => {
  test('a command other than git cannot write .git, whatever it tries, and the hint says how to go on', async () => {
    const before = readFileSync(join(cwd, '.git/config'), 'utf8')
    const commands = [
      'echo "echo hooked" > .git/hooks/pre-commit',
      'mkdir .git/new',
      'git config core.fsmonitor ./x; true && false',
      'mv .git moved',
      'rm -rf .git',
      'ln .git/config linked && echo x >> linked',
      'ln -s .git alias; echo x > alias/hooks/pre-commit',
      'git add -A | cat; git -c alias.x="!echo x > .git/hooks/pre-commit" x',
    ]
    for (const command of commands) expect((await run(command)).exitCode, command).not.toBe(0)
    expect(existsSync(join(cwd, '.git/hooks/pre-commit'))).toBe(false)
    expect(readFileSync(join(cwd, '.git/config'), 'utf8')).toBe(before)
    expect((await run(commands[0]!)).hints.join()).toContain('Only git itself may write .git')
  })

  test('git itself commits and branches, and a hook that runs meanwhile changes neither hooks nor config', async () => {
    const hook = join(cwd, '.git/hooks/pre-commit')
    mkdirSync(join(cwd, '.git/hooks'), { recursive: true })
    writeFileSync(hook, '#!/bin/sh\necho "exit 0" > .git/hooks/post-commit; git config core.fsmonitor ./x; exit 0\n')
    chmodSync(hook, 0o755)
    writeFileSync(join(cwd, 'a'), 'x')
    expect(await run('git add -A && git commit -q -m first')).toMatchObject({ exitCode: 0, gitPrograms: [] })
    expect(git(cwd, 'log', '--format=%s')).toBe('first\n')
    expect(existsSync(join(cwd, '.git/hooks/post-commit'))).toBe(false)
    expect(git(cwd, 'config', '--list')).not.toContain('fsmonitor')
    expect(await run('git switch -q -c topic && git config branch.topic.description x')).toMatchObject({ exitCode: 0 })
    expect(git(cwd, 'branch', '--show-current')).toBe('topic\n')
  })

  test('git with an option that runs a program cannot write .git, however it is spelled', async () => {
    const evil = join(cwd, 'evil')
    writeFileSync(evil, '#!/bin/sh\ntouch .git/reached "$(git rev-parse --git-common-dir)/reached"\n')
    chmodSync(evil, 0o755)
    writeFileSync(join(cwd, '--exec=sh evil'), '')
    writeFileSync(join(cwd, 'a'), 'x')
    git(cwd, 'add', '-A')
    git(cwd, 'commit', '-q', '-m', 'first')
    git(cwd, 'commit', '-q', '--allow-empty', '-m', 'second')
    git(cwd, 'init', '-q', '--bare', 'store')
    mkdirSync(join(cwd, 'store/hooks'), { recursive: true })
    writeFileSync(join(cwd, 'store/hooks/pre-receive'), `#!/bin/sh\ntouch ${cwd}/.git/reached\n`)
    chmodSync(join(cwd, 'store/hooks/pre-receive'), 0o755)
    mkdirSync(join(cwd, 'bin'))
    writeFileSync(join(cwd, 'bin/git'), `#!/bin/sh\ntouch ${cwd}/.git/reached\n`)
    chmodSync(join(cwd, 'bin/git'), 0o755)
    const environment = { PATH: `${cwd}/bin:bin:${path}`, HOME: home, SHELL: '/bin/bash' }
    const commands = [
      'git rebase --exe ./evil HEAD~1',
      'git rebase -qx./evil HEAD~1',
      'git rebase {--exec=./evil,HEAD~1}',
      'git rebase ?-exec* HEAD~1',
      'git grep -O./evil x',
      'git fetch --upload-pac=./evil .',
      'git push --receive-p=./evil . HEAD:refs/heads/other',
      'git push store HEAD:refs/heads/main',
      'git push ./store HEAD:refs/heads/main && git switch -q -c topic',
    ]
    for (const command of commands) {
      await run(command, { environment: { ...environment, PATH: path } })
      expect(existsSync(join(cwd, '.git/reached')), command).toBe(false)
    }
    await run('git add -A', { environment })
    expect(existsSync(join(cwd, '.git/reached'))).toBe(false)
    const pushed = await run(commands.at(-2)!)
    expect(pushed.hints.join()).toContain('Ask the operator to push there')
    const unclear = await run('git commit --allow-empty --mess x')
    expect(unclear.hints.join()).toContain('git commit with --mess may run other programs')
  })

  test('daily commands of git work', async () => {
    writeFileSync(join(cwd, 'a'), 'x\n')
    const commands = [
      'git add ./* && git commit -q -m "- first" && git status -sb && git log --oneline -1',
      'git checkout -q -b topic && git commit -q --allow-empty -m topic && git checkout -q -',
      'git commit -q --allow-empty -m main && git merge -q --no-edit topic && git diff --stat HEAD~1',
      'git tag -a v1 -m v1 && git tag -l && git blame a && git rev-parse HEAD && git ls-files && git grep -n x',
      'git mv a b && git commit -qam moved && git revert --no-edit HEAD && git reset -q --hard HEAD~1',
      'git rm -q --cached b && git restore --staged b && git stash list && git clean -fdn',
      'git branch other HEAD~1 && git rebase -q HEAD~1 && git cherry-pick --allow-empty topic',
      'git worktree add -q wt other && git worktree remove wt && git branch -D other',
      'git remote add origin https://example.org/x && git remote -v && git config --get remote.origin.url',
      'git fetch -q . topic && git pull -q --no-rebase . topic && git gc -q && git reflog -2',
    ]
    for (const command of commands) {
      const { exitCode, stderr } = await run(command)
      expect({ command, exitCode, stderr: stderr.text }).toMatchObject({ exitCode: 0 })
    }
  })

  test('nested repositories, hooks elsewhere and included settings are read-only too', async () => {
    git(cwd, 'init', '-q', 'deep/nested')
    git(cwd, 'config', 'core.hooksPath', '.githooks')
    git(cwd, 'config', 'include.path', '../shared.gitconfig')
    mkdirSync(join(cwd, '.githooks'))
    writeFileSync(join(cwd, 'shared.gitconfig'), '')
    for (const target of ['deep/nested/.git/config', '.githooks/pre-commit', 'shared.gitconfig'])
      expect((await run(`echo x >> ${target}`)).exitCode, target).not.toBe(0)
    expect(await run('echo x > deep/nested/file && echo x > file')).toMatchObject({ exitCode: 0 })
  })

  test('a work tree of a repository elsewhere works, and only git may write there', async () => {
    git(cwd, 'commit', '-q', '--allow-empty', '-m', 'first')
    git(cwd, 'worktree', 'add', '-q', '../tree')
    const tree = join(home, 'tree')
    expect((await run('git log --format=%s | cat', { cwd: tree })).stdout.text).toBe('first\n')
    expect((await run('echo x > ../work/.git/hooks/pre-commit', { cwd: tree })).exitCode).not.toBe(0)
    expect((await run('echo "gitdir: /x" > .git', { cwd: tree })).exitCode).not.toBe(0)
    writeFileSync(join(tree, 'a'), 'x')
    expect(await run('git add a && git commit -q -m second', { cwd: tree })).toMatchObject({ exitCode: 0 })
    expect(git(tree, 'log', '--format=%s')).toBe('second\nfirst\n')
  })

  test('a submodule works, and one that names another work tree shows nothing', async () => {
    const modules = join(cwd, '.git/modules')
    mkdirSync(modules)
    for (const name of ['sub', 'other']) {
      git(home, 'init', '-q', '--separate-git-dir', join(modules, name), join(cwd, name))
      git(join(cwd, name), 'config', 'core.worktree', `../../../${name}`)
      git(join(cwd, name), 'commit', '-q', '--allow-empty', '-m', name)
    }
    const inside = { cwd: join(cwd, 'sub') }
    expect((await run('git log --format=%s | cat', inside)).stdout.text).toBe('sub\n')
    expect((await run('echo x > ../.git/modules/sub/hooks/pre-commit', inside)).exitCode).not.toBe(0)
    writeFileSync(join(cwd, 'sub/.git'), `gitdir: ${join(modules, 'other')}\n`)
    expect((await run('git log --format=%s | cat', inside)).stdout.text).toBe('')
  })

  test('in a folder of a repository, the rest of it can be read', async () => {
    mkdirSync(join(cwd, 'packages/a'), { recursive: true })
    writeFileSync(join(cwd, 'shared.json'), '{}')
    writeFileSync(join(home, 'private'), 'private')
    const inside = { cwd: join(cwd, 'packages/a') }
    const { stdout } = await run('cat ../../shared.json; git status --short | cat; cat ../../../private', inside)
    expect(stdout.text).toBe('{}?? ../../shared.json\n')
    expect((await run('echo x > ../../shared.json', inside)).exitCode).not.toBe(0)
  })

  test('a repository that holds the home directory shows nothing of it', async () => {
    git(home, 'init', '-q', '.')
    writeFileSync(join(home, 'private'), 'private')
    const plain = join(home, 'plain')
    mkdirSync(plain)
    expect((await run('cat ../private; echo end', { cwd: plain })).stdout.text).toBe('end\n')
  })

  test.skipIf(process.getuid?.() !== 0)('a repository of another user shows nothing (needs root)', async () => {
    git(home, 'init', '-q', 'shared')
    writeFileSync(join(home, 'shared/private'), 'private')
    chownSync(join(home, 'shared/.git'), 1234, 1234)
    const plain = join(home, 'shared/plain')
    mkdirSync(plain)
    expect((await run('cat ../private; echo end', { cwd: plain })).stdout.text).toBe('end\n')
  })

  test('where the working directory is a repository without work tree, its hooks and config are read-only', async () => {
    git(home, 'init', '-q', '--bare', 'store')
    const store = { cwd: join(home, 'store') }
    for (const target of ['config', 'hooks/pre-receive'])
      expect((await run(`echo x >> ${target}`, store)).exitCode, target).not.toBe(0)
    expect((await run('echo x >> description', store)).exitCode).toBe(0)
  })

  test('a .git file shows no folder that is not the repository of this work tree', async () => {
    git(home, 'init', '-q', 'other')
    mkdirSync(join(home, '.ssh'))
    writeFileSync(join(home, '.ssh/id'), 'private')
    const sub = join(home, 'sub')
    mkdirSync(sub)
    for (const target of ['../.ssh', '../other/.git']) {
      writeFileSync(join(sub, '.git'), `gitdir: ${target}\n`)
      const { stdout } = await run(`ls ${target} 2>/dev/null; cat ../.ssh/id 2>/dev/null; echo end`, { cwd: sub })
      expect(stdout.text).toBe('end\n')
    }
  })
})

describe.each(works ? (['required', 'off'] as const) : (['off'] as const))('with the sandbox %s', (sandbox) => {
  test('a repository that a command forms, and that would run a program, is reported', async () => {
    const config = '[core]\\n\\tbare = false\\n\\tworktree = .\\n\\tfsmonitor = \\"touch ran; false\\"\\n'
    const forming = `mkdir -p trap/objects trap/refs && echo "ref: refs/heads/main" > trap/HEAD && printf "${config}" > trap/config`
    const { exitCode, gitPrograms } = await run(forming, { sandbox })
    expect(exitCode).toBe(0)
    expect(gitPrograms).toEqual([`${cwd}/trap: core.fsmonitor = touch ran; false`])
    // It existed before the next command.
    expect((await run('git init -q fresh; true', { sandbox })).gitPrograms).toEqual([])
  })

  test.each([
    'rm -rf .git && mkfifo .git',
    'mkfifo sub/.git',
    'ln -s /dev/zero sub/.git',
    'rm .git/config && mkfifo .git/config',
    'rm .git/HEAD && mkfifo .git/HEAD .git/commondir',
    'mkfifo data/gitdir data/commondir data/config && echo "gitdir: ../data" > sub/.git && cd sub',
  ])('a FIFO or device instead of a file of git does not block Toolpact: %s', async (forming) => {
    mkdirSync(join(cwd, 'sub'))
    mkdirSync(join(cwd, 'data'))
    const last = execFileSync('sh', ['-c', `${forming} && pwd`], { cwd, encoding: 'utf8' }).trim()
    const options = { cwd: last, environment: { PATH: path, HOME: home, SHELL: '/bin/sh' }, sandbox }
    // In a separate process: one that blocks could not even time out.
    const code = `
      import { openProcess } from ${JSON.stringify(new URL('../../process.ts', import.meta.url).href)}
      console.log((await openProcess(${JSON.stringify(options)}).run('echo done')).stdout.text)
    `
    const words = ['--input-type=module', '-e', code]
    const output = execFileSync(process.execPath, words, { timeout: 60_000, killSignal: 'SIGKILL', encoding: 'utf8' })
    expect(output.trim()).toBe('done')
  })
})

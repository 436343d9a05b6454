import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeFolder } from '../../test/helpers/open-test-pipeline.ts'
import { openFiles } from './files.ts'
import { findGitDirectories } from './git-directories.ts'

let root: string
beforeEach(() => {
  root = realpathSync(makeFolder())
})

const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'protocol.file.allow=always']

function git(folder: string, ...words: string[]): string {
  return execFileSync('git', [...identity, '-C', folder, ...words], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }) // biome-ignore format: one line
}

const bytes = (text: string) => new TextEncoder().encode(text)

const refused = {
  code: 'permission_denied',
  message: expect.stringMatching(/git (?:would treat the folder|runs what)/),
}

describe('file tools', () => {
  const config = (marker: string) => `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = "touch ${marker}; false"\n` // biome-ignore format: one line

  /** In name order; the ones that were refused. */
  async function write(files: Record<string, string>): Promise<string[]> {
    const { createExclusive } = openFiles({ root })
    const refusals: string[] = []
    for (const [path, text] of Object.entries(files))
      await createExclusive(path, bytes(text)).catch((error) => {
        expect(error).toMatchObject(refused)
        refusals.push(path)
      })
    return refusals
  }

  test('cannot complete a repository whose config runs a program, in whatever order', async () => {
    const marker = join(root, 'ran')
    const parts = { config: config(marker), HEAD: 'ref: refs/heads/main\n', 'objects/x': '', 'refs/x': '' }
    // The attack to prevent, done without the tools.
    const plain = join(root, 'plain')
    for (const [path, text] of Object.entries(parts)) {
      mkdirSync(join(plain, path, '..'), { recursive: true })
      writeFileSync(join(plain, path), text)
    }
    git(plain, 'status')
    expect(readFileSync(marker, 'utf8')).toBe('')
    const names = Object.keys(parts) as (keyof typeof parts)[]
    for (const last of names.slice(1)) {
      const order = [...names.filter((name) => name !== last), last]
      expect(await write(Object.fromEntries(order.map((name) => [`by-${last[0]}/${name}`, parts[name]])))).toEqual([`by-${last[0]}/${last}`]) // biome-ignore format: one line
      expect(() => git(join(root, `by-${last[0]}`), 'rev-parse', '--git-dir')).toThrow()
    }
  })

  test('cannot complete one that borrows the objects of another folder', async () => {
    const parts = { 'common/config': config('x'), 'common/objects/x': '', 'common/refs/x': '' }
    expect(await write({ ...parts, 'tree/HEAD': 'ref: refs/heads/main\n', 'tree/commondir': '../common' })).toEqual(['tree/commondir']) // biome-ignore format: one line
  })

  test('cannot make its folders either', async () => {
    mkdirSync(join(root, 'a', 'refs'), { recursive: true })
    writeFileSync(join(root, 'a', 'HEAD'), 'ref: refs/heads/main\n')
    await expect(openFiles({ root }).createDirectory('a/objects')).rejects.toMatchObject(refused)
    await expect(openFiles({ root }).check.createDirectory('a/objects/pack')).rejects.toMatchObject(refused)
  })

  test('cannot change a repository of another name, or the target of a .git file', async () => {
    git(root, 'init', '--bare', 'store.git')
    git(root, 'init', '--separate-git-dir', join(root, 'data'), 'work')
    const files = openFiles({ root })
    for (const folder of ['store.git', 'data']) {
      await expect(files.createExclusive(`${folder}/hooks/pre-commit`, bytes('x')), folder).rejects.toMatchObject(
        refused,
      )
      const { identity } = await files.readWhole(`${folder}/config`)
      await expect(files.replace(`${folder}/config`, bytes('x'), identity), folder).rejects.toMatchObject(refused)
      await expect(files.append(`${folder}/description`, bytes('x')), folder).rejects.toMatchObject(refused)
    }
    await files.createExclusive('work/a.txt', bytes('x'))
  })

  test('write files and folders that only share a name with those of git', async () => {
    const ordinary = { 'a/HEAD': '', 'a/config': '', 'a/objects/x': '', 'b/objects/x': '', 'b/refs/x': '', 'b/config': '', 'c/commondir': '', 'c/index': '', 'd/hooks/pre-commit': '', '.gitattributes': '', '.gitmodules': '', '.gitignore': '', 'config/HEAD/objects/refs': '' } // biome-ignore format: one line
    expect(await write(ordinary)).toEqual([])
  })
})

describe('the git directories of a workspace', () => {
  test('are every .git, the targets of .git files, and bare repositories', () => {
    git(root, 'init', '.')
    git(root, 'init', 'sub/deep')
    git(root, 'init', '--bare', 'store')
    git(root, 'init', '--separate-git-dir', join(root, 'data'), 'work')
    symlinkSync('store', join(root, 'link'))
    mkdirSync(join(root, 'plain', 'objects'), { recursive: true })
    const expected = ['.git', 'data', 'store', 'sub/deep/.git', 'work/.git'].map((path) => join(root, path))
    expect(findGitDirectories(root).sort()).toEqual(expected)
  })

  test('of a work tree are its own and those of its repository', () => {
    git(root, 'init', 'main')
    git(join(root, 'main'), 'commit', '--allow-empty', '-m', 'x')
    git(join(root, 'main'), 'worktree', 'add', '../tree')
    const own = join(root, 'main/.git/worktrees/tree')
    expect(findGitDirectories(join(root, 'tree')).sort()).toEqual([
      join(root, 'main/.git'),
      own,
      join(root, 'tree/.git'),
    ])
  })

  test('that is hostile or broken are found as far as they can be read', () => {
    writeFileSync(join(root, '.git'), 'gitdir: missing\n')
    symlinkSync('nowhere', join(root, 'loop'))
    expect(findGitDirectories(root)).toEqual([join(root, '.git'), join(root, 'missing')])
    expect(findGitDirectories(join(root, 'none'))).toEqual([])
  })
})

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { rgPath } from '@vscode/ripgrep'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { compareText, FirstSorted } from './search/first-sorted.ts'
import { PathBytes } from './search/path-bytes.ts'
import { openSearch } from './search.ts'

let above: string
let root: string

beforeEach(() => {
  above = realpathSync(mkdtempSync(join(tmpdir(), 'toolpact-omitted-')))
  root = join(above, 'root')
})

afterEach(() => {
  rmSync(above, { recursive: true, force: true })
})

function put(files: Record<string, string>) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
}

const visible = { 'a.js': 'x', 'b/c.js': 'x', 'b/exclude': 'x', 'b/d/index': 'x' }
const deep = `${'deep/'.repeat(20)}e.js`

/** In these one walk of `rg` tells what is skipped, or has to give up because something can be ignored. */
const trees: Record<string, Record<string, string>> = {
  'with nothing hidden': visible,
  'with hidden files': { ...visible, '.env': 'x', 'b/.e.js': 'x' },
  'with a hidden folder at the top': { ...visible, '.cache/f.js': 'x' },
  'with a hidden folder below': { ...visible, 'b/.cache/f.js': 'x', 'b/.cache/exclude': 'x' },
  'with files too deep': { ...visible, [deep]: 'x' },
  'with an ignore file at the top': { ...visible, '.gitignore': 'b/\n' },
  'with an ignore file below': { ...visible, 'b/.gitignore': '*.js\n' },
  'with an ignore file that ignores itself': { ...visible, 'b/.gitignore': '*\n' },
  'with an ignore file that lets hidden names in': { ...visible, 'b/.ignore': '!.*\n', 'b/.e.js': 'x' },
  'with a repository below': { ...visible, 'b/.git/HEAD': 'x', 'b/.git/f.js': 'x' },
  'with a temporary file': { ...visible, 'b/.toolpact-00000000-0000-0000-0000-000000000000.tmp': 'x' },
  'with names that are not ASCII': { ...visible, 'é/ü.js': 'x', 'é/.ü.js': 'x' },
}

describe.each(Object.entries(trees))('in a tree %s', (_name, files) => {
  test.each(['*.js', '**', '**/exclude', 'b/**', '**/.*', 'b/*.{js,ts}', '*[a-c].js'])(
    'both engines find and skip the same by %s',
    async (pattern) => {
      put(files)
      const find = async (ripgrep: false | undefined, countOmitted: boolean) => {
        const search = openSearch({ root, ripgrep, countingMs: 30_000 })
        const { engine: _, ...found } = await search.findFiles({ pattern, countOmitted })
        const { paths, total } = found
        return { paths, total, found }
      }
      const counted = await find(undefined, true)
      expect(counted.found).toEqual((await find(false, true)).found)
      expect(counted).toMatchObject({ ...(await find(undefined, false)), found: {} })
    },
  )

  // The engine in JavaScript lets no hidden name in.
  const globs = Object.values(files).includes('!.*\n') ? ['*.js', 'b/**'] : [undefined, '*.js', 'b/**']
  test.each(globs)('both engines search and skip the same by %s', async (glob) => {
    put(files)
    const grep = async (ripgrep: false | undefined) => {
      const search = openSearch({ root, ripgrep, countingMs: 30_000 })
      const { engine: _, filesSearched: __, ...found } = await search.grep({ pattern: 'x', glob, countOmitted: true })
      return found
    }
    expect(await grep(undefined)).toEqual(await grep(false))
  })
})

test('rules of a repository without a file of rules, and of folders above, still hold', async () => {
  put({ ...visible, 'b/.git/info/exclude': 'c.js\n' })
  const find = (base: string) =>
    openSearch({ root, countingMs: 30_000 }).findFiles({ pattern: '*.js', base, countOmitted: true })
  const skipped = { omitted: { ignored: 1 }, engine: 'ripgrep' }
  expect(await find('.')).toMatchObject({ ...skipped, paths: ['a.js'] })
  rmSync(join(root, 'b/.git'), { recursive: true })
  expect(await find('.')).toMatchObject({ omitted: { ignored: 0 }, paths: ['a.js', 'b/c.js'] })
  put({ '.gitignore': 'c.js\n' })
  expect(await find('b')).toMatchObject({ ...skipped, paths: [] })
})

test('counts although `rg` does not say what it skips', async () => {
  const silent = join(above, 'silent')
  writeFileSync(silent, `#!/bin/sh\nexec ${rgPath} "$@" 2>/dev/null\n`, { mode: 0o700 })
  put({ ...visible, 'b/.env': 'x' })
  const search = openSearch({ root, ripgrep: silent, countingMs: 30_000 })
  expect(await search.grep({ pattern: 'x', countOmitted: true })).toMatchObject({
    engine: 'ripgrep',
    filesSearched: 4,
    omitted: { ignored: 1, isComplete: true, tooDeep: false },
  })
})

test.each([
  ['a link', () => symlinkSync('a.js', join(root, 'b/.link'))],
  ['an empty folder', () => mkdirSync(join(root, 'b/.cache'))],
  ['a folder too deep', () => mkdirSync(join(root, 'deep/'.repeat(25)), { recursive: true })],
  ['a folder of Git', () => put({ 'b/.git/HEAD': 'x' })],
])('%s that is skipped is no file', async (_name, add) => {
  put(visible)
  add()
  for (const ripgrep of [undefined, false] as const)
    expect(await openSearch({ root, ripgrep }).grep({ pattern: 'x', countOmitted: true })).toMatchObject({
      filesSearched: 4,
      omitted: { ignored: 0, isComplete: true, tooDeep: false },
    })
})

test('paths are told apart wherever their bytes are split', () => {
  const paths = ['a', '.b/c', 'd/.e', 'f.g/h', 'é/ü', 'i/j/k']
  const bytes = Buffer.from(paths.map((path) => `${path}\0`).join(''))
  for (let cut = 0; cut <= bytes.length; cut++) {
    const seen: unknown[] = []
    const parser = new PathBytes((path) =>
      seen.push([Buffer.from(path.text(), 'latin1').toString(), path.names, path.hidden, path.nameLength]),
    )
    for (const part of [bytes.subarray(0, cut), bytes.subarray(cut)]) parser.push(part)
    expect(seen, `cut at ${cut}`).toEqual([
      ['a', 1, false, 1],
      ['.b/c', 2, true, 1],
      ['d/.e', 2, true, 2],
      ['f.g/h', 2, false, 1],
      ['é/ü', 2, false, 2],
      ['i/j/k', 3, false, 1],
    ])
  }
})

test('holds no more results however many there are, in whatever order they come', () => {
  const [max, count] = [100, 100_000]
  for (const toName of [
    (index: number) => count - index,
    (index: number) => index,
    (index: number) => (index * 7919) % count,
  ]) {
    const first = new FirstSorted<string>(max, compareText)
    let most = 0
    for (let index = 0; index < count; index++) {
      const name = String(toName(index)).padStart(6, '0')
      if (first.wants(name)) first.add(name)
      most = Math.max(most, first.held)
    }
    expect(most).toBeLessThan(4 * max)
    expect(first.toSorted()).toHaveLength(max)
  }
})

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { rgPath } from '@vscode/ripgrep'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSearch, type Search } from './search.ts'

let root: string
let search: Search

function put(files: Record<string, string | Uint8Array>) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
}

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'toolpact-search-')))
})

afterEach(() => {
  rmSync(root, { recursive: true, force: true })
})

describe.each([
  { engine: 'ripgrep', ripgrep: undefined },
  { engine: 'javascript', ripgrep: false },
] as const)('with $engine', ({ engine, ripgrep }) => {
  beforeEach(() => {
    search = openSearch({ root, ripgrep, countingMs: 30_000 })
  })

  const find = async (pattern: string, more = {}) => (await search.findFiles({ pattern, ...more })).paths
  const lines = async (pattern: string, more = {}) =>
    (await search.grep({ pattern, ...more })).matches.map(({ path, line, text }) => `${path}:${line}:${text}`)

  test('finds files by glob, sorted, and counts all of them', async () => {
    put({ 'b.go': '', 'a/z.go': '', 'a/b/c.go': '', 'x.ts': '', 'é.go': '', 'B.go': '' })
    expect(await search.findFiles({ pattern: '**/*.go' })).toEqual({
      engine,
      paths: ['B.go', 'a/b/c.go', 'a/z.go', 'b.go', 'é.go'],
      total: 5,
      unreadable: 0,
    })
    expect(await search.findFiles({ pattern: '*.go', maxResults: 2 })).toMatchObject({
      paths: ['B.go', 'a/b/c.go'],
      total: 5,
    })
    expect(await find('a/*.go')).toEqual(['a/z.go'])
    expect(await find('?.go')).toEqual(['B.go', 'a/b/c.go', 'a/z.go', 'b.go', 'é.go'])
    expect(await find('*.{go,ts}', { base: 'a/b' })).toEqual(['a/b/c.go'])
    expect(await find('missing/**/*.go')).toEqual([])
    expect(await find('x.ts/*')).toEqual([])
  })

  test('refuses a bad glob, base and regex', async () => {
    put({ 'f.txt': 'x' })
    await expect(find('**/*[.go')).rejects.toMatchObject({
      code: 'invalid_glob',
      message: "Invalid glob pattern '**/*[.go'",
    })
    await expect(lines('x', { glob: '[' })).rejects.toMatchObject({ code: 'invalid_glob' })
    await expect(find('*', { base: '../x' })).rejects.toMatchObject({ code: 'path_outside_working_dir' })
    await expect(find('*', { base: 'f.txt' })).rejects.toMatchObject({ code: 'not_a_directory' })
    await expect(find('*', { base: 'missing' })).rejects.toMatchObject({ code: 'file_not_found' })
    await expect(lines('(foo', { regex: true })).rejects.toMatchObject({
      code: 'invalid_regex',
      message: 'Invalid regex pattern: unclosed group',
    })
    for (const pattern of ['[z-a]', '*a', 'a(?=b)', '(a)\\1', 'a)'])
      await expect(lines(pattern, { regex: true }), pattern).rejects.toMatchObject({ code: 'invalid_regex' })
    for (const pattern of ['', 'a\nb', 'a\0b', 'x'.repeat(10_001)])
      await expect(lines(pattern)).rejects.toMatchObject({ code: 'invalid_regex' })
  })

  test('finds text and patterns, sorted by path and line', async () => {
    put({ 'b.txt': 'x TODO y\nnone\nTODO\n', 'a.txt': 'todo\nlast TODO', 'c/d.md': 'a.c\nabc\n' })
    expect(await search.grep({ pattern: 'TODO' })).toEqual({
      engine,
      matches: [
        { path: 'a.txt', line: 2, text: 'last TODO', cut: false },
        { path: 'b.txt', line: 1, text: 'x TODO y', cut: false },
        { path: 'b.txt', line: 3, text: 'TODO', cut: false },
      ],
      total: 3,
      unreadable: 0,
      filesSearched: 3,
    })
    expect(await lines('a.c')).toEqual(['c/d.md:1:a.c'])
    expect(await lines('a.c', { regex: true })).toEqual(['c/d.md:1:a.c', 'c/d.md:2:abc'])
    expect(await lines('^todo$', { regex: true, ignoreCase: true })).toEqual(['a.txt:1:todo', 'b.txt:3:TODO'])
    expect(await lines('todo', { ignoreCase: true, glob: 'b.*' })).toEqual(['b.txt:1:x TODO y', 'b.txt:3:TODO'])
    expect(await search.grep({ pattern: 'TODO', maxResults: 1 })).toMatchObject({
      total: 3,
      matches: [{ path: 'a.txt' }],
    })
    expect(await search.grep({ pattern: 'nowhere' })).toMatchObject({ total: 0, matches: [], filesSearched: 3 })
  })

  test('limits a search to a glob and a base', async () => {
    put({ 'src/a.ts': 'x', 'src/deep/b.ts': 'x', 'src/c.js': 'x', 'test/a.ts': 'x', 'one/src/a.ts': 'x' })
    expect(await lines('x', { glob: 'src/**/*.ts' })).toEqual(['src/a.ts:1:x', 'src/deep/b.ts:1:x'])
    expect(await lines('x', { glob: '*/src/*.ts' })).toEqual(['one/src/a.ts:1:x'])
    expect(await lines('x', { glob: 'a.ts', base: 'src' })).toEqual(['src/a.ts:1:x'])
    expect(await lines('x', { glob: '{src,test}/*.{ts,js}' })).toEqual([
      'src/a.ts:1:x',
      'src/c.js:1:x',
      'test/a.ts:1:x',
    ])
    expect(await lines('x', { glob: '[st]*/[a-b].ts' })).toEqual(['src/a.ts:1:x', 'test/a.ts:1:x'])
  })

  test('handles line ends, byte order marks, long lines and names with line breaks', async () => {
    put({
      'crlf.txt': 'foo\r\nbar\r\n',
      'mark.txt': '\ufefffoo bar\nfoo\n',
      'long.txt': `foo${'é'.repeat(1000)}\n`,
      'very-long.txt': `${'y'.repeat(3_000_000)}\nfoo\n`,
      'line\nbreak.txt': 'foo\n',
      'colon:1:2:.txt': 'foo: 3:4:\n',
    })
    expect(await lines('^foo$', { regex: true })).toEqual([
      'crlf.txt:1:foo',
      'line\nbreak.txt:1:foo',
      'mark.txt:2:foo',
      'very-long.txt:2:foo',
    ])
    expect(await lines('^foo bar', { regex: true })).toEqual(['mark.txt:1:foo bar'])
    expect(await lines('foo:')).toEqual(['colon:1:2:.txt:1:foo: 3:4:'])
    const { matches } = await search.grep({ pattern: 'foo', glob: 'long.txt' })
    expect(matches).toEqual([{ path: 'long.txt', line: 1, text: `foo${'é'.repeat(248)}`, cut: true }])
    expect((await search.grep({ pattern: 'foo', glob: '**/*break.txt' })).total).toBe(1)
  })

  test('leaves binary files out', async () => {
    put({ 'a.bin': Buffer.from('foo\0foo\n'), 'b.txt': 'foo\n' })
    expect(await lines('foo')).toEqual(['b.txt:1:foo'])
  })

  test('an ignore file that lets hidden names in does not bring back .git', async () => {
    put({ '.gitignore': '!.*\n', 'a.js': 'x', '.git/b.js': 'x', 'sub/.git/c.js': 'x', 'sub/d.js': 'x' })
    for (const pattern of ['*.js', '**/*.js', '**', '**/[a-z].js'])
      expect(await search.findFiles({ pattern }), pattern).toMatchObject({ paths: ['a.js', 'sub/d.js'], total: 2 })
    expect(await find('**/.*')).toEqual(['.gitignore'])
    expect(await find('*.js', { includeIgnored: true })).toEqual(['a.js', 'sub/d.js'])
    expect(await lines('x')).toEqual(['a.js:1:x', 'sub/d.js:1:x'])
  })

  test('honours ignore files and hides hidden files, unless asked, and counts them', async () => {
    put({
      '.gitignore': '*.log\n/build/\n!keep.log\n',
      'a.log': 'x',
      'keep.log': 'x',
      'a.txt': 'x',
      'build/out.txt': 'x',
      'sub/build/in.txt': 'x',
      'sub/.gitignore': 'secret.txt\n!b.log\n',
      'sub/secret.txt': 'x',
      'sub/b.log': 'x',
      '.hidden/a.txt': 'x',
      '.env': 'x',
      '.git/config': 'x',
      'other/.ignore': '*.txt\n',
      'other/a.txt': 'x',
    })
    const plain = ['a.txt', 'keep.log', 'sub/b.log', 'sub/build/in.txt']
    expect(await find('**')).toEqual(plain)
    expect(await find('*.log')).toEqual(['keep.log', 'sub/b.log'])
    expect(await find('*.txt', { base: 'sub' })).toEqual(['sub/build/in.txt'])
    expect(await lines('x')).toEqual(plain.map((path) => `${path}:1:x`))
    expect(await lines('x', { glob: '*.log' })).toEqual(['keep.log:1:x', 'sub/b.log:1:x'])
    const all = await find('**', { includeIgnored: true })
    expect(all).toContain('.env')
    expect(all).toContain('build/out.txt')
    expect(all).not.toContain('.git/config')
    expect(all).toHaveLength(13)
    expect(await find('**/.env')).toEqual(['.env'])
    expect(await find('.hidden/*')).toEqual(['.hidden/a.txt'])
    expect(await search.findFiles({ pattern: '*.log', countOmitted: true })).toMatchObject({
      total: 2,
      omitted: { ignored: 1, isComplete: true },
    })
    expect(await search.grep({ pattern: 'x', countOmitted: true })).toMatchObject({ total: 4, omitted: { ignored: 9 } })
    expect(await search.grep({ pattern: 'x', countOmitted: true, includeIgnored: true })).toMatchObject({
      omitted: { ignored: 0, isComplete: true },
    })
  })

  test('counts skipped files only within its time limit', async () => {
    put({ 'a.txt': 'x', '.hidden': 'x', '.ignore': '' })
    const hangs = join(root, '.ignored-hang')
    put({
      '.ignored-hang': `#!/bin/sh\ncase "$*" in *--no-ignore\\ *) exec /bin/sleep 60;; esac\nexec ${rgPath} "$@"\n`,
    })
    chmodSync(hangs, 0o700)
    const hurried = openSearch({ root, ripgrep: ripgrep ?? hangs, countingMs: 0 })
    const unknown = { ignored: 0, isComplete: false, tooDeep: false }
    expect(await hurried.grep({ pattern: 'x', countOmitted: true })).toMatchObject({ total: 1, omitted: unknown })
    expect(await hurried.findFiles({ pattern: '*', countOmitted: true })).toMatchObject({ total: 1, omitted: unknown })
    // Where nothing is found, what was left out is worth the wait.
    const patient = openSearch({ root, ripgrep, countingMs: 0 })
    const exact = { ignored: 3, isComplete: true, tooDeep: false }
    expect(await patient.grep({ pattern: 'y', countOmitted: true })).toMatchObject({ total: 0, omitted: exact })
  })

  test('follows no link and waits for no FIFO', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'toolpact-outside-'))
    try {
      writeFileSync(join(outside, 'secret.txt'), 'x')
      put({ 'a.txt': 'x', 'real/b.txt': 'x' })
      symlinkSync(outside, join(root, 'out'))
      symlinkSync(join(outside, 'secret.txt'), join(root, 'secret.txt'))
      symlinkSync('real', join(root, 'in'))
      execFileSync('mkfifo', [join(root, 'pipe.txt')])
      for (const includeIgnored of [false, true]) {
        expect(await find('**', { includeIgnored })).toEqual(['a.txt', 'real/b.txt'])
        expect(await lines('x', { includeIgnored })).toEqual(['a.txt:1:x', 'real/b.txt:1:x'])
      }
      expect(await find('out/**')).toEqual([])
      expect(await find('in/**')).toEqual([])
      await expect(find('*', { base: 'out' })).rejects.toMatchObject({ code: 'path_outside_working_dir' })
      expect(await find('*', { base: 'in' })).toEqual(['real/b.txt'])
    } finally {
      rmSync(outside, { recursive: true })
    }
  })

  test('a pattern is never an option', async () => {
    put({ 'a.txt': '--pre=touch\n-e\n--version\n', '-e': 'x', '--files': 'x' })
    expect(await lines('--pre=touch')).toEqual(['a.txt:1:--pre=touch'])
    expect(await lines('-e')).toEqual(['a.txt:2:-e'])
    expect(await lines('--version', { regex: true })).toEqual(['a.txt:3:--version'])
    expect(await find('--files')).toEqual(['--files'])
    expect(await find('-e')).toEqual(['-e'])
    expect(await lines('x', { glob: '--files' })).toEqual(['--files:1:x'])
    expect(await lines('x', { glob: 'include:a' })).toEqual([])
  })

  test('goes twenty levels deep', async () => {
    const directories = (count: number) => Array.from({ length: count }, () => 'd').join('/')
    put({ [`${directories(19)}/seen.txt`]: 'x', [`${directories(20)}/unseen.txt`]: 'x' })
    expect(await find('*.txt')).toEqual([`${directories(19)}/seen.txt`])
    for (const includeIgnored of [false, true]) {
      const options = { includeIgnored, countOmitted: true }
      expect(await search.findFiles({ pattern: '*.txt', ...options })).toMatchObject({ omitted: { tooDeep: true } })
      expect(await search.grep({ pattern: 'x', ...options })).toMatchObject({ total: 1, omitted: { tooDeep: true } })
    }
    expect(await search.grep({ pattern: 'x', glob: 'd/**', countOmitted: true })).toMatchObject({
      total: 2,
      omitted: { ignored: 0, isComplete: true, tooDeep: false },
    })
    expect(await search.findFiles({ pattern: '*.md', countOmitted: true })).toMatchObject({
      omitted: { ignored: 0, tooDeep: false },
    })
  })

  test('keeps out of closed directories', async () => {
    put({ 'a.txt': 'x', 'st[a]te/ledger.txt': 'x', 'sub/st[a]te/a.txt': 'x' })
    const closed = openSearch({ root, ripgrep, denied: [join(root, 'st[a]te')] })
    const wanted = ['a.txt', 'sub/st[a]te/a.txt']
    expect((await closed.findFiles({ pattern: '*.txt', includeIgnored: true })).paths).toEqual(wanted)
    expect((await closed.grep({ pattern: 'x' })).matches.map(({ path }) => path)).toEqual(wanted)
    await expect(closed.findFiles({ pattern: '*', base: 'st[a]te' })).rejects.toMatchObject({
      code: 'permission_denied',
    })
  })

  test('returns what it has found at the time limit, and stops when aborted', async () => {
    for (let index = 0; index < 300; index++) put({ [`d${index}/f.txt`]: 'x\n'.repeat(2000) })
    expect(await search.grep({ pattern: 'x', timeoutMs: 1 })).toMatchObject({ engine, stopped: 'timeout' })
    expect(await search.findFiles({ pattern: '*', timeoutMs: 0 })).toMatchObject({ engine, stopped: 'timeout' })
    await expect(search.grep({ pattern: 'x', signal: AbortSignal.abort() })).rejects.toThrow(/abort/i)
    await expect(search.grep({ pattern: 'x'.repeat(5), signal: AbortSignal.timeout(5) })).rejects.toThrow(
      /abort|timeout/i,
    )
  })

  test('while directories are swapped for links, nothing outside is found', { timeout: 120_000 }, async () => {
    const outside = mkdtempSync(join(tmpdir(), 'toolpact-outside-'))
    for (let index = 0; index < 50; index++) {
      put({ [`directory/deep/inside-${index}.txt`]: 'common inside\n' })
      writeFileSync(join(outside, `secret-${index}.txt`), 'common secret\n')
    }
    const child = spawn(process.execPath, [
      '-e',
      `const fs = require('node:fs')
      const [directory, outside] = process.argv.slice(1)
      console.log('ready')
      for (;;) {
        fs.renameSync(directory, directory + '.aside')
        fs.symlinkSync(outside, directory)
        fs.unlinkSync(directory)
        fs.renameSync(directory + '.aside', directory)
      }`,
      join(root, 'directory/deep'),
      outside,
    ])
    const closed = once(child, 'close')
    try {
      await once(child.stdout, 'data')
      let found = 0
      const end = Date.now() + 1500
      for (let round = 0; Date.now() < end || (found === 0 && round < 1000); round++) {
        const { matches } = await search.grep({ pattern: 'common' })
        const paths = await find('*.txt')
        found += matches.length + paths.length
        expect(matches.filter(({ text }) => text !== 'common inside')).toEqual([])
        expect(paths.filter((path) => !path.includes('/inside-'))).toEqual([])
      }
      expect(found).toBeGreaterThan(0)
      expect(child.exitCode).toBeNull()
    } finally {
      child.kill('SIGKILL')
      await closed
      rmSync(outside, { recursive: true })
    }
  })
})

test('without a working ripgrep the search falls back to JavaScript and says so', async () => {
  put({ 'a.txt': 'x' })
  search = openSearch({ root, ripgrep: join(root, 'no-such-program') })
  expect(await search.grep({ pattern: 'x' })).toMatchObject({ engine: 'javascript', total: 1 })
  expect(await search.findFiles({ pattern: '*' })).toMatchObject({ engine: 'javascript', total: 1 })
})

test('neither a configuration nor the environment steers the search', async () => {
  put({ 'a.txt': 'x\n', config: '--pre=/bin/false\n--invert-match\n' })
  const code = `
    import { openSearch } from ${JSON.stringify(new URL('search.ts', import.meta.url).href)}
    const { matches } = await openSearch({ root: ${JSON.stringify(root)} }).grep({ pattern: 'x', glob: '*.txt' })
    console.log(JSON.stringify(matches))
  `
  const env = { ...process.env, RIPGREP_CONFIG_PATH: join(root, 'config'), PWD: '/etc' }
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', code], { env, encoding: 'utf8' })
  expect(JSON.parse(output)).toEqual([{ path: 'a.txt', line: 1, text: 'x', cut: false }])
})

test('both engines ignore what git ignores', async () => {
  execFileSync('git', ['init', '-q', root])
  put({
    '.gitignore': 'a/**/z\n**/cache\n*.o\n!important.o\n/top\ndocs/*.md\n\\#hash\ntrail \\ \nfoo/\n[ab].txt\nq?.txt\n',
    'lib/.gitignore': '/only\n*.o\n',
  })
  const names = [
    'a/z',
    'a/b/z',
    'a/b/c/z',
    'b/z',
    'cache/x',
    'q/cache',
    'x.o',
    'important.o',
    'lib/important.o',
    'top',
    'q/top',
  ]
  const more = [
    'docs/a.md',
    'docs/q/a.md',
    'q/docs/a.md',
    '#hash',
    'foo',
    'q/foo/x',
    'a.txt',
    'c.txt',
    '{x}.txt',
    'x.txt',
  ]
  const rest = ['qa.txt', 'qab.txt', 'lib/only', 'lib/q/only', 'a.txt.bak', 'zz']
  const make = [...names, ...more, ...rest].filter((path) => path !== 'foo')
  for (const path of make) put({ [path]: '' })
  const listed = execFileSync('git', ['-C', root, 'ls-files', '-z', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  })
  const wanted = listed.split('\0').filter((path) => path && !path.split('/').some((name) => name.startsWith('.')))
  for (const ripgrep of [undefined, false] as const)
    expect((await openSearch({ root, ripgrep }).findFiles({ pattern: '**' })).paths).toEqual(wanted.sort())
})

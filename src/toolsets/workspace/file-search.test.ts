import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { openWorkspace } from '../../../test/helpers/open-workspace.ts'

describe.each([
  { engine: 'ripgrep', ripgrep: undefined },
  { engine: 'javascript', ripgrep: false },
] as const)('with $engine', ({ engine, ripgrep }) => {
  function openWith(paths: readonly string[], options = {}) {
    const root = makeFolder()
    for (const path of paths) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), '')
    }
    return openWorkspace({ root, ripgrep, ...options })
  }

  test('finds files at any depth, sorted', async () => {
    const { call } = openWith(['internal/agent.go', 'cmd/main.go', 'main.go', 'README.md', 'cmd/main.go.bak'])
    expect(await call('file_search', { pattern: '**/*.go' })).toMatchObject({
      success: true,
      output: {
        success: true,
        output: "Found 3 files matching '**/*.go':\n  cmd/main.go\n  internal/agent.go\n  main.go\n",
        files_affected: [],
        metadata: { matches: 3, returned: 3, pattern: '**/*.go', truncated: false, engine },
      },
    })
  })

  test.each([
    ['a name at any depth', 'main.go', ['a/main.go', 'main.go']],
    ['one directory', 'a/*.go', ['a/main.go']],
    ['one character', '?.md', ['b/c.md']],
    ['a class', '[cm]*', ['a/main.go', 'b/c.md', 'main.go']],
    ['alternatives', '*.{md,txt}', ['b/c.md', 'b/d.txt']],
    ['everything below a directory', 'b/**', ['b/c.md', 'b/d.txt']],
  ])('understands %s', async (_what, pattern, paths) => {
    const { call } = openWith(['main.go', 'a/main.go', 'b/c.md', 'b/d.txt'])
    const [count, noun] = [paths.length, paths.length === 1 ? 'file' : 'files']
    expect(await call('file_search', { pattern })).toMatchObject({
      success: true,
      output: {
        output: `Found ${count} ${noun} matching '${pattern}':\n${paths.map((path) => `  ${path}\n`).join('')}`,
      },
    })
  })

  test('searches from a base, and names paths from the working directory', async () => {
    const { root, call } = openWith(['a/x.ts', 'b/x.ts', 'b/c/x.ts'])
    for (const base_path of ['b', './b/', join(root, 'b')])
      expect(await call('file_search', { pattern: '*.ts', base_path })).toMatchObject({
        success: true,
        output: { output: "Found 2 files matching '*.ts':\n  b/c/x.ts\n  b/x.ts\n" },
      })
  })

  test('no match is a success with a message', async () => {
    const { call } = openWith(['a.ts'])
    const result = await call('file_search', { pattern: '*.go' })
    expect(result).toMatchObject({
      success: true,
      output: { output: "Found 0 files matching '*.go'\n", metadata: { matches: 0, returned: 0, skipped: 0 } },
    })
    expect(result.success && result.output.metadata).not.toHaveProperty('warnings')
  })

  test('ignored and hidden files are left out with a warning that counts them, and found on demand', async () => {
    const { root, call } = openWith(['build/app.js', '.cache/b.js', 'src/c.ts', '.git/d.js'])
    writeFileSync(join(root, '.gitignore'), 'build/\n')
    const warning = '2 ignored or hidden matching files were not listed; set include_ignored to list them'
    expect(await call('file_search', { pattern: '*.js' })).toMatchObject({
      success: true,
      output: {
        output: `Warning: ${warning}\nFound 0 files matching '*.js'\n`,
        metadata: { matches: 0, skipped: 2, warnings: [warning] },
      },
    })
    expect(await call('file_search', { pattern: '*.{js,ts}' })).toMatchObject({
      success: true,
      output: {
        output: `Warning: ${warning}\nFound 1 file matching '*.{js,ts}':\n  src/c.ts\n`,
        metadata: { matches: 1, skipped: 2, truncated: false, warnings: [warning] },
      },
    })
    expect(await call('file_search', { pattern: '*.js', include_ignored: true })).toMatchObject({
      success: true,
      output: { output: "Found 2 files matching '*.js':\n  .cache/b.js\n  build/app.js\n" },
    })
  })

  test('one skipped file is reported in the singular', async () => {
    const { call } = openWith(['.env'])
    expect(await call('file_search', { pattern: '*' })).toMatchObject({
      success: true,
      output: {
        metadata: { warnings: ['1 ignored or hidden matching file was not listed; set include_ignored to list it'] },
      },
    })
  })

  test('of more than 1000 the first are shown, with a warning', async () => {
    const { call } = openWith(Array.from({ length: 1001 }, (_, index) => `f${String(index).padStart(4, '0')}.txt`))
    const result = await call('file_search', { pattern: '*.txt' })
    const warning = 'Found 1001 matches, showing first 1000'
    expect(result).toMatchObject({
      success: true,
      output: { metadata: { matches: 1001, returned: 1000, truncated: true, warnings: [warning] } },
    })
    const lines = String(result.success && result.output.output).split('\n')
    expect(lines.slice(0, 3)).toEqual([`Warning: ${warning}`, "Found 1001 files matching '*.txt':", '  f0000.txt'])
    expect(lines.at(-2)).toBe('  f0999.txt')
  })

  test('searches 20 levels deep, and warns if files are deeper', async () => {
    const { call } = openWith([`${'d/'.repeat(19)}deep.txt`, `${'d/'.repeat(20)}deeper.txt`])
    expect(await call('file_search', { pattern: 'deep*.txt' })).toMatchObject({
      success: true,
      output: {
        output: `Warning: Files more than 20 levels deep were not listed; set base_path to a deeper folder to list them\nFound 1 file matching 'deep*.txt':\n  ${'d/'.repeat(19)}deep.txt\n`,
        metadata: { too_deep: true },
      },
    })
    expect(await call('file_search', { pattern: 'deep*.txt', base_path: 'd' })).toMatchObject({
      success: true,
      output: { metadata: { matches: 2, too_deep: false } },
    })
  })

  test('does not follow links, out or in', async () => {
    const { root, call } = openWith(['real/a.txt'])
    symlinkSync('/etc', join(root, 'out'))
    symlinkSync('real', join(root, 'in'))
    symlinkSync('real/a.txt', join(root, 'b.txt'))
    expect(await call('file_search', { pattern: '**', include_ignored: true })).toMatchObject({
      success: true,
      output: { output: "Found 1 file matching '**':\n  real/a.txt\n" },
    })
    expect(await call('file_search', { pattern: 'out/passwd' })).toMatchObject({
      success: true,
      output: { metadata: { matches: 0 } },
    })
  })

  test('names that are unusual, and names that could be misread', async () => {
    const { call } = openWith(['日本語.txt', 'a b.txt', "it's.txt", '-x.txt', 'a\nb.txt', '[1].txt'])
    expect(await call('file_search', { pattern: '*.txt' })).toMatchObject({
      success: true,
      output: {
        output:
          "Found 6 files matching '*.txt':\n  -x.txt\n  [1].txt\n  \"a\\nb.txt\"\n  a b.txt\n  it's.txt\n  日本語.txt\n",
      },
    })
  })

  test.each(['**/*[.go', '{a', '!x', '../*', 'a\0b'])('%s is not a glob', async (pattern) => {
    const { call } = openWith([])
    expect(await call('file_search', { pattern })).toMatchObject({
      success: false,
      error: {
        code: 'invalid_glob',
        status: 400,
        message: `Invalid glob pattern '${pattern.replace('\0', '\\x00')}'`,
        suggestion: expect.stringContaining('**'),
      },
    })
  })

  test('fails on a base that is missing, a file or closed', async () => {
    const { root, call } = openWith(['file.txt'])
    expect(await call('file_search', { pattern: '*', base_path: 'missing' })).toMatchObject({
      success: false,
      error: { code: 'file_not_found', message: "Directory 'missing' not found" },
    })
    expect(await call('file_search', { pattern: '*', base_path: 'file.txt' })).toMatchObject({
      success: false,
      error: { code: 'not_a_directory', message: "Path 'file.txt' is not a directory" },
    })
    const closed = openWorkspace({ root, ripgrep, denied: [root] })
    expect(await closed.call('file_search', { pattern: '*' })).toMatchObject({
      success: false,
      error: { code: 'permission_denied', message: 'Cannot search directory - permission denied' },
    })
  })

  test('results found before the timeout are returned with a warning', async () => {
    const { call } = openWith(['a.txt'], {
      wrapSearch: (search) => ({ ...search, findFiles: (request) => search.findFiles({ ...request, timeoutMs: 0 }) }),
    } satisfies Partial<Parameters<typeof openWorkspace>[0]>)
    expect(await call('file_search', { pattern: '*' })).toMatchObject({
      success: true,
      output: {
        output: expect.stringMatching(
          /^Warning: Search timed out after 30s, returning partial results\nWarning: .*\nFound /,
        ),
        metadata: {
          truncated: true,
          warnings: expect.arrayContaining(['Search timed out after 30s, returning partial results']),
        },
      },
    })
  })
})

test('without ripgrep the search falls back to JavaScript, with a warning', async () => {
  const root = makeFolder()
  writeFileSync(join(root, 'a.txt'), '')
  const { call } = openWorkspace({ root, ripgrep: join(root, 'no-such-program') })
  expect(await call('file_search', { pattern: '*' })).toMatchObject({
    success: true,
    output: { output: "Found 1 file matching '*':\n  a.txt\n", metadata: { engine: 'javascript' } },
  })
})

test.each([
  ['no pattern', {}, expect.any(String), 'required'],
  ['an empty pattern', { pattern: '' }, '/pattern', 'minLength'],
  ['a pattern that is too long', { pattern: 'x'.repeat(1001) }, '/pattern', 'maxLength'],
  ['a pattern that is a list', { pattern: ['*'] }, '/pattern', 'type'],
  ['an empty base', { pattern: '*', base_path: '' }, '/base_path', 'minLength'],
  ['a base that is null', { pattern: '*', base_path: null }, '/base_path', 'type'],
  ['a word for a boolean', { pattern: '*', include_ignored: 'yes' }, '/include_ignored', 'type'],
  ['an unknown parameter', { pattern: '*', depth: 3 }, expect.any(String), 'additionalProperties'],
])('%s is refused', async (_what, input, pointer, keyword) => {
  expect(await openWorkspace({ root: makeFolder() }).call('file_search', input)).toMatchObject({
    success: false,
    error: { code: 'invalid_input', problems: [{ pointer, keyword }] },
  })
})

import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { openWorkspace } from '../../../test/helpers/open-workspace.ts'
import type { Search } from '../../capabilities/search.ts'

describe.each([
  { engine: 'ripgrep', ripgrep: undefined },
  { engine: 'javascript', ripgrep: false },
] as const)('with $engine', ({ engine, ripgrep }) => {
  function openWith(files: { readonly [path: string]: string | Buffer }, options = {}) {
    const root = makeFolder()
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), content)
    }
    return openWorkspace({ root, ripgrep, ...options })
  }

  test('finds text, sorted by path and line', async () => {
    const { call } = openWith({
      'b.py': 'TODO\nx\n  y # TODO: two TODO\n',
      'app.py': `${'\n'.repeat(14)}# TODO: implement\n`,
      'c.py': 'todo\n',
    })
    expect(await call('grep_search', { pattern: 'TODO' })).toMatchObject({
      success: true,
      output: {
        success: true,
        output:
          "Found 3 matches for 'TODO':\n  app.py:15: # TODO: implement\n  b.py:1: TODO\n  b.py:3:   y # TODO: two TODO\n",
        files_affected: [],
        metadata: {
          total_matches: 3,
          returned: 3,
          files_searched: 3,
          pattern: 'TODO',
          truncated: false,
          engine,
        },
      },
    })
  })

  test('plain text is not a pattern', async () => {
    const { call } = openWith({ 'a.txt': 'abc\na.c\n-e\n(x\n' })
    for (const [pattern, line] of [
      ['a.c', '2: a.c'],
      ['-e', '3: -e'],
      ['(x', '4: (x'],
    ] as const)
      expect(await call('grep_search', { pattern })).toMatchObject({
        success: true,
        output: { output: `Found 1 match for '${pattern}':\n  a.txt:${line}\n` },
      })
  })

  test.each([
    ['a class', '[ab]c', ['1: ac']],
    ['anchors', '^x$', ['2: x']],
    ['an anchor before CRLF', 'y$', ['3: y']],
    ['case that does not matter', '(?i)AC', ['1: ac']],
    ['letters of other scripts', '\\p{Greek}+', ['4: ωmega']],
  ])('a regular expression knows %s', async (_what, pattern, lines) => {
    const { call } = openWith({ 'a.txt': 'ac\nx\ny\r\nωmega\n' })
    expect(await call('grep_search', { pattern, is_regex: true })).toMatchObject({
      success: true,
      output: {
        output: `Found ${lines.length} match for '${pattern}':\n${lines.map((line) => `  a.txt:${line}\n`).join('')}`,
      },
    })
  })

  test('a glob limits the files', async () => {
    const { call } = openWith({ 'a.ts': 'x', 'b.js': 'x', 'src/c.ts': 'x' })
    expect(await call('grep_search', { pattern: 'x', file_pattern: '*.ts' })).toMatchObject({
      success: true,
      output: { output: "Found 2 matches for 'x':\n  a.ts:1: x\n  src/c.ts:1: x\n" },
    })
    expect(await call('grep_search', { pattern: 'x', file_pattern: 'src/**' })).toMatchObject({
      success: true,
      output: { output: "Found 1 match for 'x':\n  src/c.ts:1: x\n" },
    })
  })

  test('of more results than asked for the first are shown, with a warning', async () => {
    const { call } = openWith({ 'a.txt': 'x\n'.repeat(150), 'b.txt': 'x\n'.repeat(50) })
    const ofAll = await call('grep_search', { pattern: 'x' })
    expect(ofAll).toMatchObject({
      success: true,
      output: {
        output: expect.stringMatching(/^Warning: Found 200 matches, showing first 100\nFound 200 matches for 'x':\n/),
        metadata: { total_matches: 200, returned: 100, truncated: true },
      },
    })
    expect(await call('grep_search', { pattern: 'x', max_results: 1 })).toMatchObject({
      success: true,
      output: {
        output: "Warning: Found 200 matches, showing first 1\nFound 200 matches for 'x':\n  a.txt:1: x\n",
        metadata: { returned: 1, warnings: ['Found 200 matches, showing first 1'] },
      },
    })
    expect(await call('grep_search', { pattern: 'x', max_results: 1000 })).toMatchObject({
      success: true,
      output: { metadata: { returned: 200, truncated: false } },
    })
  })

  test('a warning reports how many ignored and hidden files were not searched', async () => {
    const { root, call } = openWith({ 'a.txt': 'a', 'build/b.txt': 'secret', '.env': 'secret', '.git/c': 'secret' })
    writeFileSync(join(root, '.gitignore'), 'build/\n')
    const warning = '3 ignored or hidden files were not searched; set include_ignored to search them'
    expect(await call('grep_search', { pattern: 'secret' })).toMatchObject({
      success: true,
      output: {
        output: `Warning: ${warning}\nFound 0 matches for 'secret'\n`,
        metadata: { total_matches: 0, returned: 0, files_searched: 1, skipped: 3, warnings: [warning] },
      },
    })
    expect(await call('grep_search', { pattern: 'a' })).toMatchObject({
      success: true,
      output: {
        output: `Warning: ${warning}\nFound 1 match for 'a':\n  a.txt:1: a\n`,
        metadata: { total_matches: 1, skipped: 3, truncated: false },
      },
    })
    // The second pattern cannot be matched by the file name alone.
    for (const file_pattern of ['*.txt', '{build,x}/[a-b].txt'])
      expect(await call('grep_search', { pattern: 'secret', file_pattern })).toMatchObject({
        success: true,
        output: {
          metadata: {
            skipped: 1,
            warnings: ['1 ignored or hidden file was not searched; set include_ignored to search it'],
          },
        },
      })
    expect(await call('grep_search', { pattern: 'secret', include_ignored: true })).toMatchObject({
      success: true,
      output: { output: "Found 2 matches for 'secret':\n  .env:1: secret\n  build/b.txt:1: secret\n" },
    })
  })

  test('files more than 20 levels deep are not searched, with a warning', async () => {
    const { call } = openWith({ [`${'d/'.repeat(19)}a.txt`]: 'x', [`${'d/'.repeat(20)}b.txt`]: 'x' })
    const warning =
      'Files more than 20 levels deep were not searched; begin file_pattern with a deeper folder to search them'
    expect(await call('grep_search', { pattern: 'x' })).toMatchObject({
      success: true,
      output: {
        output: `Warning: ${warning}\nFound 1 match for 'x':\n  ${'d/'.repeat(19)}a.txt:1: x\n`,
        metadata: { total_matches: 1, too_deep: true },
      },
    })
    expect(await call('grep_search', { pattern: 'x', file_pattern: 'd/**' })).toMatchObject({
      success: true,
      output: { metadata: { total_matches: 2, too_deep: false } },
    })
  })

  test('binary files are skipped, long lines shortened', async () => {
    const { call } = openWith({ 'a.bin': Buffer.from('x\0x\n'), 'min.js': `x${'é'.repeat(100_000)}x\n`, 'z.txt': 'x' })
    const result = await call('grep_search', { pattern: 'x' })
    expect(result).toMatchObject({ success: true, output: { metadata: { total_matches: 2 } } })
    const lines = String(result.success && result.output.output).split('\n')
    expect(lines[1]).toMatch(/^ {2}min\.js:1: xé{249}…$/)
    expect(lines[2]).toBe('  z.txt:1: x')
  })

  test('byte order mark, CRLF, no final line end and bytes that are not UTF-8', async () => {
    const { call } = openWith({ 'a.txt': Buffer.from('\ufeffx1\r\nx2\r\n\xffx3', 'latin1'), 'b.txt': '\ufeffx1\r\nx2' })
    const result = await call('grep_search', { pattern: 'x' })
    const output = String(result.success && result.output.output)
    expect(output).toContain('  b.txt:1: x1\n  b.txt:2: x2\n')
    expect(output).toContain('  a.txt:3: \ufffdx3\n')
    expect(output).not.toContain('\r')
  })

  test('does not follow links, out or in', async () => {
    const { root, call } = openWith({ 'real/a.txt': 'root:' })
    symlinkSync('/etc', join(root, 'out'))
    symlinkSync('/etc/passwd', join(root, 'passwd'))
    symlinkSync('real', join(root, 'in'))
    expect(await call('grep_search', { pattern: 'root:', include_ignored: true })).toMatchObject({
      success: true,
      output: { output: "Found 1 match for 'root:':\n  real/a.txt:1: root:\n" },
    })
  })

  test('names that could be misread are shown as JSON', async () => {
    const { call } = openWith({ 'a\nb:1: c': 'x', '日本語.txt': 'x' })
    expect(await call('grep_search', { pattern: 'x' })).toMatchObject({
      success: true,
      output: { output: 'Found 2 matches for \'x\':\n  "a\\nb:1: c":1: x\n  日本語.txt:1: x\n' },
    })
  })

  test.each([
    ['(foo', 'unclosed group'],
    ['[a', 'unclosed character class'],
  ])('%s is no regular expression', async (pattern, reason) => {
    const { call } = openWith({ 'a.txt': 'x' })
    expect(await call('grep_search', { pattern, is_regex: true })).toMatchObject({
      success: false,
      error: {
        code: 'invalid_regex',
        status: 400,
        message: `Invalid regex pattern: ${reason}`,
        suggestion: expect.stringMatching(/./),
      },
    })
  })

  test.each(['(?=a)', '(a)\\1', 'a\nb', 'a\0b'])('%s cannot be searched for', async (pattern) => {
    const { call } = openWith({ 'a.txt': 'x' })
    expect(await call('grep_search', { pattern, is_regex: true })).toMatchObject({
      success: false,
      error: { code: 'invalid_regex' },
    })
  })

  test('a pattern with catastrophic backtracking elsewhere is fast', async () => {
    const { call } = openWith({ 'a.txt': `${'a'.repeat(5000)}b\n` })
    expect(await call('grep_search', { pattern: '^(a+)+$', is_regex: true })).toMatchObject({
      success: true,
      output: { metadata: { total_matches: 0 } },
    })
  })

  test('a missing working directory is an error', async () => {
    const { root, call } = openWith({ 'a.txt': 'x' })
    rmSync(root, { recursive: true })
    expect(await call('grep_search', { pattern: 'x' })).toMatchObject({
      success: false,
      error: { code: 'file_not_found', status: 404 },
    })
  })

  test('a bad glob, and a closed working directory', async () => {
    const { root, call } = openWith({ 'a.txt': 'x' })
    expect(await call('grep_search', { pattern: 'x', file_pattern: '*.[ts' })).toMatchObject({
      success: false,
      error: { code: 'invalid_glob', message: "Invalid glob pattern '*.[ts'" },
    })
    const closed = openWorkspace({ root, ripgrep, denied: [root] })
    expect(await closed.call('grep_search', { pattern: 'x' })).toMatchObject({
      success: false,
      error: { code: 'permission_denied' },
    })
  })

  test('results found before the timeout are returned with a warning', async () => {
    const wrapSearch = (search: Search): Search => ({
      ...search,
      grep: (request) => search.grep({ ...request, timeoutMs: 0 }),
    })
    const { call } = openWith({ 'a.txt': 'x' }, { wrapSearch })
    const result = await call('grep_search', { pattern: 'x' })
    const warning = 'Search timed out after 30s, returning partial results'
    expect(result).toMatchObject({
      success: true,
      output: {
        output: expect.stringMatching(new RegExp(`^Warning: ${warning}\nWarning: .*\nFound `)),
        metadata: { truncated: true, warnings: [warning, expect.stringMatching(/^Ignored and hidden files, if any,/)] },
      },
    })
    expect(result.success && result.output.metadata).not.toHaveProperty('files_searched')
  })
})

test('excessive output is cut off, with a warning', async () => {
  const root = makeFolder()
  const script = join(root, 'rg')
  // Writes endlessly, like rg when every line of many files matches; it lists no files.
  const lists = 'case " $* " in *" --files "*) exit;; esac'
  writeFileSync(script, `#!/bin/sh\n${lists}\nprintf 'a.txt\\0'\nexec yes '1:0:${'x'.repeat(5000)}'\n`, { mode: 0o755 })
  const { call } = openWorkspace({ root, ripgrep: script })
  const warning = 'Search found too many matches and was stopped, returning partial results'
  expect(await call('grep_search', { pattern: 'x' })).toMatchObject({
    success: true,
    output: { metadata: { truncated: true, warnings: expect.arrayContaining([warning]) } },
  })
})

test.each([
  ['no pattern', {}, expect.any(String), 'required'],
  ['an empty pattern', { pattern: '' }, '/pattern', 'minLength'],
  ['a pattern that is too long', { pattern: 'x'.repeat(10_001) }, '/pattern', 'maxLength'],
  ['a pattern that is a number', { pattern: 5 }, '/pattern', 'type'],
  ['a word for a boolean', { pattern: 'x', is_regex: 'true' }, '/is_regex', 'type'],
  ['an empty glob', { pattern: 'x', file_pattern: '' }, '/file_pattern', 'minLength'],
  ['no results', { pattern: 'x', max_results: 0 }, '/max_results', 'minimum'],
  ['1001 results', { pattern: 'x', max_results: 1001 }, '/max_results', 'maximum'],
  ['half a result', { pattern: 'x', max_results: 1.5 }, '/max_results', 'type'],
  ['an unknown parameter', { pattern: 'x', base_path: '.' }, expect.any(String), 'additionalProperties'],
])('%s is refused', async (_what, input, pointer, keyword) => {
  expect(await openWorkspace({ root: makeFolder() }).call('grep_search', input)).toMatchObject({
    success: false,
    error: { code: 'invalid_input', problems: [{ pointer, keyword }] },
  })
})

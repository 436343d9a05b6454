import type { Search } from '../../capabilities/search.ts'
import { toShownPath } from '../../contract/text/shown-path.ts'
import { pathErrors } from './path-errors.ts'
import { toSearchWarnings } from './search-warnings.ts'
import { toCount } from './to-count.ts'
import { toShownName } from './to-shown-name.ts'
import { defineWorkspaceTool } from './workspace-tool.ts'

export const grepSearch = defineWorkspaceTool(
  {
    name: 'grep_search',
    description:
      'Searches the lines of files for text or a regular expression. Set is_regex for a regular expression (RE2 ' +
      'syntax: no look-around, no back-references). Case matters; begin a regular expression with (?i) to ignore ' +
      'it. Each match is path:line: text, sorted by path and line, long lines shortened. Stops after 30 s and ' +
      'returns what it found. Binary files are skipped, and files more than 20 levels deep. So are hidden files ' +
      'and files that .gitignore, .ignore or .rgignore match, unless include_ignored is true; a warning reports how ' +
      'many. To find files by name, use file_search.',
    risk: 'read_only',
    input: {
      type: 'object',
      additionalProperties: false,
      required: ['pattern'],
      properties: {
        pattern: {
          type: 'string',
          description: 'Text or regex pattern to search for, within one line',
          minLength: 1,
          maxLength: 10_000,
        },
        is_regex: { type: 'boolean', description: 'Whether pattern is regex (default: false)', default: false },
        file_pattern: {
          type: 'string',
          description:
            "Glob pattern to limit files searched, e.g. '*.ts' or 'src/**' (default: all files; whether that includes " +
            'ignored and hidden ones is up to include_ignored)',
          minLength: 1,
          maxLength: 1000,
        },
        max_results: {
          type: 'integer',
          description: 'Maximum number of results to return (default: 100)',
          default: 100,
          minimum: 1,
          maximum: 1000,
        },
        include_ignored: {
          type: 'boolean',
          description: 'Also search ignored and hidden files, though not .git (default: false)',
          default: false,
        },
      },
    },
    metadata: {
      required: ['total_matches', 'returned', 'pattern', 'truncated', 'engine', 'unreadable', 'too_deep'],
      properties: {
        total_matches: {
          type: 'integer',
          minimum: 0,
          description: 'Number of matching lines; if stopped early, those found so far',
        },
        returned: { type: 'integer', minimum: 0, description: 'How many of them are listed' },
        files_searched: {
          type: 'integer',
          minimum: 0,
          description: 'Number of files searched; absent if stopped early',
        },
        pattern: { type: 'string', description: 'The pattern' },
        truncated: { type: 'boolean', description: 'Matches are missing from the output' },
        engine: { enum: ['ripgrep', 'javascript'], description: 'The search engine; javascript is slower' },
        skipped: {
          type: 'integer',
          minimum: 0,
          description: 'Files not searched because ignored or hidden; absent if counting them took too long',
        },
        unreadable: { type: 'integer', minimum: 0, description: 'Files and folders that could not be read' },
        too_deep: { type: 'boolean', description: 'Files more than 20 levels deep were not searched' },
      },
    },
    errors: [
      {
        code: 'invalid_regex',
        status: 400,
        when: 'The pattern is not a valid regular expression, or contains a line break or NUL character.',
        suggestion: 'Correct the pattern, or search for plain text with is_regex false.',
      },
      {
        code: 'invalid_glob',
        status: 400,
        when: 'file_pattern is not a valid glob.',
        suggestion: 'Correct file_pattern. Supported: *, **, ?, [a-z] and {one,other}.',
      },
      {
        ...pathErrors.notFound,
        when: 'The working directory does not exist.',
        suggestion: 'Ask the operator to restore it.',
      },
      pathErrors.denied,
      pathErrors.failed,
    ],
    limits: { outputBytes: 67_108_864 },
    effects: { returns: ['private'] },
    summary: { access: 'Files', sideEffects: 'None' },
    examples: [
      {
        title: 'Plain text',
        given: { files: { 'app.py': 'import os\n# TODO: implement\n', 'lib/util.py': 'x = 1  # TODO\n' } },
        input: { pattern: 'TODO' },
        returns: {
          output: "Found 2 matches for 'TODO':\n  app.py:2: # TODO: implement\n  lib/util.py:1: x = 1  # TODO\n",
          metadata: {
            total_matches: 2,
            returned: 2,
            files_searched: 2,
            pattern: 'TODO',
            truncated: false,
            engine: 'ripgrep',
            skipped: 0,
            unreadable: 0,
            too_deep: false,
          },
        },
        varies: ['/metadata/engine'],
      },
      {
        title: 'A regular expression in some files',
        given: { files: { 'a.ts': 'const port = 8080\n', 'b.md': 'port 80\n' } },
        input: { pattern: 'port\\W+\\d+', is_regex: true, file_pattern: '*.ts' },
        returns: {
          output: "Found 1 match for 'port\\W+\\d+':\n  a.ts:1: const port = 8080\n",
          metadata: {
            total_matches: 1,
            returned: 1,
            files_searched: 1,
            pattern: 'port\\W+\\d+',
            truncated: false,
            engine: 'ripgrep',
            skipped: 0,
            unreadable: 0,
            too_deep: false,
          },
        },
        varies: ['/metadata/engine', '/metadata/files_searched'],
      },
      {
        title: 'Ignored and hidden files',
        given: { files: { '.gitignore': 'build/\n', 'build/app.js': 'TODO\n', 'app.js': 'TODO\n' } },
        input: { pattern: 'TODO' },
        returns: {
          output: "Found 1 match for 'TODO':\n  app.js:1: TODO\n",
          metadata: {
            total_matches: 1,
            returned: 1,
            files_searched: 1,
            pattern: 'TODO',
            truncated: false,
            engine: 'ripgrep',
            skipped: 2,
            unreadable: 0,
            too_deep: false,
          },
          warnings: ['2 ignored or hidden files were not searched; set include_ignored to search them'],
        },
        varies: ['/metadata/engine'],
      },
      { title: 'An unclosed group', input: { pattern: '(foo', is_regex: true }, error: 'invalid_regex' },
    ],
  },
  async ({ pattern, is_regex: regex, file_pattern: glob, ...input }, { signal }, { search }: { search: Search }) => {
    const { max_results: maxResults, include_ignored: includeIgnored } = input
    const bounds = { includeIgnored, countOmitted: true, timeoutMs: 30_000, signal }
    const found = await search.grep({ pattern, regex, glob, maxResults, ...bounds })
    const { matches, total, stopped, engine, filesSearched, omitted, unreadable } = found
    return {
      output: [
        `Found ${toCount(total, 'match', 'matches')} for '${toShownPath(pattern)}'${total === 0 ? '' : ':'}`,
        ...matches.map(({ path, line, text, cut }) => `  ${toShownName(path)}:${line}: ${text}${cut ? '…' : ''}`),
        '',
      ].join('\n'),
      metadata: {
        total_matches: total,
        returned: matches.length,
        ...(filesSearched !== undefined && { files_searched: filesSearched }),
        pattern,
        truncated: stopped !== undefined || total > matches.length,
        engine,
        ...(omitted?.isComplete && { skipped: omitted.ignored }),
        unreadable,
        too_deep: omitted?.tooDeep ?? false,
      },
      warnings: toSearchWarnings(found, matches.length, {
        done: 'searched',
        deeper: 'begin file_pattern with a deeper folder to search them',
      }),
    }
  },
  {
    needs: ['search'],
    validate: async ({ pattern, is_regex: regex, file_pattern: glob }, _context, { search }) =>
      search.check.grep({ pattern, regex, glob }),
    checkedByRun: true,
  },
)

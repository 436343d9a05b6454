import type { Search } from '../../capabilities/search.ts'
import { toShownPath } from '../../contract/text/shown-path.ts'
import { pathErrors } from './path-errors.ts'
import { toSearchWarnings } from './search-warnings.ts'
import { toCount } from './to-count.ts'
import { toShownName } from './to-shown-name.ts'
import { defineWorkspaceTool } from './workspace-tool.ts'

const maxFiles = 1000

export const fileSearch = defineWorkspaceTool(
  {
    name: 'file_search',
    description:
      'Finds files by a glob pattern over their paths. Supports * and ? within a name, ** across ' +
      'directories, [a-z] and {one,other}; without a slash it matches names at any depth. Lists the first 1000 ' +
      'matches sorted by path, down to 20 levels, for at most 30 s. Hidden files and files that .gitignore, .ignore ' +
      'or .rgignore match are left out unless include_ignored is true; a warning reports how many. Symbolic links are ' +
      'not followed. To search the contents of files, use grep_search.',
    risk: 'read_only',
    input: {
      type: 'object',
      additionalProperties: false,
      required: ['pattern'],
      properties: {
        pattern: {
          type: 'string',
          description: "Glob pattern (e.g., '**/*.py', 'src/**/*.go')",
          minLength: 1,
          maxLength: 1000,
        },
        base_path: {
          type: 'string',
          description: 'Base directory to search from (default: current directory)',
          default: '.',
          minLength: 1,
          maxLength: 4096,
        },
        include_ignored: {
          type: 'boolean',
          description: 'Also find ignored and hidden files, though not .git (default: false)',
          default: false,
        },
      },
    },
    metadata: {
      required: ['matches', 'returned', 'pattern', 'truncated', 'engine', 'unreadable', 'too_deep'],
      properties: {
        matches: {
          type: 'integer',
          minimum: 0,
          description: 'Number of matching files; if stopped early, those found so far',
        },
        returned: { type: 'integer', minimum: 0, description: 'How many of them are listed' },
        pattern: { type: 'string', description: 'The pattern' },
        truncated: { type: 'boolean', description: 'Matches are missing from the output' },
        engine: { enum: ['ripgrep', 'javascript'], description: 'The search engine; javascript is slower' },
        skipped: {
          type: 'integer',
          minimum: 0,
          description: 'Matching files left out as ignored or hidden; absent if counting them took too long',
        },
        unreadable: { type: 'integer', minimum: 0, description: 'Folders that could not be read' },
        too_deep: { type: 'boolean', description: 'Matching files more than 20 levels deep were left out' },
      },
    },
    errors: [
      pathErrors.outside,
      pathErrors.invalid,
      pathErrors.notFound,
      pathErrors.notDirectory,
      {
        code: 'invalid_glob',
        status: 400,
        when: 'The pattern is not a valid glob: an unclosed bracket, a leading ! or a .. segment.',
        suggestion: 'Correct the pattern. Supported: *, **, ?, [a-z] and {one,other}.',
      },
      pathErrors.denied,
      pathErrors.failed,
    ],
    limits: { outputBytes: 67_108_864 },
    effects: { reads: ['base_path'], returns: ['private'] },
    examples: [
      {
        title: 'Files at any depth',
        given: { files: { 'cmd/main.go': '', 'internal/agent.go': '', 'README.md': '' } },
        input: { pattern: '**/*.go' },
        returns: {
          output: "Found 2 files matching '**/*.go':\n  cmd/main.go\n  internal/agent.go\n",
          metadata: {
            matches: 2,
            returned: 2,
            pattern: '**/*.go',
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
        title: 'Only an ignored file matches',
        given: { files: { '.gitignore': 'build/\n', 'build/app.js': '' } },
        input: { pattern: '*.js' },
        returns: {
          output: "Found 0 files matching '*.js'\n",
          metadata: {
            matches: 0,
            returned: 0,
            pattern: '*.js',
            truncated: false,
            engine: 'ripgrep',
            skipped: 1,
            unreadable: 0,
            too_deep: false,
          },
          warnings: ['1 ignored or hidden matching file was not listed; set include_ignored to list it'],
        },
        varies: ['/metadata/engine'],
      },
      { title: 'An invalid pattern', input: { pattern: '**/*[.go' }, error: 'invalid_glob' },
    ],
  },
  async ({ pattern, base_path: base, include_ignored: includeIgnored }, { signal }, { search }: { search: Search }) => {
    const bounds = { maxResults: maxFiles, timeoutMs: 30_000, signal }
    const found = await search.findFiles({ pattern, base, includeIgnored, countOmitted: true, ...bounds })
    const { paths, total, stopped, engine, omitted, unreadable } = found
    return {
      output: [
        `Found ${toCount(total, 'file')} matching '${toShownPath(pattern)}'${total === 0 ? '' : ':'}`,
        ...paths.map((path) => `  ${toShownName(path)}`),
        '',
      ].join('\n'),
      metadata: {
        matches: total,
        returned: paths.length,
        pattern,
        truncated: stopped !== undefined || total > paths.length,
        engine,
        ...(omitted?.isComplete && { skipped: omitted.ignored }),
        unreadable,
        too_deep: omitted?.tooDeep ?? false,
      },
      warnings: toSearchWarnings(found, paths.length, {
        done: 'listed',
        deeper: 'set base_path to a deeper folder to list them',
      }),
    }
  },
  {
    needs: ['search'],
    validate: async ({ pattern, base_path: base }, _context, { search }) => search.check.findFiles({ pattern, base }),
    checkedByRun: true,
  },
)

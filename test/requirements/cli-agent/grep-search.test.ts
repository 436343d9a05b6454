import { expect } from 'vitest'
import type { Search } from '../../../src/capabilities/search.ts'
import { cliAgent } from '../cli-agent.ts'
import { openStatements } from '../statements.ts'
import { describeTool } from './describe-tool.ts'

const { statement } = openStatements(cliAgent)
const { contract, parameters, required, run, fail } = describeTool('grep_search')
const todo = { pattern: 'TODO' }
const three = {
  files: {
    'app.py': `${'\n'.repeat(14)}# TODO: implement\nTODO\n`,
    'lib/util.py': 'x = 1  # TODO\n',
    'README.md': 'Nothing to do.\n',
  },
}

statement('E601', () => expect(contract.name).toBe('grep_search'))
statement('E602', async () =>
  expect((await run({ pattern: 'x = 1' }, three)).output).toContain('lib/util.py:1: x = 1  # TODO'),
)
statement('E603', async () => {
  const pattern = 'x = [0-9]'
  expect((await run({ pattern, is_regex: true }, three)).metadata).toMatchObject({ total_matches: 1 })
  expect((await run({ pattern }, three)).metadata).toMatchObject({ total_matches: 0 })
})
statement('E604', () => expect(parameters.pattern).toMatchObject({ type: 'string' }))
statement('E605', () => expect(parameters.pattern?.description).toMatch(/^Text or regex pattern to search for/))
statement('E606', () => expect(required).toContain('pattern'))
statement('E607', () => expect(parameters.is_regex).toMatchObject({ type: 'boolean' }))
statement('E608', () => expect(parameters.is_regex?.description).toBe('Whether pattern is regex (default: false)'))
statement('E609', () => expect(required).not.toContain('is_regex'))
statement('E610', () => expect(parameters.is_regex).toMatchObject({ default: false }))
statement('E611', () => expect(parameters.file_pattern).toMatchObject({ type: 'string' }))
statement('E612', async () => {
  expect(parameters.file_pattern?.description).toMatch(/^Glob pattern to limit files searched/)
  expect((await run({ ...todo, file_pattern: 'lib/**' }, three)).metadata).toMatchObject({ total_matches: 1 })
})
statement('E613', () => expect(required).not.toContain('file_pattern'))
statement('E614', async () => {
  const files = { 'a.md': 'TODO\n', 'b/c.xyz': 'TODO\n', '.gitignore': 'build/\n', 'build/d.js': 'TODO\n' }
  const { output, metadata } = await run(todo, { files })
  expect(metadata).toMatchObject({ total_matches: 2, skipped: 2 })
  expect(output).toMatch(/^Warning: 2 ignored or hidden files were not searched; set include_ignored to search them\n/)
  expect((await run({ ...todo, include_ignored: true }, { files })).metadata).toMatchObject({ total_matches: 3 })
})
statement('E615', () => expect(parameters.max_results).toMatchObject({ type: 'integer' }))
statement('E616', () =>
  expect(parameters.max_results?.description).toBe('Maximum number of results to return (default: 100)'),
)
statement('E617', () => expect(required).not.toContain('max_results'))
statement('E618', async () => {
  expect(parameters.max_results).toMatchObject({ default: 100 })
  const { output } = await run(todo, { files: { a: 'TODO\n'.repeat(101) } })
  expect(output.split('\n').filter((line) => line.startsWith('  '))).toHaveLength(100)
})
statement('E619', async () => expect(await fail({ pattern: '' })).toMatchObject({ code: 'invalid_input' }))
statement('E620', async () =>
  expect(await fail({ pattern: 'a**(', is_regex: true })).toMatchObject({ code: 'invalid_regex' }),
)
statement('E621', async () => {
  for (const max_results of [0, 1001])
    expect(await fail({ ...todo, max_results }, three)).toMatchObject({ code: 'invalid_input' })
  for (const max_results of [1, 1000]) await run({ ...todo, max_results }, three)
})
statement('E622', async () =>
  expect((await run(todo, { files: { 'a.bin': 'TODO\0\n' } })).metadata).toMatchObject({ total_matches: 0 }),
)
statement('E623', async () => expect(await run(todo, three)).toMatchObject({ success: true }))
statement('E624', async () =>
  expect((await run(todo, three)).output).toBe(
    "Found 3 matches for 'TODO':\n  app.py:15: # TODO: implement\n  app.py:16: TODO\n  lib/util.py:1: x = 1  # TODO\n",
  ),
)
statement('E625', async () => expect(await run(todo, three)).toMatchObject({ files_affected: [] }))
statement('E626', async () => expect((await run(todo, three)).execution_time_ms).toSatisfy(Number.isInteger))
statement('E627', async () => expect((await run(todo, three)).metadata).toMatchObject({ total_matches: 3 }))
statement('E628', async () => expect((await run(todo, three)).metadata).toMatchObject({ files_searched: 3 }))
statement('E629', async () => expect((await run(todo, three)).metadata).toMatchObject({ pattern: 'TODO' }))
statement('E630', async () =>
  expect(await fail({ pattern: '(foo', is_regex: true })).toMatchObject({
    message: 'Invalid regex pattern: unclosed group',
  }),
)
statement('E631', async () =>
  expect((await run(todo, { ...three, wrapSearch: endAtOnce })).output).toMatch(
    /^Warning: Search timed out after 30s, returning partial results\n/,
  ),
)
statement('E632', async () =>
  expect((await run(todo, { ...three, wrapSearch: endAtOnce })).metadata).toMatchObject({ truncated: true }),
)
statement('E633', () => expect(contract.risk).toBe('read_only'))

/** A search whose time is over when it begins. */
function endAtOnce(search: Search): Search {
  return { ...search, grep: (request) => search.grep({ ...request, timeoutMs: 0 }) }
}

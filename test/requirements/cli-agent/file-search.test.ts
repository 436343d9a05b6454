import { expect } from 'vitest'
import { cliAgent } from '../cli-agent.ts'
import { openStatements } from '../statements.ts'
import { describeTool } from './describe-tool.ts'

const { statement } = openStatements(cliAgent)
const { contract, parameters, required, run, fail } = describeTool('file_search')
const all = { pattern: '**/*.go' }
const five = {
  files: { 'a.go': '', 'b.go': '', 'cmd/main.go': '', 'internal/agent.go': '', 'internal/x/y.go': '', 'README.md': '' },
}
const toFiles = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}.go`, '']))

statement('E501', () => expect(contract.name).toBe('file_search'))
statement('E502', async () =>
  expect((await run({ pattern: 'cmd/*.go' }, five)).output).toMatch(/:\n {2}cmd\/main\.go\n$/),
)
statement('E503', () => expect(parameters.pattern).toMatchObject({ type: 'string' }))
statement('E504', () => expect(parameters.pattern?.description).toBe("Glob pattern (e.g., '**/*.py', 'src/**/*.go')"))
statement('E505', () => expect(required).toContain('pattern'))
statement('E506', () => expect(parameters.base_path).toMatchObject({ type: 'string' }))
statement('E507', () =>
  expect(parameters.base_path?.description).toBe('Base directory to search from (default: current directory)'),
)
statement('E508', () => expect(required).not.toContain('base_path'))
statement('E509', async () => {
  expect(parameters.base_path).toMatchObject({ default: '.' })
  expect((await run({ ...all, base_path: '.' }, five)).output).toBe((await run(all, five)).output)
})
statement('E510', async () =>
  expect(await fail({ ...all, base_path: '../x' })).toMatchObject({ code: 'path_outside_working_dir' }),
)
statement('E511', async () => expect(await fail({ pattern: '{a,b' })).toMatchObject({ code: 'invalid_glob' }))
statement('E512', async () => {
  const { output } = await run(all, { files: toFiles(1001) })
  expect(output.split('\n').filter((line) => line.startsWith('  '))).toHaveLength(1000)
})
statement('E513', async () => {
  const files = { [`${'d/'.repeat(19)}level20.go`]: '', [`${'d/'.repeat(20)}level21.go`]: '' }
  const { output } = await run(all, { files })
  expect(output).toContain('level20.go')
  expect(output).not.toContain('level21.go')
  expect(output).toMatch(/^Warning: Files more than 20 levels deep were not listed/)
})
statement('E514', async () => expect(await run(all, five)).toMatchObject({ success: true }))
statement('E515', async () =>
  expect((await run(all, five)).output).toBe(
    "Found 5 files matching '**/*.go':\n  a.go\n  b.go\n  cmd/main.go\n  internal/agent.go\n  internal/x/y.go\n",
  ),
)
statement('E516', async () => expect(await run(all, five)).toMatchObject({ files_affected: [] }))
statement('E517', async () => expect((await run(all, five)).execution_time_ms).toSatisfy(Number.isInteger))
statement('E518', async () => expect((await run(all, five)).metadata).toMatchObject({ matches: 5 }))
statement('E519', async () => expect((await run(all, five)).metadata).toMatchObject({ pattern: '**/*.go' }))
statement('E520', async () =>
  expect(await fail({ pattern: '**/*[.go' })).toMatchObject({ message: "Invalid glob pattern '**/*[.go'" }),
)
statement('E521', async () =>
  expect((await run(all, { files: toFiles(2000) })).output).toMatch(
    /^Warning: Found 2000 matches, showing first 1000\n/,
  ),
)
statement('E522', () => expect(contract.risk).toBe('read_only'))

import { expect } from 'vitest'
import { cliAgent } from '../cli-agent.ts'
import { openStatements } from '../statements.ts'
import { describeTool, openFolder, type ToolOutput } from './describe-tool.ts'

const { statement } = openStatements(cliAgent)
const { contract, parameters, required, run, fail } = describeTool('list_dir')
const src = { path: 'src' }
const three = { files: { 'src/app.py': '', 'src/utils.py': '', 'src/models/user.py': '' } }
const toFiles = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}.txt`, '']))

statement('E401', () => expect(contract.name).toBe('list_dir'))
statement('E402', async () => expect((await run(src, three)).output).toContain('app.py'))
statement('E403', () => expect(parameters.path).toMatchObject({ type: 'string' }))
statement('E404', () =>
  expect(parameters.path?.description).toBe('Relative path to directory (default: current directory)'),
)
statement('E405', () => expect(required).not.toContain('path'))
statement('E406', async () => {
  expect(parameters.path).toMatchObject({ default: '.' })
  expect((await run({}, three)).output).toBe('Contents of .:\n  src/\n')
})
statement('E407', async () => expect(await fail({ path: '..' })).toMatchObject({ code: 'path_outside_working_dir' }))
statement('E408', async () => expect(await fail(src)).toMatchObject({ code: 'file_not_found' }))
statement('E409', async () =>
  expect(await fail(src, { files: { src: '' } })).toMatchObject({ code: 'not_a_directory' }),
)
statement('E410', async () => expect(toNames(await run({}, { files: toFiles(1001) }))).toHaveLength(1000))
statement('E411', async () => {
  const files = toFiles(1001)
  const { call } = openFolder({ files })
  const pages = await Promise.all([1, 2].map((page) => call('list_dir', { page })))
  const names = pages.flatMap((result) => toNames((result as unknown as { output: ToolOutput }).output))
  expect(names.toSorted()).toEqual(Object.keys(files).toSorted())
})
statement('E412', async () => expect(await run(src, three)).toMatchObject({ success: true }))
statement('E413', async () =>
  expect((await run(src, three)).output).toBe('Contents of ./src:\n  app.py\n  models/\n  utils.py\n'),
)
statement('E414', async () => expect(await run(src, three)).toMatchObject({ files_affected: [] }))
statement('E415', async () => expect((await run(src, three)).execution_time_ms).toSatisfy(Number.isInteger))
statement('E416', async () => expect((await run(src, three)).metadata).toMatchObject({ total_entries: 3 }))
statement('E417', async () => expect((await run(src, three)).metadata).toMatchObject({ files: 2 }))
statement('E418', async () => expect((await run(src, three)).metadata).toMatchObject({ directories: 1 }))
statement('E419', async () =>
  expect(await fail({ path: 'file.txt' }, { files: { 'file.txt': '' } })).toMatchObject({
    message: "Path 'file.txt' is not a directory",
  }),
)
statement('E421', () => expect(contract.risk).toBe('read_only'))

function toNames({ output }: ToolOutput): string[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('  '))
    .map((line) => line.trim())
}

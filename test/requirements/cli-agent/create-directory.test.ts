import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { cliAgent } from '../cli-agent.ts'
import { openStatements } from '../statements.ts'
import { describeTool } from './describe-tool.ts'

const { statement } = openStatements(cliAgent)
const { contract, parameters, required, run, fail } = describeTool('create_directory')
const models = { path: 'src/models' }

statement('E901', () => expect(contract.name).toBe('create_directory'))
statement('E902', async () => {
  const { root } = await run(models)
  expect(statSync(join(root, 'src/models')).isDirectory()).toBe(true)
})
statement('E903', () => expect(parameters.path).toMatchObject({ type: 'string' }))
statement('E904', () => expect(parameters.path?.description).toBe('Relative path to directory to create'))
statement('E905', () => expect(required).toContain('path'))
statement('E906', async () => expect(await fail({ path: '../a' })).toMatchObject({ code: 'path_outside_working_dir' }))
statement('E907', async () => {
  const { root } = await run({ path: 'a/b/c/d' })
  expect(statSync(join(root, 'a/b/c/d')).isDirectory()).toBe(true)
})
statement('E908', async () =>
  expect(await run(models, { files: { 'src/models/a': '' } })).toMatchObject({ success: true }),
)
statement('E909', async () => expect(await run(models)).toMatchObject({ success: true }))
statement('E910', async () => expect(await run(models)).toMatchObject({ output: 'Created directory: src/models' }))
statement('E911', async () => expect(await run(models)).toMatchObject({ files_affected: ['src/models'] }))
statement('E912', async () => expect((await run(models)).execution_time_ms).toSatisfy(Number.isInteger))
statement('E913', async () => expect((await run(models)).metadata).toMatchObject({ created_parents: ['src'] }))
statement('E914', async () =>
  expect(await fail({ path: 'test.txt' }, { files: { 'test.txt': '' } })).toMatchObject({
    message: "Path 'test.txt' exists as a file, cannot create directory",
  }),
)
statement('E916', () => expect(contract.risk).toBe('safe_write'))

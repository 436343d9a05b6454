import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { openCommandFolder } from '../../helpers/run-command.ts'
import { cliAgent } from '../cli-agent.ts'
import { openStatements } from '../statements.ts'
import { describeTool, openFolder } from './describe-tool.ts'

const { statement } = openStatements(cliAgent)
const { contract, parameters, required, run, fail } = describeTool('create_file')
const hello = { path: 'hello.py', content: 'x'.repeat(125) }

statement('E101', () => expect(contract.name).toBe('create_file'))
statement('E102', async () => {
  const { root } = await run(hello)
  expect(readFileSync(join(root, 'hello.py'), 'utf8')).toBe(hello.content)
})
statement('E103', () => expect(parameters.path).toMatchObject({ type: 'string' }))
statement('E104', () => expect(parameters.path?.description).toBe('Relative path to the file to create'))
statement('E105', () => expect(required).toContain('path'))
statement('E106', () => expect(parameters.content).toMatchObject({ type: 'string' }))
statement('E107', () => expect(parameters.content?.description).toBe('Content to write to the file'))
statement('E108', () => expect(required).toContain('content'))
statement('E109', async () =>
  expect(await fail({ ...hello, path: 'a/../../b' })).toMatchObject({ code: 'path_outside_working_dir' }),
)
statement('E110', async () => {
  const { root, call } = openFolder({ files: { 'hello.py': 'kept' } })
  expect(await call('create_file', hello)).toMatchObject({ success: false, error: { code: 'file_exists' } })
  expect(readFileSync(join(root, 'hello.py'), 'utf8')).toBe('kept')
})
statement('E111', async () => {
  const { root } = await run({ path: 'a/b/c.txt', content: '' })
  expect(existsSync(join(root, 'a/b/c.txt'))).toBe(true)
})
statement('E112', async () => {
  await run({ path: 'a', content: 'x'.repeat(10 * 1024 * 1024) })
  expect(await fail({ path: 'a', content: 'x'.repeat(10 * 1024 * 1024 + 1) })).toMatchObject({
    code: 'content_too_large',
  })
})
statement('E113', async () => expect(await run(hello)).toMatchObject({ success: true }))
statement('E114', async () => expect(await run(hello)).toMatchObject({ output: 'Created file: hello.py (125 bytes)' }))
statement('E115', async () => expect(await run(hello)).toMatchObject({ files_affected: ['hello.py'] }))
statement('E116', async () => expect((await run(hello)).execution_time_ms).toSatisfy(Number.isInteger))
statement('E117', async () =>
  expect(await fail({ path: '../etc/passwd', content: '' })).toMatchObject({
    message: "Path '../etc/passwd' is outside working directory",
  }),
)
statement('E118', async () => {
  const { folder, run: runCommand, close } = openCommandFolder()
  onTestFinished(close)
  writeFileSync(join(folder, 'test.txt'), '')
  const { stderr } = await runCommand(['call', 'create_file', 'path=test.txt', 'content=', '--yes'])
  expect(stderr).toMatch(/^Error: File 'test\.txt' already exists\. Use replace_string_in_file to modify\n/)
})
statement('E120', () => expect(contract.risk).toBe('safe_write'))

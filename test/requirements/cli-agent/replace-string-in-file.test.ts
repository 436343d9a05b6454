import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { cliAgent } from '../cli-agent.ts'
import { openStatements } from '../statements.ts'
import { describeTool, openFolder } from './describe-tool.ts'

const { statement } = openStatements(cliAgent)
const { contract, parameters, required, run, fail } = describeTool('replace_string_in_file')
const edit = { path: 'hello.py', old_string: 'old', new_string: 'new' }
const once = { files: { 'hello.py': '\n\n\n\nold\n' } }
const thrice = { files: { 'hello.py': '\n\n\n\nold old\nold\n' } }

statement('E301', () => expect(contract.name).toBe('replace_string_in_file'))
statement('E302', async () => {
  const { root } = await run(edit, once)
  expect(readFileSync(join(root, 'hello.py'), 'utf8')).toBe('\n\n\n\nnew\n')
})
statement('E303', () => expect(parameters.path).toMatchObject({ type: 'string' }))
statement('E304', () => expect(parameters.path?.description).toBe('Relative path to the file to modify'))
statement('E305', () => expect(required).toContain('path'))
statement('E306', () => expect(parameters.old_string).toMatchObject({ type: 'string' }))
statement('E307', () => expect(parameters.old_string?.description).toBe('Exact string to find and replace'))
statement('E308', () => expect(required).toContain('old_string'))
statement('E309', () => expect(parameters.new_string).toMatchObject({ type: 'string' }))
statement('E310', () => expect(parameters.new_string?.description).toMatch(/^String to replace with/))
statement('E311', () => expect(required).toContain('new_string'))
statement('E312', async () =>
  expect(await fail({ ...edit, path: '../a' })).toMatchObject({ code: 'path_outside_working_dir' }),
)
statement('E313', async () => expect(await fail(edit)).toMatchObject({ code: 'file_not_found' }))
statement('E314', async () =>
  expect(await fail({ ...edit, old_string: '' }, once)).toMatchObject({ code: 'invalid_input' }),
)
statement('E315', async () => {
  const { root, call } = openFolder({ files: { 'hello.py': 'kept' } })
  expect(await call('replace_string_in_file', edit)).toMatchObject({
    success: false,
    error: { code: 'string_not_found' },
  })
  expect(readFileSync(join(root, 'hello.py'), 'utf8')).toBe('kept')
})
statement('E316', async () => {
  const { root } = await run(edit, thrice)
  expect(readFileSync(join(root, 'hello.py'), 'utf8')).toBe('\n\n\n\nnew old\nold\n')
})
statement('E317', async () => expect(await run(edit, once)).toMatchObject({ success: true }))
statement('E318', async () =>
  expect(await run(edit, once)).toMatchObject({ output: 'Replaced 1 occurrence in hello.py' }),
)
statement('E319', async () => expect(await run(edit, once)).toMatchObject({ files_affected: ['hello.py'] }))
statement('E320', async () => expect((await run(edit, once)).execution_time_ms).toSatisfy(Number.isInteger))
statement('E321', async () => expect((await run(edit, thrice)).metadata).toMatchObject({ occurrences_found: 3 }))
statement('E322', async () => expect((await run(edit, thrice)).metadata).toMatchObject({ occurrences_replaced: 1 }))
statement('E323', async () => expect((await run(edit, once)).metadata).toMatchObject({ lines_changed: [5] }))
statement('E324', async () =>
  expect(await fail({ ...edit, old_string: 'old_text' }, once)).toMatchObject({
    message: "String 'old_text' not found in file",
  }),
)
statement('E325', async () =>
  expect((await run(edit, thrice)).output).toMatch(
    /^Warning: Found 3 occurrences, replaced only the first at line 5\n/,
  ),
)
statement('E326', () => expect(contract.risk).toBe('dangerous'))

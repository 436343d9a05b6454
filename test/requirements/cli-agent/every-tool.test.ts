import { expect, onTestFinished } from 'vitest'
import { openToolpact } from '../../../src/app/app.ts'
import { compileSchema } from '../../../src/contract/schema/compile-schema.ts'
import { workspace } from '../../../src/toolsets/workspace/index.ts'
import { makeFolder } from '../../helpers/open-test-pipeline.ts'
import { cliAgent } from '../cli-agent.ts'
import { openStatements } from '../statements.ts'
import { openFolder } from './describe-tool.ts'

const { statement } = openStatements(cliAgent)
const tools = workspace.tools.filter(({ offer }) => !offer)
const contracts = tools.map(({ contract }) => contract)

statement('E1', () => expect(tools).toHaveLength(10))
statement('E2', () => expect(new Set(contracts.map(({ name }) => name)).size).toBe(10))
statement('E3', () => {
  for (const { name, description } of contracts) expect(description.split(' ').length, name).toBeGreaterThan(3)
})
statement('E4', async () => {
  for (const { name, input } of contracts) {
    expect(input, name).toMatchObject({ type: 'object', properties: expect.any(Object) })
    await compileSchema(input)
  }
})
statement('E5', async () => {
  const { call, asked } = await openAsking()
  const invalid: readonly [tool: string, input: object][] = [
    ['create_file', { path: 'a' }],
    ['replace_string_in_file', { path: 'a', old_string: '', new_string: 'b' }],
    ['run_in_terminal', { command: '', timeout_seconds: 30 }],
    ['create_directory', {}],
    ['fetch_webpage', { url: 'https://example.com', timeout_seconds: 61 }],
  ]
  for (const [tool, input] of invalid)
    expect(await call(tool, input), tool).toMatchObject({ success: false, ran: false })
  expect(asked).toEqual([])
})
statement('E7', async () => {
  const { call } = openFolder({ files: { 'a.txt': 'text' } })
  expect(await call('read_file', { path: 'a.txt' })).toMatchObject({
    success: true,
    output: { output: expect.stringContaining('text') },
  })
})
statement('E8', () => {
  for (const { name, output } of contracts)
    expect(output, name).toMatchObject({
      required: expect.arrayContaining(['success', 'output', 'files_affected', 'execution_time_ms']),
      properties: {
        success: { const: true },
        output: { type: 'string' },
        files_affected: { type: 'array', items: { type: 'string' } },
        execution_time_ms: { type: 'integer' },
      },
    })
})
statement('E9', () => {
  for (const { name, approval, risk } of contracts) expect(approval, name).toBe(risk === 'read_only' ? 'never' : 'ask')
})
statement('E10', () => {
  for (const { name, risk } of contracts) expect(['read_only', 'safe_write', 'dangerous'], name).toContain(risk)
})
statement('E11', async () => {
  const { call } = openFolder()
  for (const { name, errors } of contracts) {
    expect(await call(name, { unknown: 1 }), name).toMatchObject({ success: false, error: { code: 'invalid_input' } })
    expect(errors.length, name).toBeGreaterThan(0)
  }
})

/** The tools behind a person who says no, and what that person was asked. */
async function openAsking() {
  const asked: string[] = []
  const toolpact = await openToolpact({
    workspace: makeFolder(),
    storage: 'memory',
    toolsets: ['workspace'],
    approver: async ({ contract }) => {
      asked.push(contract.name)
      return { answer: 'no', by: 'a test' }
    },
  })
  onTestFinished(() => toolpact.close())
  return { asked, call: (tool: string, input: unknown) => toolpact.call(`workspace.${tool}`, input) }
}

import { expect, onTestFinished, test } from 'vitest'
import { openToolpact } from '../../app/app.ts'
import { defineTool } from '../../contract/define-tool.ts'
import { defineToolset } from '../../contract/define-toolset.ts'
import { ToolpactError } from '../../contract/toolpact-error.ts'
import { adaptTools } from './adapt-tools.ts'

const text = { type: 'string', description: 'What to say' } as const
const schema = { type: 'object', properties: { text }, required: ['text'], additionalProperties: false } as const

async function open(options: object = {}) {
  const about = { description: 'Says a text.', input: schema, output: schema } as const
  const read = defineTool({ ...about, name: 'read', risk: 'read_only' }, (input) => input)
  const write = defineTool({ ...about, name: 'write', risk: 'safe_write' }, (input) => input)
  const toolpact = await openToolpact({ storage: 'memory', toolsets: [defineToolset('notes', [read, write])] })
  onTestFinished(() => toolpact.close())
  const [reads, writes] = await adaptTools(toolpact, { via: 'test', ...options })
  return { toolpact, reads: reads!, writes: writes! }
}

const codeOf = (result: string) => JSON.parse(result).error?.code

test('a call that the policy allows needs no approval, and one that it asks about runs once the SDK has', async () => {
  const { toolpact, reads, writes } = await open()
  expect(await reads.needsApproval({ text: 'a' }, '1')).toBe(false)
  expect(codeOf(await reads.run({ text: 'a' }, '1'))).toBeUndefined()
  expect(await writes.needsApproval({ text: 'a' }, '2')).toBe(true)
  expect(codeOf(await writes.run('{"text":"a"}', '2'))).toBeUndefined()
  const records = (await toolpact.ledger.read({})).map(({ record }) => JSON.stringify(record)).join()
  expect(records).toContain('"via":"test"')
})

test('a yes is for one call, one tool and one input', async () => {
  const { reads, writes } = await open()
  expect(codeOf(await writes.run({ text: 'a' }, '1'))).toBe('approval_denied')
  await writes.needsApproval({ text: 'a' }, '1')
  expect(codeOf(await writes.run({ text: 'b' }, '1'))).toBe('approval_denied')
  await writes.needsApproval({ text: 'a' }, '1')
  expect(codeOf(await writes.run({ text: 'a' }, '2'))).toBe('approval_denied')
  expect(codeOf(await reads.run({ text: 'a' }, '1'))).toBeUndefined()
  expect(codeOf(await writes.run({ text: 'a' }, '1'))).toBe('approval_denied')
})

test('a rule that allows the call spares the question', async () => {
  const { toolpact, writes } = await open()
  await toolpact.rules.add({ tool: 'notes.write', pattern: '*', scope: 'session', createdBy: 'test' })
  expect(await writes.needsApproval({ text: 'a' }, '1')).toBe(false)
  expect(codeOf(await writes.run({ text: 'a' }, '1'))).toBeUndefined()
})

test('where the program has an approver of its own, the SDK does not ask', async () => {
  const approver = async () => ({ answer: 'no', by: 'test' }) as const
  const { writes } = await open({ approver })
  expect(await writes.needsApproval({ text: 'a' }, '1')).toBe(false)
  expect(codeOf(await writes.run({ text: 'a' }, '1'))).toMatch(/denied|approval/)
})

test('an invalid call gets an error for the model, and no question', async () => {
  const { writes } = await open()
  for (const input of ['{"text":', '[]', undefined, { text: 1 }]) {
    expect(await writes.needsApproval(input, '1')).toBe(false)
    expect(codeOf(await writes.run(input, '1'))).toBe('invalid_input')
  }
})

test('an adapter needs an opened Toolpact', async () => {
  await expect(adaptTools(undefined as never, { via: 'test' })).rejects.toThrow(ToolpactError)
})

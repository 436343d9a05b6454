import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { openToolpact } from '../../../src/app/app.ts'
import { openBench } from '../../../src/authoring/scenarios/open-bench.ts'
import type { ToolReport } from '../../../src/authoring/scenarios/report.ts'
import { testTool } from '../../../src/authoring/scenarios/test-tool.ts'
import type { ContractSource } from '../../../src/contract/contract.ts'
import { defineTool } from '../../../src/contract/define-tool.ts'
import { defineToolset } from '../../../src/contract/define-toolset.ts'
import { defineValidator } from '../../../src/contract/define-validator.ts'
import type { JsonSchema } from '../../../src/contract/json.ts'
import type { Tool } from '../../../src/contract/tool.ts'
import { cleanContract } from '../../data/clean-contract.ts'
import { define, makeChangeling, openHost, withoutOutput } from '../../helpers/open-changeling.ts'
import { makeFolder } from '../../helpers/open-test-pipeline.ts'
import { extensionModel } from '../extension-model.ts'
import { openStatements } from '../statements.ts'
import { admitExample, sharepoint } from './sharepoint.ts'

const { statement } = openStatements(extensionModel)

statement('D53', async () => {
  expect(await admitExample({ inputSchema: { type: 'strng' } })).toMatchObject({
    reasons: [
      { code: 'invalid_schema', message: expect.stringContaining('inputSchema'), fix: expect.stringMatching(/./) },
    ],
  })
})
statement('D54', async () => {
  expect(await admitExample({ outputSchema: { type: 'strng' } })).toMatchObject({
    reasons: [
      { code: 'invalid_schema', message: expect.stringContaining('outputSchema'), fix: expect.stringMatching(/./) },
    ],
  })
})
statement('D55', async () => {
  const parse = defineValidator(sharepoint.outputSchema as JsonSchema)
  const doc = { doc_id: '1', content: 'text' }
  expect(await parse(doc)).toEqual({ valid: true, value: doc })
  expect(await parse({ doc_id: 1 })).toMatchObject({ valid: false })
})
statement('D56', async () => {
  for (const scenario of ['examples', 'minimal', 'maximal', 'random'])
    expect(await countCases(scenario), scenario).toBeGreaterThan(0)
})
statement('D57', async () => {
  for (const scenario of ['missing-required', 'wrong-type', 'unknown-property', 'bounds'])
    expect(await countCases(scenario), scenario).toBeGreaterThan(0)
})
statement('D58', async () => expect(await countCases('corrupted-output')).toBeGreaterThan(0))
statement('D59', async () => {
  const { names } = openHost({ one: makeChangeling([define('echo')]).entry })
  expect(await names()).toEqual(['echo'])
})
statement('D60', async () => {
  const { names, upstreams } = openHost({ one: makeChangeling([define('echo'), withoutOutput('plain')]).entry })
  await names()
  expect(upstreams.statuses()).toMatchObject([
    { admitted: [{ tool: { contract: { name: 'echo' } } }], withheld: [{ reasons: [{ code: 'no_output_schema' }] }] },
  ])
})
statement('D61', async () => {
  const { call } = openHost({ one: makeChangeling([define('echo')]).entry })
  expect(await call('one.echo', { text: 'new' })).toMatchObject({ success: true, output: { said: 'new' } })
})
statement('D62', async () => {
  const workspace = makeFolder()
  const toolpact = await openToolpact({ workspace, storage: 'memory', toolsets: ['workspace'] })
  onTestFinished(() => toolpact.close())
  const result = await toolpact.call('workspace.create_file', { path: 'a', content: '' })
  expect(result).toMatchObject({ success: false, ran: false, error: { code: 'approval_denied' } })
  expect(existsSync(join(workspace, 'a'))).toBe(false)
  const claims = { annotations: { readOnlyHint: true } }
  expect(await admitExample(claims)).toMatchObject({ contract: { approval: 'ask', risk: 'dangerous' } })
})
statement('D63', async () => {
  const { call } = openHost({ one: makeChangeling([define('echo')]).entry })
  expect(await call('one.echo', { text: 'hi', more: 1 })).toMatchObject({ error: { code: 'invalid_input' } })
})
statement('D64', async () => {
  const { call } = openHost({ one: makeChangeling([withoutOutput('plain')]).entry })
  expect(await call('one.plain')).toMatchObject({ success: false, error: { code: 'tool_withheld' } })
})
statement('D66', async () => {
  const { call, names, upstreams } = openHost({ one: makeChangeling([define('echo'), withoutOutput('plain')]).entry })
  expect(await names()).toEqual(['echo'])
  await call('one.echo')
  await call('one.plain')
  expect(await names()).toEqual(['echo'])
  expect(upstreams.statuses()[0]!.withheld).toMatchObject([{ reasons: [{ code: 'no_output_schema' }] }])
})
statement('D68', async () => {
  const { call } = openHost({ one: makeChangeling([define('echo'), define('violating')]).entry })
  expect(await call('one.echo', { text: 5 })).toMatchObject({ error: { code: 'invalid_input' } })
  expect(await call('one.violating')).toMatchObject({ error: { code: 'invalid_output' } })
})
statement('D69', async () => {
  for (const change of ['name', 'description', 'inputSchema', 'outputSchema'])
    expect(await admitExample({ [change]: undefined }), change).toMatchObject({ state: 'withheld' })
  const { call } = openHost({ one: makeChangeling([define('echo', { inputSchema: { type: 'strng' } })]).entry })
  expect(await call('one.echo')).toMatchObject({ success: false, error: { code: 'tool_withheld' } })
})
statement('D70', async () => {
  const { name: _, ...source } = cleanContract()
  const open = { ...source, name: 'read_note', output: { type: 'object' } } as ContractSource
  const toolset = defineToolset('own', [defineTool(open, () => ({})) as Tool])
  await expect(openToolpact({ storage: 'memory', toolsets: [toolset] })).rejects.toThrow('own.read_note')
})

let report: Promise<ToolReport> | undefined

/** How many cases of a kind are derived for a new tool that keeps its contract. */
async function countCases(name: string): Promise<number> {
  report ??= testNewTool()
  const { ok, scenarios } = await report
  expect(ok).toBe(true)
  return scenarios.find(({ scenario }) => scenario === name)!.cases
}

async function testNewTool(): Promise<ToolReport> {
  const contract = cleanContract({ effects: {}, examples: [{ input: { path: 'a.md' }, output: { text: 'Hello' } }] })
  const tool = defineTool(contract as ContractSource, (() => ({ text: 'Hello' })) as never) as Tool
  const bench = await openBench([{ id: 'own.read_note', toolset: 'own', toolsetDescription: 'Of its own.', tool }], {
    open: (options) => openToolpact(options),
    reachOut: false,
  })
  onTestFinished(() => bench.close())
  return testTool(contract, bench.subject('own.read_note'), { seed: 1 })
}

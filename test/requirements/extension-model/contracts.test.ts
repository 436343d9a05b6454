import { expect } from 'vitest'
import { toolsets } from '../../../src/toolsets/index.ts'
import { findings, findingsInProperty } from '../../data/clean-contract.ts'
import { define, makeChangeling, openHost } from '../../helpers/open-changeling.ts'
import { describeTool } from '../cli-agent/describe-tool.ts'
import { extensionModel } from '../extension-model.ts'
import { openStatements, readContracts } from '../statements.ts'
import { admitExample, sharepoint, withheld } from './sharepoint.ts'

const { statement } = openStatements(extensionModel)
const admitted = (contract: object) => ({ state: 'admitted', contract })

statement('D2', async () => {
  const { name, description } = sharepoint
  expect(await admitExample()).toMatchObject(admitted({ name, description, title: expect.any(String) }))
})
statement('D3', async () => {
  expect(await admitExample()).toMatchObject(admitted({ input: sharepoint.inputSchema }))
})
statement('D4', async () => {
  expect(await admitExample()).toMatchObject(admitted({ output: sharepoint.outputSchema }))
})
statement('D5', async () => {
  expect(await admitExample()).toMatchObject(
    admitted({
      risk: expect.any(String),
      approval: expect.any(String),
      errors: expect.arrayContaining([expect.objectContaining({ code: 'upstream_error' })]),
      limits: { timeoutMs: expect.any(Number), outputBytes: expect.any(Number) },
    }),
  )
})
statement('D6', async () => {
  expect(await admitExample({ name: undefined })).toMatchObject(withheld('name_not_usable'))
})
statement('D7', async () => {
  for (const description of [undefined, '', ' '])
    expect(await admitExample({ description })).toMatchObject(withheld('no_description'))
})
statement('D8', async () => {
  const { name, description } = sharepoint
  expect(await admitExample()).toMatchObject(admitted({ name, description }))
})
statement('D11', async () => {
  const host = openHost({ one: makeChangeling([define('echo')]).entry })
  expect(await host.names()).toEqual(['echo'])
  // The server would answer this call.
  expect(await host.call('one.media')).toMatchObject({ success: false, error: { code: 'tool_not_found' } })
})
statement('D12', async () => {
  expect(await admitExample({ inputSchema: undefined })).toMatchObject(withheld('no_input_schema'))
})
statement('D13', async () => {
  for (const inputSchema of ['object', { type: 'object', properties: { doc_id: { type: 'text' } } }])
    expect(await admitExample({ inputSchema })).toMatchObject(withheld('invalid_schema'))
})
statement('D14', async () => {
  const { call } = openHost({ one: makeChangeling([sharepoint]).entry })
  expect(await call('one.fetch_sharepoint_doc', { doc_id: 5 })).toMatchObject({ error: { code: 'invalid_input' } })
  // The input passes; the server does not answer as the example demands.
  expect(await call('one.fetch_sharepoint_doc', { doc_id: '5' })).toMatchObject({ error: { code: 'invalid_output' } })
})
statement('D15', async () => {
  const { call } = openHost({ one: makeChangeling([sharepoint]).entry })
  expect(await call('one.fetch_sharepoint_doc', {})).toMatchObject({
    error: { code: 'invalid_input', problems: [{ keyword: 'required' }] },
  })
})
statement('D16', async () => {
  const inputSchema = { ...sharepoint.inputSchema, required: ['doc_id', 'site'] }
  expect(await admitExample({ inputSchema })).toMatchObject(withheld('undeclared_required'))
})
statement('D17', async () => {
  for (const additionalProperties of [undefined, true]) {
    const inputSchema = { ...sharepoint.inputSchema, ...(additionalProperties && { additionalProperties }) }
    const { call } = openHost({ one: makeChangeling([{ ...sharepoint, inputSchema }]).entry })
    expect(await call('one.fetch_sharepoint_doc', { doc_id: '5', site: 'x' })).toMatchObject({
      error: { code: 'invalid_input', problems: [{ keyword: 'additionalProperties' }] },
    })
  }
})
statement('D18', async () => {
  const properties = { path: { type: 'string', description: 'Path of the note' } }
  expect(await findings('root-closed', { input: { type: 'object', properties } })).toEqual([
    '/input/additionalProperties',
  ])
  expect(await findingsInProperty('object-explicit', { type: 'object', description: 'Anything' })).toEqual([
    '/additionalProperties',
  ])
})
statement('D19', async () => {
  const { parameters, run } = describeTool('list_dir')
  expect(parameters.path).toHaveProperty('default', '.')
  expect((await run({})).output).toMatch(/^Contents of \./)
})
statement('D20', async () => {
  const missing = { outputSchema: undefined }
  expect(await admitExample(missing)).toMatchObject(withheld('no_output_schema'))
  expect(await admitExample({ outputSchema: { type: 'object' } })).toMatchObject(withheld('no_output_schema'))
  const settings = { withoutOutputSchema: 'opaque' } as const
  expect(await admitExample(missing, { settings })).toMatchObject({ state: 'admitted', outputForm: 'opaque' })
})
statement('D21', async () => {
  const { call } = openHost({ one: makeChangeling([define('echo'), define('violating')]).entry })
  expect(await call('one.echo')).toMatchObject({ success: true, output: { said: 'hi' } })
  expect(await call('one.violating')).toMatchObject({ success: false, error: { code: 'invalid_output' } })
})
statement('D22', async () => {
  const { call, violations } = openHost({ one: makeChangeling([sharepoint]).entry })
  await call('one.fetch_sharepoint_doc', { doc_id: '5' })
  expect(violations).toMatchObject([
    { kind: 'invalid_output', problems: [{ keyword: 'required' }, { keyword: 'required' }] },
  ])
})
statement('D24', async () => {
  const contracts = (await Promise.all(Object.keys(toolsets).map(readContracts))).flat()
  expect(contracts).toHaveLength(21)
  for (const { output } of contracts) expect(output).toHaveProperty('additionalProperties', false)
})

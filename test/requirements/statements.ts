import { expect, onTestFinished, test } from 'vitest'
import { openToolpact } from '../../src/app/app.ts'
import type { Contract } from '../../src/contract/contract.ts'
import type { JsonObject, JsonValue } from '../../src/contract/json.ts'
import { valueAt } from '../../src/contract/schema/json-pointer.ts'
import { toolsets } from '../../src/toolsets/index.ts'
import { initialize, openMcpStdio } from '../helpers/open-mcp.ts'
import type { RequirementsDocument } from './requirement.ts'
import { toStatements } from './to-page.ts'

/** What the contract of a tool has at a JSON pointer. Of an object, `is` may be a part. */
export type ContractRow = readonly [
  id: string,
  row: { readonly tool: string; readonly at: string; readonly is: JsonValue },
]

/** An error that the contract of a tool declares. */
type ErrorRow = readonly [id: string, row: { readonly tool: string; readonly code: string; readonly status: number }]

/** Declares the tests of single statements. Their titles are the id and what the statement says. */
export function openStatements(document: RequirementsDocument) {
  const statements = new Map(toStatements(document).map((statement) => [statement.id, statement]))
  const statement = (id: string, run: () => Promise<void> | void) => {
    const { says, tests } = statements.get(id) ?? {}
    if (!tests?.some((name) => name.endsWith(`: ${id}`)))
      throw new Error(`No row of ${document.title} names the test ${id}`)
    test(`${id}: ${says}`, run)
  }
  return {
    statement,
    contracts(rows: readonly ContractRow[]) {
      for (const [id, { tool, at, is }] of rows)
        statement(id, async () => {
          const found = valueAt((await readContract(tool)) as unknown as JsonObject, at)
          if (typeof is === 'object' && is !== null && !Array.isArray(is)) expect(found).toMatchObject(is)
          else expect(found).toEqual(is)
        })
    },
    errors(rows: readonly ErrorRow[]) {
      for (const [id, { tool, code, status }] of rows)
        statement(id, async () => {
          const { errors } = await readContract(tool)
          expect(errors).toContainEqual(expect.objectContaining({ code, status }))
        })
    },
  }
}

/** The contract of a built-in tool, by its full id. */
export async function readContract(id: string): Promise<Contract> {
  const [toolset = '', ...name] = id.split('.')
  const contracts = await readContracts(toolset)
  return contracts.find((contract) => contract.name === name.join('.'))!
}

/** The contracts of the tools of a built-in toolset. */
export async function readContracts(toolset: string): Promise<Contract[]> {
  const { tools } = await toolsets[toolset]!()
  return tools.filter(({ offer }) => !offer).map(({ contract }) => contract)
}

/** The result of `tools/call`, over MCP on stdio. */
export function callOverMcp(toolset: string, name: string, input: JsonObject): Promise<JsonObject> {
  return askMcp(toolset, 'tools/call', { name, arguments: input })
}

/** Expects that MCP lists exactly these tools of a toolset, with the schemas of their contracts. */
export async function expectListed(toolset: string, names: readonly string[]) {
  const { tools } = await askMcp(toolset, 'tools/list', {})
  const contracts = await readContracts(toolset)
  const expected = contracts.map(({ input, output }, index) =>
    expect.objectContaining({ name: names[index], inputSchema: input, outputSchema: output }),
  )
  expect(contracts).toHaveLength(names.length)
  expect(tools).toEqual(expected)
}

/** The result of a request to a server of one toolset, over MCP on stdio. */
async function askMcp(toolset: string, method: string, params: JsonObject): Promise<JsonObject> {
  const toolpact = await openToolpact({ storage: 'memory', toolsets: [toolset] })
  onTestFinished(() => toolpact.close())
  const { send, next } = await openMcpStdio({ toolpact })
  send(initialize(), { jsonrpc: '2.0', id: 'request', method, params })
  await next()
  return (await next()).result
}

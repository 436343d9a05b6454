import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { JsonObject } from '../../src/contract/json.ts'
import { defineEcho, openTestPipeline } from '../open-test-pipeline.ts'
import { livingContracts } from './living-contracts.ts'
import { askMcp, openStatements, readContract } from './statements.ts'

const { statement, contracts, errors } = openStatements(livingContracts)
const searchWeb = 'web-fetch.search.web'
const fetchPage = 'web-fetch.web.fetch'
const clean = 'transcript-clean.transcript.clean'
const load = 'mlxctl.mlx.load'
const unload = 'mlxctl.mlx.unload'
const all = [searchWeb, fetchPage, clean, load, unload]
const read = (path: string) => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8')

interface OpenApi {
  readonly openapi: string
  readonly security: readonly JsonObject[]
  readonly paths: { readonly [path: string]: { readonly [method: string]: { readonly responses: JsonObject } } }
  readonly components: {
    readonly schemas: { readonly [name: string]: JsonObject }
    readonly securitySchemes: JsonObject
  }
}

/** What the OpenAPI document says about a tool, and the document. */
function readOpenApi(id: string) {
  const document = JSON.parse(read('openapi.json')) as OpenApi
  const name = id.replaceAll('.', '_')
  const methods = document.paths[`/v1/tools/${name}`]!
  return { document, name, methods }
}

/** The part of docs/tools.md about a tool. */
function readSection(id: string): string {
  return read('tools.md')
    .split('\n### ')
    .find((section) => section.startsWith(`${id}\n`))!
}

contracts([
  ['C22', { tool: searchWeb, at: '/status', is: 'active' }],
  ['C26', { tool: searchWeb, at: '/input/type', is: 'object' }],
  ['C27', { tool: searchWeb, at: '/input/required', is: ['query'] }],
  ['C28', { tool: searchWeb, at: '/input/additionalProperties', is: false }],
  ['C29', { tool: searchWeb, at: '/input/properties/query', is: { type: 'string' } }],
  ['C30', { tool: searchWeb, at: '/input/properties/query', is: { minLength: 1 } }],
  ['C31', { tool: searchWeb, at: '/input/properties/max_results', is: { type: 'integer' } }],
  ['C32', { tool: searchWeb, at: '/input/properties/max_results', is: { minimum: 1 } }],
  ['C33', { tool: searchWeb, at: '/input/properties/max_results', is: { maximum: 25 } }],
  ['C34', { tool: searchWeb, at: '/output/type', is: 'object' }],
  ['C35', { tool: searchWeb, at: '/output/required', is: ['results'] }],
  ['C36', { tool: searchWeb, at: '/output/additionalProperties', is: false }],
  ['C37', { tool: searchWeb, at: '/output/properties/results', is: { type: 'array' } }],
  ['C38', { tool: searchWeb, at: '/output/properties/results/items/type', is: 'object' }],
  ['C39', { tool: searchWeb, at: '/output/properties/results/items/required', is: ['title', 'url', 'snippet'] }],
  ['C40', { tool: searchWeb, at: '/output/properties/results/items/additionalProperties', is: false }],
  ['C41', { tool: searchWeb, at: '/output/properties/results/items/properties/title/type', is: 'string' }],
  ['C42', { tool: searchWeb, at: '/output/properties/results/items/properties/url/type', is: 'string' }],
  ['C43', { tool: searchWeb, at: '/output/properties/results/items/properties/snippet/type', is: 'string' }],
  ['C44', { tool: searchWeb, at: '/output/properties/results/items/properties/date/type', is: ['string', 'null'] }],
  ['C48', { tool: fetchPage, at: '/status', is: 'active' }],
  ['C51', { tool: fetchPage, at: '/input/type', is: 'object' }],
  ['C52', { tool: fetchPage, at: '/input/required', is: ['url'] }],
  ['C53', { tool: fetchPage, at: '/input/additionalProperties', is: false }],
  ['C54', { tool: fetchPage, at: '/input/properties/url', is: { type: 'string' } }],
  ['C55', { tool: fetchPage, at: '/input/properties/url', is: { format: 'uri' } }],
  ['C56', { tool: fetchPage, at: '/input/properties/include_raw_html', is: { type: 'boolean' } }],
  ['C57', { tool: fetchPage, at: '/input/properties/include_raw_html', is: { default: false } }],
  ['C58', { tool: fetchPage, at: '/output/type', is: 'object' }],
  ['C59', { tool: fetchPage, at: '/output/required', is: ['final_url', 'clean_text'] }],
  ['C60', { tool: fetchPage, at: '/output/additionalProperties', is: false }],
  ['C61', { tool: fetchPage, at: '/output/properties/final_url', is: { type: 'string', format: 'uri' } }],
  ['C62', { tool: fetchPage, at: '/output/properties/title', is: { type: ['string', 'null'] } }],
  ['C63', { tool: fetchPage, at: '/output/properties/byline', is: { type: ['string', 'null'] } }],
  ['C64', { tool: fetchPage, at: '/output/properties/published_at', is: { type: ['string', 'null'] } }],
  ['C65', { tool: fetchPage, at: '/output/properties/lang', is: { type: ['string', 'null'] } }],
  ['C66', { tool: fetchPage, at: '/output/properties/clean_text', is: { type: 'string' } }],
  ['C67', { tool: fetchPage, at: '/output/properties/clean_text', is: { minLength: 1 } }],
  ['C68', { tool: fetchPage, at: '/output/properties/raw_html', is: { type: 'string' } }],
  ['C73', { tool: clean, at: '/status', is: 'active' }],
  ['C76', { tool: clean, at: '/input/type', is: 'object' }],
  ['C77', { tool: clean, at: '/input/required', is: ['text'] }],
  ['C78', { tool: clean, at: '/input/additionalProperties', is: false }],
  ['C79', { tool: clean, at: '/input/properties/text', is: { type: 'string' } }],
  ['C80', { tool: clean, at: '/input/properties/text', is: { minLength: 1 } }],
  ['C81', { tool: clean, at: '/output/type', is: 'object' }],
  ['C82', { tool: clean, at: '/output/required', is: ['clean_text'] }],
  ['C83', { tool: clean, at: '/output/additionalProperties', is: false }],
  ['C84', { tool: clean, at: '/output/properties/clean_text', is: { type: 'string' } }],
  ['C85', { tool: clean, at: '/output/properties/clean_text', is: { minLength: 1 } }],
  ['C88', { tool: load, at: '/status', is: 'active' }],
  ['C92', { tool: load, at: '/input/type', is: 'object' }],
  ['C93', { tool: load, at: '/input/required', is: ['model', 'port'] }],
  ['C94', { tool: load, at: '/input/additionalProperties', is: false }],
  ['C95', { tool: load, at: '/input/properties/model', is: { type: 'string' } }],
  ['C96', { tool: load, at: '/input/properties/model', is: { minLength: 1 } }],
  ['C97', { tool: load, at: '/input/properties/port', is: { type: 'integer' } }],
  ['C98', { tool: load, at: '/input/properties/port', is: { minimum: 8100 } }],
  ['C99', { tool: load, at: '/input/properties/port', is: { maximum: 8139 } }],
  ['C100', { tool: load, at: '/output/type', is: 'object' }],
  ['C101', { tool: load, at: '/output/required', is: ['ok', 'message', 'port', 'model'] }],
  ['C102', { tool: load, at: '/output/additionalProperties', is: false }],
  ['C103', { tool: load, at: '/output/properties/ok', is: { type: 'boolean' } }],
  ['C104', { tool: load, at: '/output/properties/message', is: { type: 'string' } }],
  ['C105', { tool: load, at: '/output/properties/port/type', is: 'integer' }],
  ['C106', { tool: load, at: '/output/properties/model/type', is: 'string' }],
  ['C111', { tool: unload, at: '/status', is: 'active' }],
  ['C114', { tool: unload, at: '/input/type', is: 'object' }],
  ['C115', { tool: unload, at: '/input/required', is: ['port'] }],
  ['C116', { tool: unload, at: '/input/additionalProperties', is: false }],
  ['C117', { tool: unload, at: '/input/properties/port', is: { type: 'integer' } }],
  ['C118', { tool: unload, at: '/input/properties/port', is: { minimum: 8100 } }],
  ['C119', { tool: unload, at: '/input/properties/port', is: { maximum: 8139 } }],
  ['C120', { tool: unload, at: '/output/type', is: 'object' }],
  ['C121', { tool: unload, at: '/output/required', is: ['ok', 'message', 'port'] }],
  ['C122', { tool: unload, at: '/output/additionalProperties', is: false }],
  ['C123', { tool: unload, at: '/output/properties/ok', is: { type: 'boolean' } }],
  ['C124', { tool: unload, at: '/output/properties/message', is: { type: 'string' } }],
  ['C125', { tool: unload, at: '/output/properties/port/type', is: 'integer' }],
])

errors([
  ['C45', { tool: searchWeb, code: 'invalid_query', status: 400 }],
  ['C46', { tool: searchWeb, code: 'upstream_failure', status: 502 }],
  ['C47', { tool: searchWeb, code: 'timeout', status: 504 }],
  ['C70', { tool: fetchPage, code: 'fetch_failed', status: 502 }],
  ['C71', { tool: fetchPage, code: 'parse_failed', status: 422 }],
  ['C72', { tool: fetchPage, code: 'timeout', status: 504 }],
  ['C86', { tool: clean, code: 'model_error', status: 502 }],
  ['C87', { tool: clean, code: 'timeout', status: 504 }],
  ['C107', { tool: load, code: 'invalid_port', status: 400 }],
  ['C108', { tool: load, code: 'model_not_found', status: 404 }],
  ['C109', { tool: load, code: 'port_busy', status: 409 }],
  ['C110', { tool: load, code: 'launch_failed', status: 500 }],
  ['C126', { tool: unload, code: 'invalid_port', status: 400 }],
  ['C127', { tool: unload, code: 'not_listening', status: 404 }],
])

const endpoints: [id: string, row: { readonly tool: string; readonly toolset: string }][] = [
  ['C24', { tool: searchWeb, toolset: 'web-fetch' }],
  ['C50', { tool: fetchPage, toolset: 'web-fetch' }],
  ['C75', { tool: clean, toolset: 'transcript-clean' }],
  ['C90', { tool: load, toolset: 'mlxctl' }],
  ['C113', { tool: unload, toolset: 'mlxctl' }],
]
for (const [id, { tool, toolset }] of endpoints)
  statement(id, () => {
    expect(tool.startsWith(`${toolset}.`)).toBe(true)
    expect(readSection(tool)).toContain(`\n- endpoint: \`${toolset}\`\n`)
  })

const parts: [id: string, part: { readonly name: string; readonly like: unknown }][] = [
  ['C4', { name: 'name', like: expect.stringMatching(/^\w+\.\w+$/) }],
  ['C5', { name: 'status', like: expect.stringMatching(/^(?:active|planned|deprecated)$/) }],
  ['C8', { name: 'input', like: expect.objectContaining({ type: 'object', required: expect.anything() }) }],
  ['C9', { name: 'output', like: expect.objectContaining({ type: 'object', required: expect.anything() }) }],
]
for (const [id, { name, like }] of parts)
  statement(id, async () => {
    for (const tool of all) expect(await readContract(tool)).toMatchObject({ [name]: like })
  })

statement('C6', () => {
  for (const tool of all) expect(readSection(tool)).toMatch(/\n- transport: .*mcp/)
})

statement('C7', () => {
  for (const tool of all) expect(readSection(tool)).toMatch(/\n- endpoint: `[\w-]+`\n/)
})

statement('C1', async () => {
  const { call, runs } = openTestPipeline([defineEcho()])
  expect(await call('test.echo', { text: 'x', undeclared: 1 })).toMatchObject({ error: { code: 'invalid_input' } })
  expect(runs).toEqual([])
})

statement('C2', async () => {
  const { call, violations } = openTestPipeline([defineEcho({}, () => ({ said: 'x', undeclared: 1 }))])
  expect(await call('test.echo', { text: 'x' })).toMatchObject({ success: false, error: { code: 'invalid_output' } })
  expect(violations).toHaveLength(1)
})

statement('C3', async () => {
  const { call, violations } = openTestPipeline([defineEcho({}, (_input, { fail }) => fail('undeclared', 'No.'))])
  const result = await call('test.echo', { text: 'x' })
  expect(!result.success && result.error.code).not.toBe('undeclared')
  expect(violations).toHaveLength(1)
})

statement('C10', async () => {
  const { call, runs } = openTestPipeline([defineEcho()])
  expect(await call('test.echo', { text: 5 })).toMatchObject({ error: { code: 'invalid_input' } })
  expect(await call('test.echo', { text: 'x' })).toMatchObject({ success: true })
  expect(runs).toHaveLength(1)
})

statement('C11', async () => {
  const { call } = openTestPipeline([defineEcho({}, () => ({ said: 5 }))])
  expect(await call('test.echo', { text: 'x' })).toMatchObject({ success: false, error: { code: 'invalid_output' } })
})

statement('C13', async () => {
  for (const tool of all) {
    const { document, name } = readOpenApi(tool)
    expect(document.openapi).toMatch(/^3\.1\./)
    const { input, output } = await readContract(tool)
    expect(document.components.schemas).toMatchObject({ [`${name}.Input`]: input, [`${name}.Output`]: output })
  }
})

statement('C14', () => {
  for (const tool of all) expect(readOpenApi(tool).methods).toBeDefined()
})

statement('C15', () => {
  for (const tool of all) expect(Object.keys(readOpenApi(tool).methods)).toEqual(['post'])
})

statement('C16', () => {
  const { security, components } = readOpenApi(searchWeb).document
  expect(security).toEqual([{ bearer: [] }])
  expect(components.securitySchemes).toMatchObject({ bearer: { type: 'http', scheme: 'bearer' } })
})

statement('C17', async () => {
  for (const tool of all) {
    const { errors: declared } = await readContract(tool)
    const statuses = Object.keys(readOpenApi(tool).methods.post!.responses)
    expect(statuses).toEqual(expect.arrayContaining(['200', ...declared.map(({ status }) => String(status))]))
  }
})

statement('C18', async () => {
  const { tools } = (await askMcp('web-fetch', 'tools/list', {})) as unknown as {
    readonly tools: readonly JsonObject[]
  }
  expect(tools).toHaveLength(2)
  for (const tool of [searchWeb, fetchPage]) {
    const { input, output } = await readContract(tool)
    expect(tools).toContainEqual(expect.objectContaining({ inputSchema: input, outputSchema: output }))
  }
})

statement('C21', async () => {
  const { tools } = (await askMcp('mlxctl', 'tools/list', {})) as unknown as { readonly tools: readonly JsonObject[] }
  for (const tool of [load, unload]) {
    expect(tools.map(({ name }) => name)).toContain(tool.replace('mlxctl.', '').replace('.', '_'))
    expect(readOpenApi(tool).methods.post).toBeDefined()
  }
})

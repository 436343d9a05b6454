import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { JsonObject } from '../../src/contract/json.ts'
import { defineEcho, openTestPipeline } from '../open-test-pipeline.ts'
import { livingContracts } from './living-contracts.ts'
import { expectListed, openStatements, readContract } from './statements.ts'

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
  ['C24', { tool: searchWeb, at: '/status', is: 'active' }],
  ['C28', { tool: searchWeb, at: '/input/type', is: 'object' }],
  ['C29', { tool: searchWeb, at: '/input/required', is: ['query'] }],
  ['C30', { tool: searchWeb, at: '/input/additionalProperties', is: false }],
  ['C31', { tool: searchWeb, at: '/input/properties/query', is: { type: 'string' } }],
  ['C32', { tool: searchWeb, at: '/input/properties/query', is: { minLength: 1 } }],
  ['C33', { tool: searchWeb, at: '/input/properties/max_results', is: { type: 'integer' } }],
  ['C34', { tool: searchWeb, at: '/input/properties/max_results', is: { minimum: 1 } }],
  ['C35', { tool: searchWeb, at: '/input/properties/max_results', is: { maximum: 25 } }],
  ['C36', { tool: searchWeb, at: '/output/type', is: 'object' }],
  ['C37', { tool: searchWeb, at: '/output/required', is: ['results'] }],
  ['C38', { tool: searchWeb, at: '/output/additionalProperties', is: false }],
  ['C39', { tool: searchWeb, at: '/output/properties/results', is: { type: 'array' } }],
  ['C40', { tool: searchWeb, at: '/output/properties/results/items/type', is: 'object' }],
  ['C41', { tool: searchWeb, at: '/output/properties/results/items/required', is: ['title', 'url', 'snippet'] }],
  ['C42', { tool: searchWeb, at: '/output/properties/results/items/additionalProperties', is: false }],
  ['C43', { tool: searchWeb, at: '/output/properties/results/items/properties/title/type', is: 'string' }],
  ['C44', { tool: searchWeb, at: '/output/properties/results/items/properties/url/type', is: 'string' }],
  ['C45', { tool: searchWeb, at: '/output/properties/results/items/properties/snippet/type', is: 'string' }],
  ['C46', { tool: searchWeb, at: '/output/properties/results/items/properties/date/type', is: ['string', 'null'] }],
  ['C50', { tool: fetchPage, at: '/status', is: 'active' }],
  ['C53', { tool: fetchPage, at: '/input/type', is: 'object' }],
  ['C54', { tool: fetchPage, at: '/input/required', is: ['url'] }],
  ['C55', { tool: fetchPage, at: '/input/additionalProperties', is: false }],
  ['C56', { tool: fetchPage, at: '/input/properties/url', is: { type: 'string' } }],
  ['C57', { tool: fetchPage, at: '/input/properties/url', is: { format: 'uri' } }],
  ['C58', { tool: fetchPage, at: '/input/properties/include_raw_html', is: { type: 'boolean' } }],
  ['C59', { tool: fetchPage, at: '/input/properties/include_raw_html', is: { default: false } }],
  ['C60', { tool: fetchPage, at: '/output/type', is: 'object' }],
  ['C61', { tool: fetchPage, at: '/output/required', is: ['final_url', 'clean_text'] }],
  ['C62', { tool: fetchPage, at: '/output/additionalProperties', is: false }],
  ['C63', { tool: fetchPage, at: '/output/properties/final_url', is: { type: 'string', format: 'uri' } }],
  ['C64', { tool: fetchPage, at: '/output/properties/title', is: { type: ['string', 'null'] } }],
  ['C65', { tool: fetchPage, at: '/output/properties/byline', is: { type: ['string', 'null'] } }],
  ['C66', { tool: fetchPage, at: '/output/properties/published_at', is: { type: ['string', 'null'] } }],
  ['C67', { tool: fetchPage, at: '/output/properties/lang', is: { type: ['string', 'null'] } }],
  ['C68', { tool: fetchPage, at: '/output/properties/clean_text', is: { type: 'string' } }],
  ['C69', { tool: fetchPage, at: '/output/properties/clean_text', is: { minLength: 1 } }],
  ['C70', { tool: fetchPage, at: '/output/properties/raw_html', is: { type: 'string' } }],
  ['C75', { tool: clean, at: '/status', is: 'active' }],
  ['C78', { tool: clean, at: '/input/type', is: 'object' }],
  ['C79', { tool: clean, at: '/input/required', is: ['text'] }],
  ['C80', { tool: clean, at: '/input/additionalProperties', is: false }],
  ['C81', { tool: clean, at: '/input/properties/text', is: { type: 'string' } }],
  ['C82', { tool: clean, at: '/input/properties/text', is: { minLength: 1 } }],
  ['C83', { tool: clean, at: '/output/type', is: 'object' }],
  ['C84', { tool: clean, at: '/output/required', is: ['clean_text'] }],
  ['C85', { tool: clean, at: '/output/additionalProperties', is: false }],
  ['C86', { tool: clean, at: '/output/properties/clean_text', is: { type: 'string' } }],
  ['C87', { tool: clean, at: '/output/properties/clean_text', is: { minLength: 1 } }],
  ['C90', { tool: load, at: '/status', is: 'active' }],
  ['C94', { tool: load, at: '/input/type', is: 'object' }],
  ['C95', { tool: load, at: '/input/required', is: ['model', 'port'] }],
  ['C96', { tool: load, at: '/input/additionalProperties', is: false }],
  ['C97', { tool: load, at: '/input/properties/model', is: { type: 'string' } }],
  ['C98', { tool: load, at: '/input/properties/model', is: { minLength: 1 } }],
  ['C99', { tool: load, at: '/input/properties/port', is: { type: 'integer' } }],
  ['C100', { tool: load, at: '/input/properties/port', is: { minimum: 8100 } }],
  ['C101', { tool: load, at: '/input/properties/port', is: { maximum: 8139 } }],
  ['C102', { tool: load, at: '/output/type', is: 'object' }],
  ['C103', { tool: load, at: '/output/required', is: ['ok', 'message', 'port', 'model'] }],
  ['C104', { tool: load, at: '/output/additionalProperties', is: false }],
  ['C105', { tool: load, at: '/output/properties/ok', is: { type: 'boolean' } }],
  ['C106', { tool: load, at: '/output/properties/message', is: { type: 'string' } }],
  ['C107', { tool: load, at: '/output/properties/port/type', is: 'integer' }],
  ['C108', { tool: load, at: '/output/properties/model/type', is: 'string' }],
  ['C113', { tool: unload, at: '/status', is: 'active' }],
  ['C116', { tool: unload, at: '/input/type', is: 'object' }],
  ['C117', { tool: unload, at: '/input/required', is: ['port'] }],
  ['C118', { tool: unload, at: '/input/additionalProperties', is: false }],
  ['C119', { tool: unload, at: '/input/properties/port', is: { type: 'integer' } }],
  ['C120', { tool: unload, at: '/input/properties/port', is: { minimum: 8100 } }],
  ['C121', { tool: unload, at: '/input/properties/port', is: { maximum: 8139 } }],
  ['C122', { tool: unload, at: '/output/type', is: 'object' }],
  ['C123', { tool: unload, at: '/output/required', is: ['ok', 'message', 'port'] }],
  ['C124', { tool: unload, at: '/output/additionalProperties', is: false }],
  ['C125', { tool: unload, at: '/output/properties/ok', is: { type: 'boolean' } }],
  ['C126', { tool: unload, at: '/output/properties/message', is: { type: 'string' } }],
  ['C127', { tool: unload, at: '/output/properties/port/type', is: 'integer' }],
])

errors([
  ['C47', { tool: searchWeb, code: 'invalid_query', status: 400 }],
  ['C48', { tool: searchWeb, code: 'upstream_failure', status: 502 }],
  ['C49', { tool: searchWeb, code: 'timeout', status: 504 }],
  ['C72', { tool: fetchPage, code: 'fetch_failed', status: 502 }],
  ['C73', { tool: fetchPage, code: 'parse_failed', status: 422 }],
  ['C74', { tool: fetchPage, code: 'timeout', status: 504 }],
  ['C88', { tool: clean, code: 'model_error', status: 502 }],
  ['C89', { tool: clean, code: 'timeout', status: 504 }],
  ['C109', { tool: load, code: 'invalid_port', status: 400 }],
  ['C110', { tool: load, code: 'model_not_found', status: 404 }],
  ['C111', { tool: load, code: 'port_busy', status: 409 }],
  ['C112', { tool: load, code: 'launch_failed', status: 500 }],
  ['C128', { tool: unload, code: 'invalid_port', status: 400 }],
  ['C129', { tool: unload, code: 'not_listening', status: 404 }],
])

const endpoints: [id: string, row: { readonly tool: string; readonly toolset: string }][] = [
  ['C26', { tool: searchWeb, toolset: 'web-fetch' }],
  ['C52', { tool: fetchPage, toolset: 'web-fetch' }],
  ['C77', { tool: clean, toolset: 'transcript-clean' }],
  ['C92', { tool: load, toolset: 'mlxctl' }],
  ['C115', { tool: unload, toolset: 'mlxctl' }],
]
for (const [id, { tool, toolset }] of endpoints)
  statement(id, () => {
    expect(tool.startsWith(`${toolset}.`)).toBe(true)
    expect(readSection(tool)).toContain(`\n- endpoint: \`${toolset}\`\n`)
  })

const parts: [id: string, part: { readonly name: string; readonly like: unknown }][] = [
  ['C6', { name: 'name', like: expect.stringMatching(/^\w+\.\w+$/) }],
  ['C7', { name: 'status', like: expect.stringMatching(/^(?:active|planned|deprecated)$/) }],
  ['C10', { name: 'input', like: expect.objectContaining({ type: 'object', required: expect.anything() }) }],
  ['C11', { name: 'output', like: expect.objectContaining({ type: 'object', required: expect.anything() }) }],
]
for (const [id, { name, like }] of parts)
  statement(id, async () => {
    for (const tool of all) expect(await readContract(tool)).toMatchObject({ [name]: like })
  })

statement('C8', () => {
  for (const tool of all) expect(readSection(tool)).toMatch(/\n- transport: .*mcp/)
})

statement('C9', () => {
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

statement('C12', async () => {
  const { call, runs } = openTestPipeline([defineEcho()])
  expect(await call('test.echo', { text: 5 })).toMatchObject({ error: { code: 'invalid_input' } })
  expect(await call('test.echo', { text: 'x' })).toMatchObject({ success: true })
  expect(runs).toHaveLength(1)
})

statement('C13', async () => {
  const { call } = openTestPipeline([defineEcho({}, () => ({ said: 5 }))])
  expect(await call('test.echo', { text: 'x' })).toMatchObject({ success: false, error: { code: 'invalid_output' } })
})

statement('C15', async () => {
  for (const tool of all) {
    const { document, name } = readOpenApi(tool)
    expect(document.openapi).toMatch(/^3\.1\./)
    const { input, output } = await readContract(tool)
    expect(document.components.schemas).toMatchObject({ [`${name}.Input`]: input, [`${name}.Output`]: output })
  }
})

statement('C16', () => {
  for (const tool of all) expect(readOpenApi(tool).methods).toBeDefined()
})

statement('C17', () => {
  for (const tool of all) expect(Object.keys(readOpenApi(tool).methods)).toEqual(['post'])
})

statement('C18', () => {
  const { security, components } = readOpenApi(searchWeb).document
  expect(security).toEqual([{ bearer: [] }])
  expect(components.securitySchemes).toMatchObject({ bearer: { type: 'http', scheme: 'bearer' } })
})

statement('C19', async () => {
  for (const tool of all) {
    const { errors: declared } = await readContract(tool)
    const statuses = Object.keys(readOpenApi(tool).methods.post!.responses)
    expect(statuses).toEqual(expect.arrayContaining(['200', ...declared.map(({ status }) => String(status))]))
  }
})

statement('C20', async () => {
  await expectListed('web-fetch', ['search_web', 'web_fetch'])
  await expectListed('transcript-clean', ['transcript_clean'])
  await expectListed('mlxctl', ['mlx_load', 'mlx_unload'])
})

statement('C23', async () => {
  await expectListed('mlxctl', ['mlx_load', 'mlx_unload'])
  for (const tool of [load, unload]) expect(readOpenApi(tool).methods.post).toBeDefined()
})

statement('C4', async () => {
  for (const tool of all) for (const { code } of (await readContract(tool)).errors) expect(code).toMatch(/^[a-z_]+$/)
})

statement('C5', async () => {
  for (const tool of all)
    for (const { status } of (await readContract(tool)).errors) expect(String(status)).toMatch(/^[45]\d\d$/)
})

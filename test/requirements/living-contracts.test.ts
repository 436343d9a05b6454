import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { JsonObject } from '../../src/contract/json.ts'
import { defineEcho, openTestPipeline } from '../helpers/open-test-pipeline.ts'
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

contracts([
  ['C28', { tool: searchWeb, at: '/endpoint', is: 'web-fetch' }],
  ['C54', { tool: fetchPage, at: '/endpoint', is: 'web-fetch' }],
  ['C79', { tool: clean, at: '/endpoint', is: 'transcript-clean' }],
  ['C94', { tool: load, at: '/endpoint', is: 'mlxctl' }],
  ['C117', { tool: unload, at: '/endpoint', is: 'mlxctl' }],
  ['C26', { tool: searchWeb, at: '/status', is: 'active' }],
  ['C30', { tool: searchWeb, at: '/input/type', is: 'object' }],
  ['C31', { tool: searchWeb, at: '/input/required', is: ['query'] }],
  ['C32', { tool: searchWeb, at: '/input/additionalProperties', is: false }],
  ['C33', { tool: searchWeb, at: '/input/properties/query', is: { type: 'string' } }],
  ['C34', { tool: searchWeb, at: '/input/properties/query', is: { minLength: 1 } }],
  ['C35', { tool: searchWeb, at: '/input/properties/max_results', is: { type: 'integer' } }],
  ['C36', { tool: searchWeb, at: '/input/properties/max_results', is: { minimum: 1 } }],
  ['C37', { tool: searchWeb, at: '/input/properties/max_results', is: { maximum: 25 } }],
  ['C38', { tool: searchWeb, at: '/output/type', is: 'object' }],
  ['C39', { tool: searchWeb, at: '/output/required', is: ['results'] }],
  ['C40', { tool: searchWeb, at: '/output/additionalProperties', is: false }],
  ['C41', { tool: searchWeb, at: '/output/properties/results', is: { type: 'array' } }],
  ['C42', { tool: searchWeb, at: '/output/properties/results/items/type', is: 'object' }],
  ['C43', { tool: searchWeb, at: '/output/properties/results/items/required', is: ['title', 'url', 'snippet'] }],
  ['C44', { tool: searchWeb, at: '/output/properties/results/items/additionalProperties', is: false }],
  ['C45', { tool: searchWeb, at: '/output/properties/results/items/properties/title/type', is: 'string' }],
  ['C46', { tool: searchWeb, at: '/output/properties/results/items/properties/url/type', is: 'string' }],
  ['C47', { tool: searchWeb, at: '/output/properties/results/items/properties/snippet/type', is: 'string' }],
  ['C48', { tool: searchWeb, at: '/output/properties/results/items/properties/date/type', is: ['string', 'null'] }],
  ['C52', { tool: fetchPage, at: '/status', is: 'active' }],
  ['C55', { tool: fetchPage, at: '/input/type', is: 'object' }],
  ['C56', { tool: fetchPage, at: '/input/required', is: ['url'] }],
  ['C57', { tool: fetchPage, at: '/input/additionalProperties', is: false }],
  ['C58', { tool: fetchPage, at: '/input/properties/url', is: { type: 'string' } }],
  ['C59', { tool: fetchPage, at: '/input/properties/url', is: { format: 'uri' } }],
  ['C60', { tool: fetchPage, at: '/input/properties/include_raw_html', is: { type: 'boolean' } }],
  ['C61', { tool: fetchPage, at: '/input/properties/include_raw_html', is: { default: false } }],
  ['C62', { tool: fetchPage, at: '/output/type', is: 'object' }],
  ['C63', { tool: fetchPage, at: '/output/required', is: ['final_url', 'clean_text'] }],
  ['C64', { tool: fetchPage, at: '/output/additionalProperties', is: false }],
  ['C65', { tool: fetchPage, at: '/output/properties/final_url', is: { type: 'string', format: 'uri' } }],
  ['C66', { tool: fetchPage, at: '/output/properties/title', is: { type: ['string', 'null'] } }],
  ['C67', { tool: fetchPage, at: '/output/properties/byline', is: { type: ['string', 'null'] } }],
  ['C68', { tool: fetchPage, at: '/output/properties/published_at', is: { type: ['string', 'null'] } }],
  ['C69', { tool: fetchPage, at: '/output/properties/lang', is: { type: ['string', 'null'] } }],
  ['C70', { tool: fetchPage, at: '/output/properties/clean_text', is: { type: 'string' } }],
  ['C71', { tool: fetchPage, at: '/output/properties/clean_text', is: { minLength: 1 } }],
  ['C72', { tool: fetchPage, at: '/output/properties/raw_html', is: { type: 'string' } }],
  ['C77', { tool: clean, at: '/status', is: 'active' }],
  ['C80', { tool: clean, at: '/input/type', is: 'object' }],
  ['C81', { tool: clean, at: '/input/required', is: ['text'] }],
  ['C82', { tool: clean, at: '/input/additionalProperties', is: false }],
  ['C83', { tool: clean, at: '/input/properties/text', is: { type: 'string' } }],
  ['C84', { tool: clean, at: '/input/properties/text', is: { minLength: 1 } }],
  ['C85', { tool: clean, at: '/output/type', is: 'object' }],
  ['C86', { tool: clean, at: '/output/required', is: ['clean_text'] }],
  ['C87', { tool: clean, at: '/output/additionalProperties', is: false }],
  ['C88', { tool: clean, at: '/output/properties/clean_text', is: { type: 'string' } }],
  ['C89', { tool: clean, at: '/output/properties/clean_text', is: { minLength: 1 } }],
  ['C92', { tool: load, at: '/status', is: 'active' }],
  ['C96', { tool: load, at: '/input/type', is: 'object' }],
  ['C97', { tool: load, at: '/input/required', is: ['model', 'port'] }],
  ['C98', { tool: load, at: '/input/additionalProperties', is: false }],
  ['C99', { tool: load, at: '/input/properties/model', is: { type: 'string' } }],
  ['C100', { tool: load, at: '/input/properties/model', is: { minLength: 1 } }],
  ['C101', { tool: load, at: '/input/properties/port', is: { type: 'integer' } }],
  ['C102', { tool: load, at: '/input/properties/port', is: { minimum: 8100 } }],
  ['C103', { tool: load, at: '/input/properties/port', is: { maximum: 8139 } }],
  ['C104', { tool: load, at: '/output/type', is: 'object' }],
  ['C105', { tool: load, at: '/output/required', is: ['ok', 'message', 'port', 'model'] }],
  ['C106', { tool: load, at: '/output/additionalProperties', is: false }],
  ['C107', { tool: load, at: '/output/properties/ok', is: { type: 'boolean' } }],
  ['C108', { tool: load, at: '/output/properties/message', is: { type: 'string' } }],
  ['C109', { tool: load, at: '/output/properties/port/type', is: 'integer' }],
  ['C110', { tool: load, at: '/output/properties/model/type', is: 'string' }],
  ['C115', { tool: unload, at: '/status', is: 'active' }],
  ['C118', { tool: unload, at: '/input/type', is: 'object' }],
  ['C119', { tool: unload, at: '/input/required', is: ['port'] }],
  ['C120', { tool: unload, at: '/input/additionalProperties', is: false }],
  ['C121', { tool: unload, at: '/input/properties/port', is: { type: 'integer' } }],
  ['C122', { tool: unload, at: '/input/properties/port', is: { minimum: 8100 } }],
  ['C123', { tool: unload, at: '/input/properties/port', is: { maximum: 8139 } }],
  ['C124', { tool: unload, at: '/output/type', is: 'object' }],
  ['C125', { tool: unload, at: '/output/required', is: ['ok', 'message', 'port'] }],
  ['C126', { tool: unload, at: '/output/additionalProperties', is: false }],
  ['C127', { tool: unload, at: '/output/properties/ok', is: { type: 'boolean' } }],
  ['C128', { tool: unload, at: '/output/properties/message', is: { type: 'string' } }],
  ['C129', { tool: unload, at: '/output/properties/port/type', is: 'integer' }],
])

errors([
  ['C49', { tool: searchWeb, code: 'invalid_query', status: 400 }],
  ['C50', { tool: searchWeb, code: 'upstream_failure', status: 502 }],
  ['C51', { tool: searchWeb, code: 'timeout', status: 504 }],
  ['C74', { tool: fetchPage, code: 'fetch_failed', status: 502 }],
  ['C75', { tool: fetchPage, code: 'parse_failed', status: 422 }],
  ['C76', { tool: fetchPage, code: 'timeout', status: 504 }],
  ['C90', { tool: clean, code: 'model_error', status: 502 }],
  ['C91', { tool: clean, code: 'timeout', status: 504 }],
  ['C111', { tool: load, code: 'invalid_port', status: 400 }],
  ['C112', { tool: load, code: 'model_not_found', status: 404 }],
  ['C113', { tool: load, code: 'port_busy', status: 409 }],
  ['C114', { tool: load, code: 'launch_failed', status: 500 }],
  ['C130', { tool: unload, code: 'invalid_port', status: 400 }],
  ['C131', { tool: unload, code: 'not_listening', status: 404 }],
])

const transports: [id: string, row: { readonly tool: string; readonly over: readonly string[] }][] = [
  ['C27', { tool: searchWeb, over: ['stdio'] }],
  ['C53', { tool: fetchPage, over: ['stdio'] }],
  ['C78', { tool: clean, over: ['stdio', 'http'] }],
  ['C93', { tool: load, over: ['stdio'] }],
  ['C116', { tool: unload, over: ['stdio'] }],
]
for (const [id, { tool, over }] of transports)
  statement(id, async () => {
    const { transport } = await readContract(tool)
    const mcp = /^mcp \(([^)]+)\)/.exec(transport!)?.[1]?.split(' or ')
    expect(mcp).toEqual(expect.arrayContaining([...over]))
  })

const parts: [id: string, part: { readonly name: string; readonly like: unknown }][] = [
  ['C6', { name: 'name', like: expect.stringMatching(/^\w+\.\w+$/) }],
  ['C7', { name: 'status', like: expect.stringMatching(/^(?:active|planned|deprecated)$/) }],
  ['C8', { name: 'transport', like: expect.stringContaining('mcp') }],
  ['C9', { name: 'endpoint', like: expect.stringMatching(/^[\w-]+$/) }],
  ['C12', { name: 'input', like: expect.objectContaining({ type: 'object', required: expect.anything() }) }],
  ['C13', { name: 'output', like: expect.objectContaining({ type: 'object', required: expect.anything() }) }],
]
for (const [id, { name, like }] of parts)
  statement(id, async () => {
    for (const tool of all) expect(await readContract(tool)).toMatchObject({ [name]: like })
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

statement('C14', async () => {
  const { call, runs } = openTestPipeline([defineEcho()])
  expect(await call('test.echo', { text: 5 })).toMatchObject({ error: { code: 'invalid_input' } })
  expect(await call('test.echo', { text: 'x' })).toMatchObject({ success: true })
  expect(runs).toHaveLength(1)
})

statement('C15', async () => {
  const { call } = openTestPipeline([defineEcho({}, () => ({ said: 5 }))])
  expect(await call('test.echo', { text: 'x' })).toMatchObject({ success: false, error: { code: 'invalid_output' } })
})

statement('C17', async () => {
  for (const tool of all) {
    const { document, name } = readOpenApi(tool)
    expect(document.openapi).toMatch(/^3\.1\./)
    const { input, output } = await readContract(tool)
    expect(document.components.schemas).toMatchObject({ [`${name}.Input`]: input, [`${name}.Output`]: output })
  }
})

statement('C18', () => {
  for (const tool of all) expect(readOpenApi(tool).methods).toBeDefined()
})

statement('C19', () => {
  for (const tool of all) expect(Object.keys(readOpenApi(tool).methods)).toEqual(['post'])
})

statement('C20', () => {
  const { security, components } = readOpenApi(searchWeb).document
  expect(security).toEqual([{ bearer: [] }])
  expect(components.securitySchemes).toMatchObject({ bearer: { type: 'http', scheme: 'bearer' } })
})

statement('C21', async () => {
  for (const tool of all) {
    const { errors: declared } = await readContract(tool)
    const statuses = Object.keys(readOpenApi(tool).methods.post!.responses)
    expect(statuses).toEqual(expect.arrayContaining(['200', ...declared.map(({ status }) => String(status))]))
  }
})

statement('C22', async () => {
  await expectListed('web-fetch', ['search_web', 'web_fetch'])
  await expectListed('transcript-clean', ['transcript_clean'])
  await expectListed('mlxctl', ['mlx_load', 'mlx_unload'])
})

statement('C25', async () => {
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

import { expect, test } from 'vitest'
import { defineEcho } from '../../test/helpers/open-test-pipeline.ts'
import type { ContractSource, Example } from '../contract/contract.ts'
import type { JsonObject } from '../contract/json.ts'
import { toOpenApi } from './openapi.ts'

const httpErrors = {
  everywhere: [{ code: 'unauthorized', status: 401, when: 'There is no token.' }],
  calls: [{ code: 'invalid_json', status: 400, when: 'It is no JSON.' }],
  keyedCalls: [{ code: 'idempotency_key_reused', status: 422, when: 'The key was used.' }],
  namedCalls: [{ code: 'invalid_call', status: 400, when: 'It names no tool.' }],
  answers: [],
  runs: [],
  checkpoints: [],
}
const runs = ['', '/{id}', '/{id}/cancel', '/{id}/retry', '/{id}/resume'].map((end) => `/v1/runs${end}`)
const shared = ['/v1/tools', '/v1/tools/{name}', '/v1/call', '/v1/approvals/{id}', ...runs, '/v1/checkpoints']
const options = { title: 'Test', version: '1.0.0', httpErrors }
const toEntry = (name: string, changes: Partial<ContractSource> = {}) => ({
  name,
  functionName: name.replace('.', '_dot_'),
  toolset: 'test',
  tool: defineEcho({ name, errors: [], ...changes }),
})

interface Document extends JsonObject {
  readonly paths: { [path: string]: { readonly post: Operation } }
}
type Operation = JsonObject & { readonly responses: { readonly [status: string]: JsonObject } }

const describeOne = (name: string, changes?: Partial<ContractSource>) =>
  (toOpenApi([toEntry(name, changes)], options) as Document).paths[`/v1/tools/${name}`]!.post

test('each tool has a path, its projected name and the schemas of its contract', () => {
  const document = toOpenApi([toEntry('search.web'), toEntry('search_web'), toEntry('x')], options) as Document
  expect(Object.keys(document.paths)).toEqual([
    ...shared,
    '/v1/tools/search.web',
    '/v1/tools/search_web',
    '/v1/tools/x',
  ])
  const ids = Object.values(document.paths).map(({ post }) => post?.operationId)
  expect(ids.slice(shared.length)).toEqual(['search_dot_web', 'search_web', 'x'])
  expect(document.paths['/v1/tools/search.web']!.post).toMatchObject({
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/search.web.Input' } } },
    },
  })
  expect(document).toHaveProperty(['components', 'schemas', 'search.web.Output', 'required'], ['said'])
})

test('transport and endpoint are there where the contract says them', () => {
  const place = { transport: 'mcp (stdio)', endpoint: 'web-fetch' }
  const said = { 'x-tool-transport': 'mcp (stdio)', 'x-tool-endpoint': 'web-fetch' }
  expect(describeOne('x', place)).toMatchObject(said)
  expect(Object.keys(describeOne('x', {}))).not.toEqual(expect.arrayContaining(Object.keys(said)))
})

test('risk, approval, limits and status are there for programs', () => {
  expect(describeOne('x', { risk: 'dangerous', status: 'deprecated', limits: { timeoutMs: 5 } })).toMatchObject({
    deprecated: true,
    'x-tool-risk': 'dangerous',
    'x-tool-approval': 'ask',
    'x-tool-status': 'deprecated',
    'x-tool-limits': { timeoutMs: 5 },
  })
})

test('the errors of a status are those of the HTTP layer, the pipeline and the contract', () => {
  const errors = [
    { code: 'no_such_page', status: 404, when: 'There is no page.', suggestion: 'Look.' },
    { code: 'teapot', status: 418, when: 'It is a teapot.', suggestion: 'Make tea.' },
  ]
  const { responses } = describeOne('x', { errors })
  expect(codesOf(responses['404'])).toEqual(['tool_not_found', 'no_such_page'])
  expect(codesOf(responses['418'])).toEqual(['teapot'])
  expect(responses['401']).toEqual({ $ref: '#/components/responses/CallError401' })
  expect(responses).not.toHaveProperty('422')
  // A full approval queue can stop any call.
  expect(responses['429']).toEqual({ $ref: '#/components/responses/CallError429' })
  expect(responses).not.toHaveProperty('501')
})

test('a limit adds its error response, with Retry-After', () => {
  const { responses } = describeOne('x', { limits: { calls: { count: 1, windowMs: 1000 }, concurrency: 1 } })
  expect(codesOf(responses['429'])).toEqual(['approval_queue_full', 'rate_limited'])
  expect(responses['429']).toMatchObject({ headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } })
  expect(codesOf(responses['503'])).toEqual(['toolset_unavailable', 'ledger_unavailable', 'busy'])
})

test('a tool that writes takes a key; one that reads does not', () => {
  const write = describeOne('x', { risk: 'safe_write' })
  expect(write.parameters).toContainEqual({ $ref: '#/components/parameters/IdempotencyKey' })
  expect(write.responses).toHaveProperty('422')
  expect(write.responses['200']).toHaveProperty(['headers', 'Idempotency-Replayed'])
  const read = describeOne('x')
  expect(read.parameters).toEqual(
    ['ApprovalId', 'QueryId'].map((name) => ({ $ref: `#/components/parameters/${name}` })),
  )
  expect(read.responses['200']).not.toHaveProperty(['headers', 'Idempotency-Replayed'])
})

test('only tools that cannot be called are omitted', () => {
  const broken = toEntry('broken', { output: { $ref: '#/$defs/absent' } })
  const document = toOpenApi([toEntry('later', { status: 'planned' }), broken, toEntry('x')], options) as Document
  expect(Object.keys(document.paths)).toEqual([...shared, '/v1/tools/x'])
  expect(JSON.stringify(document)).not.toMatch(/later|broken|absent/)
})

test('the examples of a contract are shown, under the same name on both sides', () => {
  const examples: Example[] = [
    { title: 'Twice', input: { text: 'a', times: 2 }, output: { said: 'aa' } },
    { input: { text: '' }, error: 'invalid_input' },
  ]
  const { requestBody, responses } = describeOne('x', { examples })
  expect(requestBody).toMatchObject({
    content: {
      'application/json': {
        examples: {
          'example-1': { summary: 'Twice', value: { text: 'a', times: 2 } },
          'example-2': { value: { text: '' } },
        },
      },
    },
  })
  const shown = { 'example-1': { summary: 'Twice', value: { said: 'aa' } } }
  expect(responses['200']).toMatchObject({ content: { 'application/json': { examples: shown } } })
})

test('the same tools give the same text', () => {
  const make = () => JSON.stringify(toOpenApi([toEntry('b', { risk: 'dangerous' }), toEntry('a')], options))
  expect(make()).toBe(make())
})

function codesOf(response: JsonObject | undefined): unknown {
  const { content } = response as { content: { 'application/problem+json': { schema: { allOf: JsonObject[] } } } }
  return (content['application/problem+json'].schema.allOf[1] as { properties: { code: { enum: unknown } } }).properties
    .code.enum
}

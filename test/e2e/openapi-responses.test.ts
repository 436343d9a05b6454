import { generateKeyPairSync, hash, sign } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Capabilities } from '../../src/capabilities/capabilities.ts'
import type { JsonObject } from '../../src/contract/json.ts'
import { toListedNames } from '../../src/contract/listed-names.ts'
import type { Toolset } from '../../src/contract/tool.ts'
import { toCheckpointText } from '../../src/runtime/storage/proof/checkpoint.ts'
import { toSignatureLine, toVerifier, toVerifierKey } from '../../src/runtime/storage/proof/signed-note.ts'
import { toolsets as builtIn } from '../../src/toolsets/index.ts'
import { oddToolset } from '../data/odd-toolset.ts'
import { closeServersAfterEach, serve } from '../helpers/local-servers.ts'
import { openRest } from '../helpers/open-rest.ts'
import { makeFolder } from '../helpers/open-test-pipeline.ts'
import { createOpenApiChecker, type OpenApiDocument } from '../helpers/openapi-checker.ts'
import { toTestInputs } from '../helpers/openapi-inputs.ts'

closeServersAfterEach()

const loaded = await Promise.all(Object.values(builtIn).map((load) => load()))
const toolsets: Toolset<Capabilities>[] = [...loaded, oddToolset as Toolset<Capabilities>]

/** By document: to compile what it says takes longer than most tests here. */
const checkers = new Map<string, ReturnType<typeof createOpenApiChecker>>()

/** Tools are called by the names in their contracts, and described under their listed names. */
function toListedPath({ name: toolset, tools }: Pick<Toolset<never>, 'name' | 'tools'>, tool: string): string {
  const names = toListedNames(
    toolset,
    tools.map(({ contract }) => contract.name),
    [toolset],
  )
  return `/v1/tools/${names.get(tool)}`
}

describe.each(toolsets)('the toolset $name answers as its document says', (toolset) => {
  const tools = toolset.tools
    .filter(({ contract, offer }) => !offer && contract.status !== 'planned')
    .map(({ contract }) => contract)

  test.for(tools)('$name, to valid and invalid input', async (contract) => {
    const workspace = makeFolder()
    for (const { given } of contract.examples) writeFiles(workspace, given?.files)
    const { post, check } = await open({ toolsets: [toolset], workspace, repeatable: true })
    const path = toListedPath(toolset, contract.name)
    const own = contract.errors.filter(({ inputs }) => inputs).map(({ code }) => code)
    const statuses = new Set<number>()
    let refused = 0
    for (const { name, input, valid } of await toTestInputs(contract)) {
      const answer = await post(contract.name, JSON.stringify(input))
      statuses.add(answer.status)
      expect(check(path, 'post', answer), `${name}: ${JSON.stringify(input).slice(0, 200)}`).toEqual([])
      const { code } = answer.body
      if (valid) expect(code, name).not.toBe('invalid_input')
      else if (answer.status !== 429) expect(['invalid_input', ...own], name).toContain(code)
      if (!valid) refused++
    }
    expect(refused).toBeGreaterThan(0)
    if (contract.examples.some(({ output }) => output)) expect(statuses).toContain(200)
  })
})

test('tools that succeed only with something in the world do so as the document says', async () => {
  const host = await serve((_request, response) => response.end('<p>Hello</p>'))
  const { post, check } = await open({ toolsets: ['workspace'], config: { policy: { allowHosts: [host] } } })
  for (const [tool, input] of [
    ['fetch_webpage', { url: `http://${host}/` }],
    ['run_in_terminal', { command: 'echo hello' }],
    ['terminal_last_command', {}],
  ] as const) {
    const answer = await post(tool, input)
    expect({ tool, status: answer.status }).toEqual({ tool, status: 200 })
    expect(check(`/v1/tools/${tool}`, 'post', answer), tool).toEqual([])
  }
})

test('the list of tools is as the document says', async () => {
  const { get, check } = await open({ toolsets })
  const answer = await get('/v1/tools')
  expect(check('/v1/tools', 'get', answer)).toEqual([])
  const known = await get('/v1/tools', { 'if-none-match': answer.headers.get('etag')! })
  expect(known.status).toBe(304)
  expect(check('/v1/tools', 'get', known)).toEqual([])
  expect(answer.body.tools).toHaveLength(toolsets.flatMap(({ tools }) => tools.filter(({ offer }) => !offer)).length)
})

test('every way to fail that a tool has is in the document', async () => {
  const { post, check } = await open({ toolsets: [oddToolset as Toolset<Capabilities>] })
  const seen: unknown[] = []
  const call = async (tool: string, input: unknown = {}, headers = {}) => {
    const answer = await post(tool, input, headers)
    expect(check(toListedPath(oddToolset, tool), 'post', answer), tool).toEqual([])
    seen.push(answer.body.code ?? answer.status)
    return answer
  }
  for (const code of ['teapot', 'later', 'down', 'gone', 'locked']) await call('fails', { code })
  for (const tool of ['too_slow', 'throws', 'breaks_contract']) await call(tool)
  for (let count = 0; count < 3; count++) await call('twice_an_hour')
  const key = { 'idempotency-key': 'k' }
  for (const tool of ['search_web', 'search_web', 'breaks_contract']) await call(tool, {}, key)
  await call('search_web', {}, { 'idempotency-key': 'not valid' })
  await call('breaks_contract', {}, { 'idempotency-key': 'l' })
  const replayed = await call('breaks_contract', {}, { 'idempotency-key': 'l' })
  expect(replayed.headers.get('idempotency-replayed')).toBe('true')
  expect(seen).toEqual([
    ...['teapot', 'later', 'down', 'gone', 'locked', 'timeout', 'internal', 'invalid_output'],
    ...[200, 200, 'rate_limited', 200, 200],
    ...['idempotency_key_reused', 'invalid_idempotency_key', 'invalid_output', 'invalid_output'],
  ])
})

test('approval is in the document, from the question to the answer', async () => {
  const { post, check, toolpact } = await open({ toolsets: [oddToolset as Toolset<Capabilities>], asks: true })
  const call = async (headers = {}) => {
    const answer = await post('asks', {}, headers)
    expect(check('/v1/tools/asks', 'post', answer)).toEqual([])
    return answer
  }
  const approvalId = String((await call()).body.approval_id)
  const approved = { 'toolpact-approval-id': approvalId }
  await toolpact.approvals.answer(approvalId, { answer: 'yes', by: 'Ada' }, Date.now())
  expect((await call(approved)).status).toBe(200)
  expect((await call(approved)).body.code).toBe('approval_denied')
})

test('contracts, and calls by the path of any name, are in the document', async () => {
  const { get, post, check } = await open({ toolsets: ['learning'] })
  const found = await get('/v1/tools/learning.hello')
  expect(found.status).toBe(200)
  const known = await get('/v1/tools/hello', { 'if-none-match': found.headers.get('etag')! })
  expect(known.status).toBe(304)
  const missing = await get('/v1/tools/absent')
  expect(missing.body.code).toBe('tool_not_found')
  for (const answer of [found, known, missing]) expect(check('/v1/tools/{name}', 'get', answer)).toEqual([])
  for (const answer of [await post('learning.hello', { name: 'Ada' }), await post('learning.hello', {})])
    expect(check('/v1/tools/{name}', 'post', answer)).toEqual([])
})

test('checkpoints are in the document', async () => {
  const { get, post, check } = await open({ toolsets: ['learning'], storage: 'sqlite', stateDirectory: makeFolder() })
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const verifier = await toVerifier('ledger.example', raw, 'note')
  const note = (size: number) => {
    const text = toCheckpointText('ledger.example', { size, root: hash('sha256', `${size}`, 'buffer') })
    return `${text}\n${toSignatureLine(verifier, sign(null, Buffer.from(text), privateKey))}`
  }
  const key = toVerifierKey(verifier)
  const answers = [
    await post('/v1/checkpoints', { old: 0, proof: [], checkpoint: note(3), publicKey: key }),
    await post('/v1/checkpoints', { old: 0, proof: [], checkpoint: note(4), publicKey: key }),
    await post('/v1/checkpoints', { old: 3, proof: [], checkpoint: note(4), publicKey: key }),
    await post('/v1/checkpoints', { old: 0, proof: [], checkpoint: `${note(5)}x`, publicKey: key }),
    await post('/v1/checkpoints', [], { authorization: 'Bearer of-other' }),
    await post('/v1/checkpoints', '{'),
    await post('/v1/checkpoints', { old: 3, proof: [], checkpoint: note(4), publicKey: key }, { authorization: 'Bearer of-other' }), // biome-ignore format: one line
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 409, 422, 400, 400, 400, 403])
  for (const answer of answers) expect(check('/v1/checkpoints', 'post', answer)).toEqual([])
  const kept = await get('/v1/checkpoints?origin=ledger.example')
  expect(kept.body).toMatchObject({ origin: 'ledger.example', size: 3 })
  const missing = await get('/v1/checkpoints?origin=absent')
  expect(missing.status).toBe(404)
  for (const answer of [kept, missing]) expect(check('/v1/checkpoints', 'get', answer)).toEqual([])
})

test('what the HTTP layer refuses is in the document', async () => {
  const options = { toolsets: [oddToolset as Toolset<Capabilities>], limits: { bodyBytes: 1000, wrongTokens: 1 } }
  const { post, get, check } = await open(options)
  const wrong = { authorization: 'Bearer wrong' }
  const refusals = [
    [401, await post('search.web', {}, { authorization: '' })],
    [401, await post('search.web', {}, wrong)],
    [429, await post('search.web', {}, wrong)],
    [403, await post('search.web', {}, { origin: 'https://elsewhere.example' })],
    [413, await post('search.web', { text: 'x'.repeat(2000) })],
    [415, await post('search.web', {}, { 'content-type': 'text/plain' })],
    [400, await post('search.web', '{"a":1,"a":2}')],
    [431, await post('search.web', {}, { 'x-long': 'x'.repeat(20_000) })],
  ] as const
  for (const [status, answer] of refusals) {
    expect(answer.status).toBe(status)
    expect(check(toListedPath(oddToolset, 'search.web'), 'post', answer), `${status}`).toEqual([])
  }
  for (const headers of [wrong, { origin: 'https://elsewhere.example' }])
    expect(check('/v1/tools', 'get', await get('/v1/tools', headers))).toEqual([])
})

test('the check sees an answer that the document does not allow', async () => {
  const { post, check } = await open({ toolsets: ['learning'] })
  const good = await post('hello', { name: 'Ada' })
  const see = (changes: object) => check('/v1/tools/hello', 'post', { ...good, ...changes })
  expect(see({})).toEqual([])
  expect(see({ body: {} })).not.toEqual([])
  expect(see({ body: { ...good.body, more: 1 } })).not.toEqual([])
  expect(see({ status: 201 })).not.toEqual([])
  expect(see({ headers: new Headers({ 'content-type': 'text/html' }) })).not.toEqual([])
  expect(see({ headers: withHeader(good.headers, 'toolpact-other', 'x') })).not.toEqual([])
  expect(see({ headers: withHeader(good.headers, 'toolpact-call-id', 'x') })).not.toEqual([])
  const bad = await post('hello', {})
  const seeBad = (changes: JsonObject) =>
    check('/v1/tools/hello', 'post', { ...bad, body: { ...bad.body, ...changes } })
  expect(seeBad({})).toEqual([])
  expect(seeBad({ code: 'file_not_found' })).not.toEqual([])
  expect(seeBad({ status: 404 })).not.toEqual([])
  expect(seeBad({ more: 1 })).not.toEqual([])
})

async function open(options: Parameters<typeof openRest>[0]) {
  const rest = await openRest(options)
  const document = (await rest.get('/openapi.json')).body as OpenApiDocument
  const text = JSON.stringify(document)
  const check = checkers.get(text) ?? createOpenApiChecker(document)
  checkers.set(text, check)
  return { ...rest, check }
}

function writeFiles(workspace: string, files: { readonly [path: string]: string } = {}) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true })
    writeFileSync(join(workspace, path), text)
  }
}

function withHeader(headers: Headers, name: string, value: string): Headers {
  const copy = new Headers(headers)
  copy.set(name, value)
  return copy
}

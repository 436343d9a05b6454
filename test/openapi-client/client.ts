/**
 * A program that calls tools by a client made from their OpenAPI document: `node client.ts URL TOKEN`. The test makes
 * `schema.ts` from the document, checks the types of this file with it, runs it and reads what it says.
 */
import createClient from 'openapi-fetch'
import type { components, paths } from './schema.ts'

const [baseUrl = '', token] = process.argv.slice(2)
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } })
const said: { [what: string]: unknown } = {}

const listed = await client.GET('/v1/tools')
said.risks = [...new Set(listed.data?.tools.map(({ risk }) => risk satisfies 'read_only' | 'safe_write' | 'dangerous'))]

const greeted = await client.POST('/v1/tools/learning_hello', { body: { name: 'Ada' } })
said.greeting = greeted.data?.greeting satisfies string | undefined

const file = { path: 'notes.txt', content: 'one\ntwo\n' }
const header = { 'Idempotency-Key': 'first' }
const created = await client.POST('/v1/tools/workspace_create_file', { params: { header }, body: file })
const repeated = await client.POST('/v1/tools/workspace_create_file', { params: { header }, body: file })
said.created = created.response.status
said.repeated = {
  same: repeated.data?.output === created.data?.output,
  replayed: repeated.response.headers.get('idempotency-replayed'),
}

// A property with a default may be left out.
const read = await client.POST('/v1/tools/workspace_read_file', { body: { path: 'notes.txt' } })
said.read = read.data?.output

const absent = await client.POST('/v1/tools/workspace_read_file', { body: { path: 'absent.txt' } })
if (absent.error?.status === 404) {
  // The codes of a status are known.
  said.absent = absent.error.code satisfies 'tool_not_found' | 'file_not_found'
  // @ts-expect-error: no tool of this name fails so
  said.never = absent.error.code === 'no_such_code'
}

// A workflow that has not ended is answered with its run.
const begun = await client.POST('/v1/tools/flow_slow', {
  params: { header: { Prefer: 'respond-async' } },
  body: { text: 'hi' },
})
const begunRun = begun.data as components['schemas']['RunDetails']
const cancelled = await client.POST('/v1/runs/{id}/cancel', { params: { path: { id: begunRun.run_id } } })
const { data: page } = await client.GET('/v1/runs', { params: { query: { state: 'cancelled', limit: 5 } } })
said.run = {
  begun: begun.response.status,
  state: cancelled.data?.state satisfies components['schemas']['Run']['state'] | undefined,
  listed: page?.runs.map(({ run_id }) => run_id === begunRun.run_id),
}

type Node = components['schemas']['odd_tree.Input-a_node']
const root: Node = { value: 'top', children: [{ value: null, children: [{ value: 'leaf' }] }] }
const tree = await client.POST('/v1/tools/odd_tree', { body: { root } })
said.tree = [tree.data?.depth satisfies number | undefined, tree.data?.first satisfies string | null | undefined]

const dotted = await client.POST('/v1/tools/odd_Search-Web_v2', { body: {} })
said.dotted = dotted.response.status

const wrong = await client.POST('/v1/tools/learning_hello', {
  // @ts-expect-error: a name is text
  body: { name: 5 },
})
said.problems = wrong.error?.problems?.map(({ pointer }) => pointer)

// @ts-expect-error: there is no such tool
const unknown = await client.POST('/v1/tools/learning_helo', { body: {} })
said.unknown = (unknown.response as Response).status

// @ts-expect-error: the path is missing
const incomplete = await client.POST('/v1/tools/workspace_read_file', { body: {} })
said.incomplete = incomplete.error?.code

console.log(JSON.stringify(said))

import { readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

/**
 * An MCP server over stdio that offers what is in the file that it is given, read again at each request: `tools`, `prompts`,
 * `resources` and `contents` by URI. Calls say which server, tool and input they reached. What the client declares is written
 * to `<file>.client`.
 */
const [, , file = ''] = process.argv

// biome-ignore lint/suspicious/noExplicitAny: whatever comes
type Any = any

const methods: { readonly [method: string]: (params: Any, offered: Any) => Any } = {
  initialize({ protocolVersion, capabilities: client }, { name = 'offering', capabilities }) {
    writeFileSync(`${file}.client`, JSON.stringify(client))
    const all = { tools: { listChanged: true }, prompts: {}, resources: {}, completions: {} }
    return { protocolVersion, capabilities: capabilities ?? all, serverInfo: { name, version: '1.0.0' } }
  },
  ping: () => ({}),
  'tools/list': (_, { tools = [] }) => ({ tools }),
  'prompts/list': (_, { prompts = [] }) => ({ prompts }),
  'resources/list': (_, { resources = [] }) => ({ resources }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'prompts/get': ({ name, arguments: input }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: JSON.stringify({ name, input }) } }],
  }),
  'resources/read': ({ uri }, { contents = {} }) =>
    contents[uri] ? { contents: [{ uri, ...contents[uri] }] } : undefined,
  'completion/complete': ({ ref, argument }) => ({
    completion: { values: [`${argument.value}-${ref.name ?? ref.uri}`], total: 1, hasMore: false },
  }),
  'tools/call': ({ name, arguments: input }, { name: server = 'offering' }) => ({
    content: [{ type: 'text', text: JSON.stringify({ server, name, input }) }],
    isError: false,
  }),
}

function print(message: object) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line)
  if (id === undefined) return
  const result = methods[method]?.(params, JSON.parse(readFileSync(file, 'utf8')))
  print(result ? { id, result } : { id, error: { code: -32602, message: `No ${method}` } })
  if (params.name === 'announce') print({ method: 'notifications/tools/list_changed' })
})

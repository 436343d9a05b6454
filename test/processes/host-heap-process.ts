import { getHeapSpaceStatistics } from 'node:v8'
import { openToolpact } from '../../src/app/app.ts'

// Calls a tool of an MCP server, 16 calls at once, and prints how many bytes of each call outlive the collections of new objects.

const server = `
const { createInterface } = require('node:readline')
const outputSchema = { type: 'object', properties: { greeting: { type: 'string' }, more: { type: 'string' } } }
const tool = { name: 'hello', description: 'Greets.', inputSchema: { type: 'object' }, outputSchema, annotations: { readOnlyHint: true } }
const results = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'plain', version: '1' } },
  'tools/list': { tools: [tool] },
  'tools/call': { content: [], structuredContent: { greeting: 'Hello, Ada!', more: 'x'.repeat(2000) } },
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }))
})`

const calls = 4000
const batch = 16
const collect = globalThis.gc!

const toolpact = await openToolpact({
  stateDirectory: process.argv[2]!,
  config: { mcpServers: { plain: { command: process.execPath, args: ['-e', server], approval: 'reads' } } },
})
await callAll(2000)
collect()
const before = oldBytes()
await callAll(calls)
console.log(Math.max(0, Math.round((oldBytes() - before) / calls)))
await toolpact.close()

async function callAll(count: number) {
  for (let made = 0; made < count; made += batch) {
    const results = await Promise.all(Array.from({ length: batch }, () => toolpact.call('plain.hello', {})))
    for (const result of results) if (!result.success) throw new Error(result.error.message)
    collect({ type: 'minor' })
  }
}

function oldBytes(): number {
  const spaces = getHeapSpaceStatistics().filter(({ space_name }) => /^old|^large_object/.test(space_name))
  return spaces.reduce((sum, { space_used_size }) => sum + space_used_size, 0)
}

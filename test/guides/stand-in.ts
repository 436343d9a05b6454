/** Stands in for an agent in the guides: calls a tool as Cursor would, by what Cursor's settings say, and prints the result. */
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const [, , name = '', input = '{}'] = process.argv
const { mcpServers } = JSON.parse(readFileSync(join(homedir(), '.cursor/mcp.json'), 'utf8'))
const client = new Client({ name: 'cursor', version: '1.0.0' })
// Questions must not end while a slow machine goes on with the guide.
const { command, args } = mcpServers.toolpact
await client.connect(
  new StdioClientTransport({ command, args: [...args, '--wait', '500'], env: process.env as Record<string, string> }),
)
const patient = { timeout: 500_000, onprogress: () => undefined }
console.log(JSON.stringify(await client.callTool({ name, arguments: JSON.parse(input) }, patient)))
await client.close()

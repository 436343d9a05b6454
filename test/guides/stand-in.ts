/** Stands in for an agent in the guides: calls a tool as Cursor would, by what Cursor's settings say, and prints the result. */
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const [, , name = '', input = '{}'] = process.argv
const { mcpServers } = JSON.parse(readFileSync(join(homedir(), '.cursor/mcp.json'), 'utf8'))
const client = new Client({ name: 'cursor', version: '1.0.0' })
await client.connect(new StdioClientTransport({ ...mcpServers.toolpact, env: process.env }))
console.log(JSON.stringify(await client.callTool({ name, arguments: JSON.parse(input) })))
await client.close()

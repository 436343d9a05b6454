/**
 * The tools that the conformance suite calls, as most servers have them: made with the official SDK, and without output
 * schemas. Run as a process it speaks over stdio.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { pixel, silence } from './fixture.ts'

const text = (words: string) => ({ type: 'text' as const, text: words })
const image = { type: 'image' as const, data: pixel, mimeType: 'image/png' }
const resource = (uri: string, mimeType: string, words: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: words },
})

const contents = {
  test_simple_text: [text('This is a simple text response for testing.')],
  test_image_content: [image],
  test_audio_content: [{ type: 'audio' as const, data: silence, mimeType: 'audio/wav' }],
  test_embedded_resource: [resource('test://embedded', 'text/plain', 'This is an embedded resource content.')],
  test_multiple_content_types: [
    text('Multiple content types test:'),
    image,
    resource('test://mixed', 'application/json', '{"test":"data","value":123}'),
  ],
  test_error_handling: [text('This tool intentionally returns an error for testing')],
  test_tool_with_progress: [text('Done.')],
  test_reconnection: [text('Done.')],
  test_logging_tool: [text('Done.')],
  test_trigger_tool_change: [text('Done.')],
}

const names = Object.keys(contents)
const capabilities = { tools: { listChanged: true } }
const server = new Server({ name: 'plain', version: '1.0.0' }, { capabilities })
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: names.map((name) => ({
    name,
    description: `Does what the scenario of ${name} expects.`,
    inputSchema: { type: 'object' as const, properties: {} },
    annotations: { readOnlyHint: true },
  })),
}))
server.setRequestHandler(CallToolRequestSchema, async ({ params }, { sendNotification }) => {
  const { name, _meta: { progressToken } = {} } = params
  if (name === 'test_tool_with_progress' && progressToken !== undefined)
    for (const progress of [0, 50, 100]) {
      await sendNotification({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
      await sleep(50)
    }
  if (name === 'test_trigger_tool_change') {
    names.push(`added_${names.length}`)
    await server.sendToolListChanged()
  }
  return { content: contents[name as keyof typeof contents], isError: name === 'test_error_handling' }
})
await server.connect(new StdioServerTransport())

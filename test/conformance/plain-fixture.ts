/**
 * What the conformance suite uses, as most servers have it: made with the official SDK, of an older revision, and without
 * output schemas. Run as a process it speaks over stdio.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { ClientRequest } from '../../src/contract/call-client.ts'
import { elicit, pixel, questions, sample, schema2020, silence } from './fixture.ts'

const text = (words: string) => ({ type: 'text' as const, text: words })
const image = { type: 'image' as const, data: pixel, mimeType: 'image/png' }
const resource = (uri: string, mimeType: string, words: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: words },
})

const contents: { readonly [tool: string]: object[] } = {
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
}
const form = { form: elicit('Please answer.', { username: { type: 'string' }, email: { type: 'string' } }) }
const asking: typeof questions = {
  ...questions,
  test_elicitation: [form],
  test_streaming_elicitation: [form],
  test_sampling: [{ sampled: sample('Hello') }],
}
const names = [
  ...Object.keys(contents),
  ...Object.keys(asking),
  'test_tool_with_progress',
  'test_tool_with_logging',
  'test_logging_tool',
  'test_reconnection',
  'test_trigger_tool_change',
  'test_trigger_prompt_change',
]
const inputs: { readonly [tool: string]: object } = {
  test_sampling: { prompt: { type: 'string' } },
  test_elicitation: { message: { type: 'string' } },
}

const prompts: { [name: string]: readonly string[] } = {
  test_simple_prompt: [],
  test_prompt_with_arguments: ['arg1', 'arg2'],
  test_prompt_with_embedded_resource: ['resourceUri'],
  test_prompt_with_image: [],
}

const capabilities = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { subscribe: true },
  completions: {},
  logging: {},
}
const server = new Server({ name: 'plain', version: '1.0.0' }, { capabilities })

server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [
    ...names.map((name) => ({
      name,
      description: `Does what the scenario of ${name} expects.`,
      inputSchema: { type: 'object' as const, properties: inputs[name] ?? {} } as never,
      annotations: { readOnlyHint: true },
    })),
    {
      name: 'json_schema_2020_12_tool',
      description: 'Has a schema with the keywords of 2020-12.',
      inputSchema: schema2020 as never,
      annotations: { readOnlyHint: true },
    },
  ],
}))

server.setRequestHandler(CallToolRequestSchema, async ({ params }, { sendNotification }) => {
  const { name, arguments: input = {}, _meta: { progressToken } = {} } = params
  const done = (words = 'Done.') => ({ content: [text(words)] })
  if (Object.hasOwn(contents, name))
    return { content: contents[name] as never, isError: name === 'test_error_handling' }
  if (Object.hasOwn(asking, name)) return done(`The client answered ${JSON.stringify(await ask(name, input))}.`)
  if (name === 'test_tool_with_progress' && progressToken !== undefined)
    for (const progress of [0, 50, 100]) {
      await sendNotification({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
      await sleep(50)
    }
  if (name === 'test_tool_with_logging' || name === 'test_logging_tool')
    for (const step of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await server.sendLoggingMessage({ level: 'info', data: step })
      await sleep(50)
    }
  if (name === 'test_trigger_tool_change') {
    names.push(`added_${names.length}`)
    await server.sendToolListChanged()
  }
  if (name === 'test_trigger_prompt_change') {
    prompts[`added_${names.length}`] = []
    await server.sendPromptListChanged()
  }
  return done()
})

/** Asks the client what the tool of this name asks, one question after another. */
async function ask(name: string, input: { message?: unknown; prompt?: unknown }): Promise<unknown[]> {
  const answers: unknown[] = []
  for (const round of asking[name]!)
    for (const { method, params } of Object.values(round)) answers.push(await send({ method, params }, input))
  return answers
}

function send({ method, params }: ClientRequest, { message, prompt }: { message?: unknown; prompt?: unknown }) {
  if (method === 'roots/list') return server.listRoots()
  if (method === 'elicitation/create')
    return server.elicitInput({ ...params, ...(message !== undefined && { message }) } as never)
  const messages = [{ role: 'user', content: text(String(prompt)) }]
  return server.createMessage({ ...params, ...(prompt !== undefined && { messages }) } as never)
}

server.setRequestHandler(ListPromptsRequestSchema, () => ({
  prompts: Object.entries(prompts).map(([name, given]) => ({
    name,
    description: `Has what the scenario of ${name} expects.`,
    arguments: given.map((argument) => ({ name: argument, description: `The ${argument}`, required: true })),
  })),
}))

server.setRequestHandler(GetPromptRequestSchema, ({ params: { name, arguments: given = {} } }) => {
  const user = (content: object) => ({ role: 'user' as const, content: content as never })
  if (name === 'test_prompt_with_image')
    return { messages: [user(image), user(text('Please analyze the image above.'))] }
  if (name === 'test_prompt_with_embedded_resource')
    return {
      messages: [
        user(resource(given.resourceUri!, 'text/plain', 'Embedded resource content.')),
        user(text('Please process the embedded resource above.')),
      ],
    }
  const { arg1, arg2 } = given
  if (arg1 !== undefined) return { messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))] }
  return { messages: [user(text('This is a simple prompt for testing.'))] }
})

server.setRequestHandler(CompleteRequestSchema, ({ params: { argument } }) => ({
  completion: { values: ['testing', 'tested'].filter((word) => word.startsWith(argument.value)), hasMore: false },
}))

const mimeTypes = {
  'test://static-text': 'text/plain',
  'test://static-binary': 'image/png',
  'test://watched-resource': 'text/plain',
}
server.setRequestHandler(ListResourcesRequestSchema, () => ({
  resources: Object.entries(mimeTypes).map(([uri, mimeType]) => ({ uri, name: uri.slice(7), mimeType })),
}))
server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
  resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' }],
}))
server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
  const [, id] = /^test:\/\/template\/(\w+)\/data$/.exec(uri) ?? []
  if (id !== undefined) {
    const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
    return { contents: [{ uri, mimeType: 'application/json', text: data }] }
  }
  if (!Object.hasOwn(mimeTypes, uri)) throw Object.assign(new Error('There is none.'), { code: -32002 })
  const mimeType = mimeTypes[uri as keyof typeof mimeTypes]
  if (mimeType === 'image/png') return { contents: [{ uri, mimeType, blob: pixel }] }
  return { contents: [{ uri, mimeType, text: `This is the content of ${uri}.` }] }
})
for (const schema of [SubscribeRequestSchema, UnsubscribeRequestSchema])
  server.setRequestHandler(schema as typeof SubscribeRequestSchema, () => ({}))

await server.connect(new StdioServerTransport())

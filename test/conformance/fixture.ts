import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientRequest, ClientRequests } from '../../src/contract/call-client.ts'
import { definePrompt } from '../../src/contract/define-prompt.ts'
import { defineResource } from '../../src/contract/define-resource.ts'
import { defineTool } from '../../src/contract/define-tool.ts'
import { defineToolset } from '../../src/contract/define-toolset.ts'
import type { JsonObject } from '../../src/contract/json.ts'
import type { Tool } from '../../src/contract/tool.ts'

const nothing = { type: 'object', additionalProperties: false, properties: {} } as const
const text = toOutput({ text: { type: 'string', description: 'What the tool says' } })
// One red pixel, and an empty sound.
export const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
export const silence = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='
const image = toMedia('image/png')
const sound = toMedia('audio/wav')

const answers = [
  defineTool(toContract('test_simple_text', text), () => ({ text: 'This is a simple text response for testing.' })),
  defineTool(toContract('test_image_content', toOutput({ image })), () => ({ image: pixel })),
  defineTool(toContract('test_audio_content', toOutput({ sound })), () => ({ sound: silence })),
  defineTool(toContract('test_embedded_resource', toOutput({ note: toMedia('text/plain') })), () => ({
    note: btoa('This is an embedded resource content.'),
  })),
  defineTool(
    toContract(
      'test_multiple_content_types',
      toOutput({
        title: { type: 'string' },
        image,
        data: toMedia('application/json'),
      }),
    ),
    () => ({ title: 'Multiple content types test:', image: pixel, data: btoa('{"test":"data","value":123}') }),
  ),
  defineTool(
    {
      ...toContract('test_error_handling', text),
      errors: [{ code: 'intended', status: 422, when: 'Always.', suggestion: 'Expect it.' }],
    },
    (_input, { fail }) => fail('intended', 'This tool intentionally returns an error for testing'),
  ),
  defineTool(toContract('test_tool_with_progress', text), async (_input, { progress, signal }) => {
    for (const done of [0, 50, 100]) {
      progress({ progress: done, total: 100 })
      await sleep(50, undefined, { signal })
    }
    return { text: 'Done.' }
  }),
]

/** Run once a person has agreed: what a server of tools has to ask its user. */
const asks = [
  'test_streaming_elicitation',
  'test_input_required_result_request_state',
  'test_input_required_result_tampered_state',
].map((name) =>
  defineTool(
    {
      ...toContract(name, text),
      risk: 'safe_write',
      input: { ...nothing, properties: { message: { type: 'string', description: 'What to say' } } },
    },
    () => ({ text: 'It was approved.' }),
  ),
)

export const elicit = (message: string, properties: JsonObject): ClientRequest => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: { type: 'object', properties, required: Object.keys(properties) } },
})
export const sample = (prompt: string): ClientRequest => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens: 100 },
})
const roots: ClientRequest = { method: 'roots/list', params: {} }
const name = elicit('What is your name?', { name: { type: 'string' } })
const options = ['option1', 'option2', 'option3']
const titled = [1, 2, 3].map((number) => ({ const: `value${number}`, title: `Option ${number}` }))

/** What each tool asks of its client, one round after another. */
export const questions: { readonly [tool: string]: readonly ClientRequests[] } = {
  test_input_required_result_elicitation: [{ user_name: name }],
  test_input_required_result_sampling: [{ capital_question: sample('What is the capital of France?') }],
  test_input_required_result_list_roots: [{ client_roots: roots }],
  test_input_required_result_multiple_inputs: [
    { user_name: name, greeting: sample('Generate a greeting'), client_roots: roots },
  ],
  test_input_required_result_multi_round: [
    { step1: name },
    { step2: elicit('What is your favorite color?', { color: { type: 'string' } }) },
  ],
  test_missing_capability: [{ sampled: sample('Hello') }],
  test_elicitation_sep1034_defaults: [
    {
      form: elicit('Please review and update the form fields with defaults', {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      }),
    },
  ],
  test_elicitation_sep1330_enums: [
    {
      form: elicit('Please select options from the enum fields', {
        untitledSingle: { type: 'string', enum: options },
        titledSingle: { type: 'string', oneOf: titled },
        legacyEnum: { type: 'string', enum: ['opt1', 'opt2'], enumNames: ['Option One', 'Option Two'] },
        untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
        titledMulti: { type: 'array', items: { anyOf: titled } },
      }),
    },
  ],
}

const conversations = [
  ...Object.entries(questions).map(([tool, rounds]) =>
    defineTool(toContract(tool, text), async (_input, { client }) => {
      const answers: JsonObject[] = []
      for (const round of rounds) answers.push(await client!.ask(round))
      return { text: `The client answered ${JSON.stringify(answers)}.` }
    }),
  ),
  defineTool(toContract('test_input_required_result_capabilities', text), async (_input, { client }) => {
    const all = { user_name: name, greeting: sample('Generate a greeting') }
    const able = Object.entries(all).filter(([, request]) => client!.supports(request))
    return { text: `The client answered ${JSON.stringify(await client!.ask(Object.fromEntries(able)))}.` }
  }),
  defineTool(
    { ...toContract('test_elicitation', text), input: { ...nothing, properties: { message: { type: 'string' } } } },
    async ({ message = 'Please answer.' }, { client }) => {
      const form = elicit(message, { username: { type: 'string' }, email: { type: 'string' } })
      return { text: `User response: ${JSON.stringify((await client!.ask({ form })).form)}` }
    },
  ),
  defineTool(
    {
      ...toContract('test_sampling', text),
      input: { ...nothing, required: ['prompt'], properties: { prompt: { type: 'string' } } },
    },
    async ({ prompt }, { client }) => ({
      text: `LLM response: ${JSON.stringify((await client!.ask({ sampled: sample(prompt) })).sampled)}`,
    }),
  ),
]

export const schema2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'address',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
} as const

/** Added while the suite runs. */
const more: Tool[] = []

const rest = [
  // Called by scenarios about streams and log messages, which look at what comes beside the answer.
  defineTool(toContract('test_reconnection', text), () => ({ text: 'Done.' })),
  ...['test_tool_with_logging', 'test_logging_tool'].map((name) =>
    defineTool(toContract(name, text), async (_input, { client }) => {
      for (const step of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        client?.log?.('info', step)
        await sleep(50)
      }
      return { text: 'Done.' }
    }),
  ),
  ...['test_trigger_tool_change', 'test_trigger_prompt_change'].map((name) =>
    defineTool(
      toContract(name, text),
      (_input, _context, { changed }: { changed: () => void }) => {
        const added = `added_${more.length}`
        more.push(
          name === 'test_trigger_tool_change'
            ? defineTool(toContract(added, text), () => ({ text: 'Done.' }))
            : definePrompt(toOffer(added), () => 'This prompt was added.'),
        )
        changed()
        return { text: 'Done.' }
      },
      { needs: ['changed'] },
    ),
  ),
  defineTool(
    {
      ...toContract('test_parameter_header', text),
      input: {
        ...nothing,
        required: ['region'],
        properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
      },
    },
    ({ region }) => ({ text: String(region) }),
  ),
  defineTool(
    {
      ...toContract('json_schema_2020_12_tool', text),
      input: schema2020,
    },
    () => ({ text: 'It was valid.' }),
  ),
]

const words = (names: readonly string[]) => ({
  type: 'object' as const,
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' as const, description: `The ${name}` }])),
  required: names,
  additionalProperties: false,
})
const user = (content: object) => ({ role: 'user' as const, content: content as { type: string } })

const prompts = [
  definePrompt(toOffer('test_input_required_result_prompt'), async (_input, { client }) => {
    const asked = elicit('What context should the prompt use?', { context: { type: 'string' } })
    return `Use ${JSON.stringify(await client!.ask({ user_context: asked }))}.`
  }),
  definePrompt(toOffer('test_simple_prompt'), () => 'This is a simple prompt for testing.'),
  definePrompt(
    { ...toOffer('test_prompt_with_arguments'), input: words(['arg1', 'arg2']) },
    ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
    { complete: { arg1: (typed) => ['testing', 'tested'].filter((word) => word.startsWith(typed)) } },
  ),
  definePrompt(
    { ...toOffer('test_prompt_with_embedded_resource'), input: words(['resourceUri']) },
    ({ resourceUri: uri }) => ({
      messages: [
        user({ type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content.' } }),
        user({ type: 'text', text: 'Please process the embedded resource above.' }),
      ],
    }),
  ),
  definePrompt(toOffer('test_prompt_with_image'), () => ({
    messages: [
      user({ type: 'image', data: pixel, mimeType: 'image/png' }),
      user({ type: 'text', text: 'Please analyze the image above.' }),
    ],
  })),
]

const resources = [
  defineResource(
    { ...toOffer('static-text'), uri: 'test://static-text', mimeType: 'text/plain' },
    () => 'This is the content of the static text resource.',
  ),
  defineResource({ ...toOffer('static-binary'), uri: 'test://static-binary', mimeType: 'image/png' }, () =>
    Buffer.from(pixel, 'base64'),
  ),
  defineResource(
    {
      ...toOffer('template'),
      uriTemplate: 'test://template/{id}/data',
      variables: { id: 'Id of the data' },
      mimeType: 'application/json',
    },
    ({ id }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
  ),
  defineResource(
    { ...toOffer('watched'), uri: 'test://watched-resource', mimeType: 'text/plain' },
    () => 'Watched resource content.',
    { watch: () => () => {} },
  ),
]

const fixed = defineToolset('conformance', [...answers, ...asks, ...conversations, ...rest, ...prompts, ...resources], {
  open: ({ changed }) => ({ changed }),
  description: 'What the conformance suite expects of a server of tools.',
  // The suite prescribes a schema with an open object in it.
  strict: false,
})

/** Tools under the names that the conformance suite calls. */
export const conformance: typeof fixed = {
  ...fixed,
  get tools() {
    return [...fixed.tools, ...more]
  },
}

function toOffer(name: string) {
  return { name, description: `Has what the scenario of ${name} expects.` } as const
}

function toContract<const Output>(name: string, output: Output) {
  return { name, description: `Does what the scenario of ${name} expects.`, risk: 'read_only', input: nothing, output } as const // biome-ignore format: one line
}

function toMedia(contentMediaType: string) {
  return { type: 'string', contentEncoding: 'base64', contentMediaType } as const
}

function toOutput<const Properties extends Record<string, object>>(properties: Properties) {
  return { type: 'object', additionalProperties: false, required: Object.keys(properties), properties } as const
}

import { setTimeout as sleep } from 'node:timers/promises'
import { definePrompt } from '../../src/contract/define-prompt.ts'
import { defineResource } from '../../src/contract/define-resource.ts'
import { defineTool } from '../../src/contract/define-tool.ts'
import { defineToolset } from '../../src/contract/define-toolset.ts'

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
  'test_elicitation',
  'test_streaming_elicitation',
  'test_input_required_result_elicitation',
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

const rest = [
  // Called by scenarios about streams and log messages, which look at what comes beside the answer.
  ...['test_reconnection', 'test_logging_tool'].map((name) =>
    defineTool(toContract(name, text), () => ({ text: 'Done.' })),
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
      input: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        $defs: {
          address: {
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
      },
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

/** Tools under the names that the conformance suite calls. */
export const conformance = defineToolset('conformance', [...answers, ...asks, ...rest, ...prompts, ...resources], {
  description: 'What the conformance suite expects of a server of tools.',
  // The suite prescribes a schema with an open object in it.
  strict: false,
})

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

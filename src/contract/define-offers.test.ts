import { expect, test } from 'vitest'
import { pixel } from '../../test/conformance/fixture.ts'
import { definePrompt } from './define-prompt.ts'
import { defineResource } from './define-resource.ts'
import { defineToolset } from './define-toolset.ts'
import type { JsonObject } from './json.ts'
import { lintToolset } from './lint-contract.ts'
import type { Tool, ToolContext } from './tool.ts'
import { ToolError } from './tool-error.ts'

const context = { fail: (code: string, message: string) => new ToolError(code, message) } as unknown as ToolContext
const run = async (tool: Tool, input: JsonObject = {}) => (await tool.run(input, context, undefined)) as JsonObject

const note = (read: Parameters<typeof defineResource>[1]) =>
  defineResource({ name: 'note', description: 'One note of a person.', uri: 'notes://one' }, read)
const contentsOf = async (read: Parameters<typeof defineResource>[1]) => (await run(note(read))).contents

test('a prompt is a contract with a prefix, and its text is one message of the user', async () => {
  const hidden = String.fromCodePoint(0xe0041)
  const review = definePrompt({ name: 'review', description: 'Asks for a review.' }, () => `Review${hidden} it.`)
  expect(review.contract).toMatchObject({ name: 'prompt:review', risk: 'read_only', approval: 'never' })
  expect(review.offer).toEqual({ kind: 'prompt' })
  expect(await run(review)).toEqual({ messages: [{ role: 'user', content: { type: 'text', text: 'Review it.' } }] })
})

test('helpers that list and complete become part of the toolset', async () => {
  const words = ['history', 'physics']
  const topics = defineResource(
    {
      name: 'topic',
      description: 'Notes about one topic.',
      uriTemplate: 'notes://{topic}',
      variables: { topic: 'A topic' },
    },
    ({ topic }) => (words.includes(topic) ? `About ${topic}.` : undefined),
    {
      list: () => words.map((name) => ({ uri: `notes://${name}`, name })),
      complete: { topic: (typed) => words.filter((word) => word.startsWith(typed)) },
    },
  )
  const toolset = defineToolset('notes', [topics])
  expect(toolset.tools.map(({ contract }) => contract.name)).toEqual([
    'resource:topic',
    'resource:topic:list',
    'resource:topic:complete',
  ])
  expect((await lintToolset(toolset)).filter(({ severity }) => severity === 'error')).toEqual([])
  const [read, list, complete] = toolset.tools as readonly Tool[]
  expect(await run(read!, { topic: 'history' })).toEqual({
    contents: [{ uri: 'notes://history', text: 'About history.' }],
  })
  expect(await run(read!, { topic: 'x' })).toMatchObject({ code: 'resource_not_found' })
  expect(await run(list!)).toEqual({
    resources: [
      { uri: 'notes://history', name: 'history' },
      { uri: 'notes://physics', name: 'physics' },
    ],
  })
  const typed = { argument: 'topic', value: 'p', context: {} }
  expect(await run(complete!, typed)).toEqual({ values: ['physics'], total: 1, hasMore: false })
  expect(await run(complete!, { ...typed, argument: 'constructor' })).toMatchObject({ values: [] })
})

test('bytes get the type that they have, and text no type of media', async () => {
  const bytes = Buffer.from(pixel, 'base64')
  expect(await contentsOf(() => ({ bytes, mimeType: 'text/html' }))).toEqual([
    { uri: 'notes://one', mimeType: 'image/png', blob: pixel },
  ])
  expect(await contentsOf(() => ({ text: 'a', mimeType: 'image/png' }))).toEqual([
    { uri: 'notes://one', mimeType: 'text/plain', text: 'a' },
  ])
  expect(await contentsOf(() => new Uint8Array())).toEqual([{ uri: 'notes://one', text: '' }])
})

test.each([
  [
    'a prompt with an argument that is not a string',
    () =>
      definePrompt(
        { name: 'a', description: 'A.', input: { type: 'object', properties: { n: { type: 'number' } } } },
        () => '',
      ),
    'is not a string',
  ],
  [
    'a resource without a URI',
    () => defineResource({ name: 'a', description: 'A.' }, () => ''),
    'either a uri or a uriTemplate',
  ],
  [
    'a URI without a scheme',
    () => defineResource({ name: 'a', description: 'A.', uri: 'readme' }, () => ''),
    'with a scheme',
  ],
  [
    'a variable without a description',
    () => defineResource({ name: 'a', description: 'A.', uriTemplate: 'a:{b}' }, () => ''),
    'description of b',
  ],
  [
    'a variable that the template lacks',
    () =>
      defineResource({ name: 'a', description: 'A.', uriTemplate: 'a:{b}', variables: { b: 'B', c: 'C' } }, () => ''),
    '{c}',
  ],
  [
    'a name with a prefix of its own',
    () => definePrompt({ name: 'prompt:a', description: 'A.' }, () => ''),
    'name of a prompt',
  ],
  [
    'capabilities that are not listed',
    () =>
      definePrompt(
        { name: 'a', description: 'A.' },
        ((_input: unknown, _context: unknown, _capabilities: unknown) => '') as never,
      ),
    'needs',
  ],
])('%s is refused', (_case, make, reason) => {
  expect(make).toThrow(reason)
})

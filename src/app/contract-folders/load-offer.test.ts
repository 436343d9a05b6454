import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { modernMeta, openMcpStdio } from '../../../test/helpers/open-mcp.ts'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { openToolpact } from '../app.ts'

const review = {
  name: 'review',
  description: 'Asks for a review of one note.',
  input: {
    type: 'object',
    properties: { topic: { type: 'string', description: 'What the note is about' } },
    required: ['topic'],
    additionalProperties: false,
  },
  text: 'Review my note about {topic}. Keep {braces}.',
}
const guide = { name: 'guide', description: 'How we write.', uri: 'team://guide', mimeType: 'text/markdown', file: 'guide.md' } // biome-ignore format: one line

async function open(files: { readonly [name: string]: string | object | Buffer }) {
  const folder = join(makeFolder(), 'team')
  mkdirSync(folder)
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content)) // biome-ignore format: one line
  const toolpact = await openToolpact({ storage: 'memory', contracts: [folder], toolsets: ['team'] })
  onTestFinished(() => toolpact.close())
  const withheld = async () =>
    Object.fromEntries((await toolpact.catalog.withheld()).map(({ id, reasons }) => [id, reasons.join('. ')]))
  return { folder, toolpact, withheld }
}

const textOf = (result: unknown) => (result as { output: { messages: { content: { text: string } }[] } }).output.messages[0]!.content.text // biome-ignore format: one line

test('a prompt is a text in which arguments are replaced once', async () => {
  const { toolpact } = await open({ 'review.prompt.json': review })
  expect(textOf(await toolpact.call('team.prompt:review', { topic: 'light' }))).toBe('Review my note about light. Keep {braces}.') // biome-ignore format: one line
  expect(textOf(await toolpact.call('team.prompt:review', { topic: '{topic} $& {braces}' }))).toBe(
    'Review my note about {topic} $& {braces}. Keep {braces}.',
  )
  expect(await toolpact.call('team.prompt:review', {})).toMatchObject({ error: { code: 'invalid_input' } })
})

test('a resource is a file of the folder, read anew each time', async () => {
  const { toolpact, folder } = await open({ 'guide.resource.json': guide, 'guide.md': '# One\n' })
  const read = async () => toolpact.call('team.resource:guide', {})
  expect(await read()).toMatchObject({
    output: { contents: [{ uri: 'team://guide', mimeType: 'text/markdown', text: '# One\n' }] },
  })
  writeFileSync(join(folder, 'guide.md'), '# Two\n')
  expect(await read()).toMatchObject({ output: { contents: [{ text: '# Two\n' }] } })
})

test('bytes keep their type', async () => {
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64') // biome-ignore format: one line
  const logo = { name: 'logo', description: 'Our logo.', uri: 'team://logo', mimeType: 'image/png', file: 'logo.png' }
  const { toolpact } = await open({ 'logo.resource.json': logo, 'logo.png': png })
  expect(await toolpact.call('team.resource:logo', {})).toMatchObject({
    output: { contents: [{ mimeType: 'image/png', blob: png.toString('base64') }] },
  })
})

test('a missing file, a link and a folder are no resource', async () => {
  const { toolpact, folder } = await open({ 'guide.resource.json': guide })
  const read = () => toolpact.call('team.resource:guide', {})
  expect(await read()).toMatchObject({ error: { code: 'resource_not_found' } })
  symlinkSync('/etc/hostname', join(folder, 'guide.md'))
  expect(await read()).toMatchObject({ error: { code: 'resource_not_found' } })
})

test('modules get, read, list and complete, with what they need', async () => {
  const { toolpact } = await open({
    'ask.prompt.json': { ...review, name: 'ask', text: undefined },
    'ask.prompt.js': 'export const get = ({ topic }) => "About " + topic\nexport const complete = { topic: (typed) => ["history", "physics"].filter((one) => one.startsWith(typed)) }\n', // biome-ignore format: one line
    'note.resource.json': { name: 'note', description: 'One note.', uriTemplate: 'team://notes/{id}', variables: { id: 'Its id' }, mimeType: 'text/plain' }, // biome-ignore format: one line
    'note.resource.js': 'const notes = { a: "First" }\nexport const read = ({ id }) => notes[id]\nexport const list = () => Object.keys(notes).map((id) => ({ uri: "team://notes/" + id, name: id }))\n', // biome-ignore format: one line
  })
  expect(textOf(await toolpact.call('team.prompt:ask', { topic: 'light' }))).toBe('About light')
  expect(await toolpact.call('team.resource:note', { id: 'a' })).toMatchObject({ output: { contents: [{ text: 'First' }] } }) // biome-ignore format: one line
  expect(await toolpact.call('team.resource:note', { id: 'b' })).toMatchObject({ error: { code: 'resource_not_found' } }) // biome-ignore format: one line
  const { send, next } = await openMcpStdio({ toolpact })
  const request = async (method: string, params: object = {}) => {
    send({ jsonrpc: '2.0', id: method, method, params: { ...params, _meta: modernMeta() } })
    return (await next()).result
  }
  expect(await request('resources/list')).toMatchObject({ resources: [{ uri: 'team://notes/a' }] })
  const ref = { type: 'ref/prompt', name: 'ask' }
  expect(await request('completion/complete', { ref, argument: { name: 'topic', value: 'ph' } })).toMatchObject({
    completion: { values: ['physics'] },
  })
})

test.each([
  ['a misspelled key', { 'a.prompt.json': { ...review, name: 'a', txt: 'x' } }, 'a.prompt', /txt/],
  ['another name than its file', { 'a.prompt.json': review }, 'a.prompt', /named 'review'. Give both the same name/],
  ['neither text nor handler', { 'review.prompt.json': { ...review, text: undefined } }, 'review.prompt', /neither a text nor a handler.*review\.prompt\.ts/], // biome-ignore format: one line
  ['a file elsewhere', { 'guide.resource.json': { ...guide, file: '../guide.md' } }, 'guide.resource', /not valid/],
  ['neither uri nor template', { 'guide.resource.json': { ...guide, uri: undefined } }, 'guide.resource', /needs either a uri or a uriTemplate/], // biome-ignore format: one line
  ['an argument that is no string', { 'review.prompt.json': { ...review, input: { ...review.input, properties: { topic: { type: 'integer', description: 'x' } } } } }, 'review.prompt', /is not a string/], // biome-ignore format: one line
  ['no JSON', { 'review.prompt.json': '{' }, 'review.prompt', /not valid JSON/],
  ['a handler that throws', { 'guide.resource.json': { ...guide, file: undefined }, 'guide.resource.js': 'throw new Error("broken")' }, 'guide.resource', /cannot be loaded: Error: broken/], // biome-ignore format: one line
  ['a handler without a function', { 'guide.resource.json': { ...guide, file: undefined }, 'guide.resource.js': 'export const run = 1' }, 'guide.resource', /exports no function. Export one as read/], // biome-ignore format: one line
  ['needs that are no list', { 'guide.resource.json': { ...guide, file: undefined }, 'guide.resource.js': 'export const read = () => "x"\nexport const needs = "files"' }, 'guide.resource', /not a list of names/], // biome-ignore format: one line
] as const)('%s withholds it, with the reason, and nothing else', async (_what, files, name, reason) => {
  const { withheld, toolpact } = await open({ ...files, 'fine.prompt.json': { ...review, name: 'fine' } })
  expect(await withheld()).toEqual({ [`team.${name}`]: expect.stringMatching(reason) })
  expect(await toolpact.call('team.prompt:fine', { topic: 'x' })).toMatchObject({ success: true })
})

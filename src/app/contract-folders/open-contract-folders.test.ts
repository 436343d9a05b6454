import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import type { ContractSource } from '../../contract/contract.ts'
import { openToolpact, type ToolpactOptions } from '../app.ts'

const contract: ContractSource = {
  name: 'count',
  description: 'Counts the words of a text.',
  risk: 'read_only',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['text'],
    properties: { text: { type: 'string', description: 'What to count' } },
  },
  output: {
    type: 'object',
    additionalProperties: false,
    required: ['words'],
    properties: { words: { type: 'integer', description: 'How many there are' } },
  },
  errors: [{ code: 'blank', status: 400, when: 'The text is blank.', suggestion: 'Send some text.' }],
  examples: [{ input: { text: 'a b' }, output: { words: 2 } }],
}

const run = 'export const run = ({ text }) => ({ words: text.split(" ").length })\n'

/** A folder named `tools` with those files. */
function makeTools(files: { readonly [name: string]: string | object }, name = 'tools'): string {
  const folder = join(makeFolder(), name)
  mkdirSync(folder)
  for (const [file, content] of Object.entries(files))
    writeFileSync(join(folder, file), typeof content === 'string' ? content : JSON.stringify(content))
  return folder
}

/** Contract and handler, under another name. */
const tool = (name: string, changes: object = {}, handler = run) => ({
  [`${name}.contract.json`]: { ...contract, name, ...changes },
  [`${name}.js`]: handler,
})

async function open(contracts: readonly string[], options: ToolpactOptions = {}) {
  const toolpact = await openToolpact({ storage: 'memory', contracts, ...options })
  onTestFinished(() => toolpact.close())
  return toolpact
}

test('a handler in TypeScript honours the contract of its name', async () => {
  const typed =
    'export const run = ({ text }: { text: string }): { words: number } => ({ words: text.length as number })'
  const folder = makeTools({
    'count.contract.json': { $schema: 'contract.schema.json', ...contract },
    'count.ts': typed,
    'count.test.ts': 'throw new Error("A test is no handler.")',
    'README.md': 'Not a contract.',
  })
  const { call } = await open([folder])
  expect(await call('tools.count', { text: 'abc' })).toMatchObject({ success: true, output: { words: 3 } })
  expect(await call('tools.count', { text: 5 })).toMatchObject({ error: { code: 'invalid_input' } })
})

test('the validate of a handler ends a call before a person is asked', async () => {
  const validate =
    "export const validate = ({ text }, { fail }) => (text === ' ' ? fail('blank', 'Blank.') : undefined)\n"
  const folder = makeTools(tool('count', { risk: 'safe_write' }, `${run}${validate}`))
  const asked: string[] = []
  const approver: ToolpactOptions['approver'] = async ({ input }) => {
    asked.push(String(input.text))
    return { answer: 'yes', by: 'a test' }
  }
  const toolpact = await open([folder], { approver })
  expect(await toolpact.call('count', { text: ' ' })).toMatchObject({ ran: false, error: { code: 'blank' } })
  expect(await toolpact.call('count', { text: 'a' })).toMatchObject({ success: true })
  expect(asked).toEqual(['a'])
})

test('a handler may be the default export, fail with a code of its contract, touch files, and look ahead', async () => {
  const folder = makeTools({
    ...tool(
      'first',
      {},
      'export default ({ text }, { fail }) => text.trim() ? { words: 1 } : fail("blank", "Nothing.")',
    ),
    'files.contract.json': { ...contract, name: 'files', effects: { reads: ['text'] } },
    'files.mjs': `export const needs = ['files']
export const run = async ({ text }, _context, { files }) => ({ words: (await files.readLines(text)).text.length })
export const preview = () => ({ sandbox: 'none' })`,
  })
  const workspace = makeFolder()
  writeFileSync(join(workspace, 'note.txt'), 'Tea')
  const { call, catalog } = await open([folder], { workspace })
  expect(await call('first', { text: ' ' })).toMatchObject({ error: { code: 'blank', suggestion: 'Send some text.' } })
  expect(await call('tools.files', { text: 'note.txt' })).toMatchObject({ output: { words: 3 } })
  expect(await catalog.find('tools.files')).toMatchObject({ tool: { preview: expect.any(Function) } })
})

test('the output of a handler is validated against the contract', async () => {
  const { call } = await open([makeTools({ ...tool('loose', {}, 'export const run = () => ({ words: "three" })') })])
  expect(await call('tools.loose', { text: 'a' })).toMatchObject({ success: false, error: { code: 'invalid_output' } })
})

const broken: [what: string, files: { [name: string]: string | object }, reason: string][] = [
  ['no handler', { 'bad.contract.json': { ...contract, name: 'bad' } }, 'It has no handler. Write bad.ts beside it'],
  ['two handlers', { ...tool('bad'), 'bad.ts': run }, 'It has two handlers, bad.ts and bad.js. Remove one'],
  ['no function', tool('bad', {}, 'export const go = 1'), 'bad.js exports no function. Export one as run'],
  ['an invalid preview', tool('bad', {}, `${run}export const preview = 1`), 'The preview in bad.js is not a function'], // biome-ignore format: one line
  ['an invalid validate', tool('bad', {}, `${run}export const validate = 1`), 'The validate in bad.js is not a function'], // biome-ignore format: one line
  ['a handler that throws', tool('bad', {}, 'throw new Error("No key\\nis set.")'), 'cannot be loaded: Error: No key is set'], // biome-ignore format: one line
  ['a handler that throws no error', tool('bad', {}, 'throw 5'), 'bad.js cannot be loaded: 5'],
  ['a handler that cannot be parsed', tool('bad', {}, 'export const = 1'), 'bad.js cannot be loaded: '],
  ['a contract that is no JSON', { ...tool('bad'), 'bad.contract.json': '{,}' }, 'It is not valid JSON.'],
  ['a contract that is a list', { ...tool('bad'), 'bad.contract.json': [contract] }, 'It is not a contract: an object'],
  ['a contract without a name', { ...tool('bad'), 'bad.contract.json': { risk: 'read_only' } }, 'It is not a contract'],
  ['a contract with a wrong field', tool('bad', { risk: 'none' }), 'not valid at "/risk"'],
  ['a contract that is named otherwise', { ...tool('bad'), 'bad.contract.json': contract }, "is named 'count'. Give both the same name"], // biome-ignore format: one line
  ['a contract that the linter refuses', tool('bad', { examples: [{ input: {}, output: { words: 1 } }] }), '"/examples/0/input/text" (example-input): The input of the example'], // biome-ignore format: one line
]

test.each(broken)('%s withholds that tool, and no other', async (_what, files, reason) => {
  const { call, catalog } = await open([makeTools({ ...tool('good'), ...files })])
  expect(await call('tools.good', { text: 'a' })).toMatchObject({ success: true })
  const { error } = (await call('tools.bad', { text: 'a' })) as { error?: { code: string; message: string } }
  expect(error).toMatchObject({ code: 'tool_withheld', message: expect.stringContaining(reason) })
  expect((await catalog.all()).map(({ id }) => id)).not.toContain('tools.bad')
  expect(await catalog.withheld()).toMatchObject([{ id: 'tools.bad', toolset: 'tools' }])
})

test('contracts with many faults tell the first ones', async () => {
  const examples = Array.from({ length: 5 }, () => ({ input: {}, output: { words: 1 } }))
  const { catalog } = await open([makeTools(tool('bad', { examples }))])
  const [withheld] = await catalog.withheld()
  expect(withheld?.reasons).toHaveLength(4)
  expect(withheld?.reasons.at(-1)).toBe('There are 2 more problems')
})

test('indistinguishable names withhold both tools', async () => {
  const { catalog } = await open([makeTools({ ...tool('read_note'), ...tool('read-note'), ...tool('other') })])
  expect((await catalog.withheld()).map(({ id }) => id)).toEqual(['tools.read-note', 'tools.read_note'])
  expect(await catalog.find('tools.other')).toMatchObject({ kind: 'found' })
})

test.skipIf(process.platform === 'win32')('a contract that is not a regular file is not read', async () => {
  const folder = makeTools(tool('good'))
  execFileSync('mkfifo', [join(folder, 'pipe.contract.json')])
  const { catalog } = await open([folder])
  expect(await catalog.withheld()).toMatchObject([{ id: 'tools.pipe', reasons: ['It is not a regular file'] }])
})

test('a planned tool needs no handler: it is listed, and cannot be called', async () => {
  const { call, catalog } = await open([makeTools({ 'later.contract.json': { ...contract, name: 'later', status: 'planned' } })]) // biome-ignore format: one line
  expect(await catalog.withheld()).toEqual([])
  expect(await call('tools.later', { text: 'a' })).toMatchObject({ error: { code: 'tool_planned' } })
})

test('a toolset is named after its folder, or as toolset.json says', async () => {
  const idsOf = async (folder: string) => (await (await open([folder])).catalog.all()).map(({ id }) => id)
  expect(await idsOf(makeTools(tool('count'), '1. Möbel & more.d'))).toContain('Mobel-more-d.count')
  const named = makeTools({ ...tool('count'), 'toolset.json': { name: 'texts', description: 'About texts.' } })
  const { catalog } = await open([named])
  expect(await catalog.find('texts.count')).toMatchObject({ toolsetDescription: 'About texts.' })
})

test('a folder that is named twice counts once, also through a link', async () => {
  const folder = makeTools(tool('count'))
  const link = join(makeFolder(), 'link')
  symlinkSync(folder, link, 'junction')
  const { catalog } = await open([folder, link], { config: { contracts: [folder] } })
  expect((await catalog.all()).filter(({ toolset }) => toolset === 'tools')).toHaveLength(1)
})

const refused: [what: string, contracts: () => string[], message: string][] = [
  ['a folder that is not there', () => ['nowhere'], 'The contract folder nowhere does not exist.'],
  ['a file', () => [join(makeTools(tool('count')), 'count.js')], 'does not exist'],
  ['two folders of one name', () => [makeTools({}), makeTools({})], "are both a toolset 'tools'. Rename the folder"],
  ['the name of a built-in toolset', () => [makeTools({}, 'learning')], "There is a toolset 'learning' already"],
  ['no name that fits', () => [makeTools({}, '123')], 'is not valid for a toolset. Rename the folder'],
  [
    'a toolset.json with a wrong name',
    () => [makeTools({ 'toolset.json': { name: '1' } })],
    'toolset.json is not valid',
  ],
  ['a toolset.json that is no JSON', () => [makeTools({ 'toolset.json': '{' })], 'toolset.json is not valid'],
]

test.each(refused)('%s is refused with what to do', async (_what, contracts, message) => {
  await expect(openToolpact({ storage: 'memory', contracts: contracts() })).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringContaining(message),
  })
})

test('a folder without contracts is reported', async () => {
  const { notices } = await open([makeTools({})])
  expect(notices).toEqual([expect.stringMatching(/^There is no tool in .*To create one: toolpact new NAME$/)])
})

test('folders are listed with the other toolsets, and selected by name like them', async () => {
  const folder = makeTools(tool('count'))
  const namesFor = async (options: ToolpactOptions) =>
    (await (await open([folder], options)).catalog.all()).map(({ name }) => name)
  expect(await namesFor({})).toEqual(expect.arrayContaining(['tools_count', 'learning_hello']))
  expect(await namesFor({ toolsets: ['tools'] })).toEqual(['count'])
  expect(await namesFor({ config: { toolsets: ['tools'] } })).toEqual(['count'])
  expect(await namesFor({ toolsets: ['learning'] })).not.toContain('tools_count')
})

test('limits and callers of the config know the tools of folders, withheld ones too', async () => {
  const folder = makeTools({ ...tool('count'), 'orphan.contract.json': { ...contract, name: 'orphan' } })
  const limits = { 'tools.count': { inputBytes: 5 }, 'tools.orphan': { inputBytes: 5 } }
  const config = { contracts: [folder], limits, callers: { ci: { tools: ['tools.count'] } } }
  const { call } = await open([], { config })
  expect(await call('tools.count', { text: 'a' })).toMatchObject({ error: { code: 'input_too_large' } })
  await expect(openToolpact({ config: { ...config, limits: { 'tools.cuont': {} } } })).rejects.toThrow('tools.count')
})

test('an untrusted workspace config cannot choose contract folders', async () => {
  const workspace = makeFolder()
  const folder = makeTools(tool('count', {}, 'globalThis.untrustedRan = true'))
  const limits = { 'tools.count': { timeoutMs: 1 } }
  const config = { contracts: [folder], toolsets: ['tools', 'learning'], limits }
  writeFileSync(join(workspace, 'toolpact.json'), JSON.stringify(config))
  const { catalog, notices } = await open([], { workspace, discover: true, stateDirectory: makeFolder() })
  expect((await catalog.all()).map(({ id }) => id)).toContain('learning.hello')
  expect(notices).toEqual([expect.stringContaining('this was left out: contracts')])
  expect('untrustedRan' in globalThis).toBe(false)
})

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { openToolpact, type ToolpactOptions } from '../app.ts'
import { runExamples } from '../run-examples.ts'

const contract = (name: string) => ({
  name,
  description: 'Describes where notes are kept.',
  risk: 'read_only',
  input: { type: 'object', additionalProperties: false, properties: {} },
  output: {
    type: 'object',
    additionalProperties: false,
    required: ['text'],
    properties: { text: { type: 'string', description: 'Where they are' } },
  },
  examples: [{ input: {}, output: { text: 'notes' } }],
})

const usesStore = `export const needs = ['store']
export const run = (_input, _context, { store }) => ({ text: store.describe() })`

const usesNothing = `export const run = () => ({ text: 'plain' })`

const opensStore = `export const open = ({ settings }) => ({ store: { describe: () => settings.folder } })`

const withSettings = {
  settings: {
    type: 'object',
    additionalProperties: false,
    properties: { folder: { type: 'string', default: 'notes', description: 'The folder of notes' } },
  },
}

/** A folder of contracts named `notes`: a tool that uses what its toolset provides, and one that does not. */
function makeNotes(files: { readonly [name: string]: string | object }): string {
  const folder = join(makeFolder(), 'notes')
  mkdirSync(folder)
  const all = {
    'describe.contract.json': contract('describe'),
    'describe.js': usesStore,
    'plain.contract.json': contract('plain'),
    'plain.js': usesNothing,
    ...files,
  }
  for (const [file, content] of Object.entries(all))
    writeFileSync(join(folder, file), typeof content === 'string' ? content : JSON.stringify(content))
  return folder
}

async function open(folder: string, options: ToolpactOptions = {}) {
  const toolpact = await openToolpact({ storage: 'memory', contracts: [folder], ...options })
  onTestFinished(() => toolpact.close())
  const text = async (tool: string) => {
    const result = await toolpact.call(`notes.${tool}`, {})
    return result.success ? result.output.text : result.error.code
  }
  const reasons = async () => {
    const withheld = await toolpact.catalog.withheld(['notes'])
    return Object.fromEntries(withheld.map(({ id, reasons: found }) => [id, found.join(' ')]))
  }
  return { toolpact, text, reasons }
}

const config = (content: object) => ({ config: content as NonNullable<ToolpactOptions['config']> })

test('a folder has settings and opens what its tools need, as a built-in toolset does', async () => {
  const folder = makeNotes({ 'toolset.json': withSettings, 'toolset.js': opensStore })
  expect(await (await open(folder)).text('describe')).toBe('notes')
  expect(await (await open(folder, config({ notes: { folder: 'memos' } }))).text('describe')).toBe('memos')
  expect(await (await open(folder, { settings: { notes: { folder: 'set' } } })).text('describe')).toBe('set')
})

test.each<[what: string, files: { [name: string]: string | object }, options: ToolpactOptions, reason: RegExp]>([
  ['settings that are not valid', { 'toolset.json': withSettings, 'toolset.js': opensStore }, config({ notes: { folder: 5 } }), /^The settings of toolset 'notes' are not valid: .*\/folder/], // biome-ignore format: one line
  ['a schema that cannot be used', { 'toolset.json': { settings: { type: 'object', properties: { a: { type: 'objekt' } } } } }, {}, /^The schema for the settings of toolset 'notes' cannot be used/], // biome-ignore format: one line
  ['a module that cannot be loaded', { 'toolset.js': 'throw new Error("No.")' }, {}, /^The module toolset\.js of its toolset cannot be loaded: Error: No/], // biome-ignore format: one line
  ['a module without open', { 'toolset.js': 'export const opn = 1' }, {}, /exports no function named open/],
  [
    'two modules',
    { 'toolset.js': opensStore, 'toolset.mjs': opensStore },
    {},
    /two modules, toolset\.js and toolset\.mjs/,
  ],
  ['an open that throws', { 'toolset.js': 'export const open = () => { throw new Error("No disk.") }' }, {}, /could not be opened: Error: No disk/], // biome-ignore format: one line
])(
  '%s: its tools are withheld with the reason, and all others can be called',
  async (_what, files, options, reason) => {
    const { toolpact, reasons } = await open(makeNotes(files), options)
    expect(await reasons()).toEqual({
      'notes.describe': expect.stringMatching(reason),
      'notes.plain': expect.stringMatching(reason),
    })
    expect(await toolpact.call('learning.hello', { name: 'Ada' })).toMatchObject({ success: true })
  },
)

test('a tool that needs what is not available is withheld, with the names that are, and the others of its toolset are not', async () => {
  const { text, reasons } = await open(
    makeNotes({ 'toolset.js': 'export const open = () => ({ stores: { describe: () => "x" } })' }),
  )
  expect(await reasons()).toEqual({
    'notes.describe':
      "It needs 'store', which is not available. Did you mean stores? Available are files, search, process, web, model, stores",
  })
  expect(await text('plain')).toBe('plain')
})

test('without a module that provides it, a need is not available', async () => {
  const { text, reasons } = await open(makeNotes({}))
  expect(await reasons()).toEqual({ 'notes.describe': expect.stringContaining("It needs 'store'") })
  expect([await text('describe'), await text('plain')]).toEqual(['tool_withheld', 'plain'])
})

test('a key of the config for a folder without settings is refused', async () => {
  await expect(open(makeNotes({}), config({ notes: {} }))).rejects.toThrow(
    "/notes: The toolset 'notes' has no settings.",
  )
  await expect(open(makeNotes({ 'toolset.json': withSettings }), config({ notse: {} }))).rejects.toThrow(
    '/notse: There is no such setting, and no toolset of that name. Did you mean "notes"?',
  )
})

test('a folder whose toolset.json says that settings are no object is refused', async () => {
  await expect(open(makeNotes({ 'toolset.json': { settings: { type: 'string' } } }))).rejects.toThrow(/toolset\.json is not valid/) // biome-ignore format: one line
})

test('examples run with the test settings of the folder, unless settings are given', async () => {
  const about = { ...withSettings, testSettings: { folder: 'notes' }, $schema: 'toolset.schema.json' }
  const folder = makeNotes({ 'toolset.json': about, 'toolset.js': opensStore })
  const memos = config({ notes: { folder: 'memos' } })
  const problemOf = async (options: ToolpactOptions) => (await runExamples('notes.describe', options))[0]!.problem
  expect(await problemOf({ contracts: [folder], ...memos })).toBeUndefined()
  expect(await problemOf({ contracts: [folder], settings: { notes: { folder: 'memos' } } })).toContain('memos')
})

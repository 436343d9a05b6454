import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder } from '../../test/helpers/open-test-pipeline.ts'
import type { Capabilities } from '../capabilities/capabilities.ts'
import { defineTool } from '../contract/define-tool.ts'
import { defineToolset } from '../contract/define-toolset.ts'
import type { Toolset } from '../contract/tool.ts'
import { toolsets as builtIn } from '../toolsets/index.ts'
import { formerKeys, toolsetSettings } from '../toolsets/settings.ts'
import { openToolpact, type ToolpactOptions } from './app.ts'
import { configSchema } from './config/config-schema.ts'

interface Store {
  describe(): string
}

const describeContract = {
  name: 'describe',
  description: 'Describes where notes are kept.',
  risk: 'read_only',
  input: { type: 'object', additionalProperties: false, properties: {} },
  output: {
    type: 'object',
    additionalProperties: false,
    required: ['text'],
    properties: { text: { type: 'string', description: 'Where they are' } },
  },
} as const

const describeNotes = defineTool(
  describeContract,
  (_input, _context, { store }: { store: Store }) => ({ text: store.describe() }),
  { needs: ['store'] },
)

const settings = {
  type: 'object',
  additionalProperties: false,
  properties: {
    folder: { type: 'string', default: 'notes', description: 'The folder of notes' },
    limits: {
      type: 'object',
      additionalProperties: false,
      description: 'How much is kept',
      properties: {
        bytes: { type: 'integer', default: 10, description: 'Bytes of a note' },
        count: { type: 'integer', description: 'Number of notes' },
      },
    },
  },
} as const

const notes = defineToolset('notes', [describeNotes], {
  settings,
  open: ({ settings: { folder, limits } }) => ({
    store: { describe: () => `${folder} ${JSON.stringify(limits ?? {})}` },
  }),
})

async function open(options: ToolpactOptions) {
  const toolpact = await openToolpact({ storage: 'memory', ...options })
  onTestFinished(() => toolpact.close())
  const text = async () => {
    const result = await toolpact.call('notes.describe', {})
    return result.success ? result.output.text : result.error
  }
  return { toolpact, text }
}

test('a toolset opens what its tools need with its settings, and defaults where there are none', async () => {
  expect(await (await open({ toolsets: [notes] })).text()).toBe('notes {}')
  const config = { notes: { folder: 'memos', limits: {} } } as ToolpactOptions['config']
  expect(await (await open({ toolsets: [notes], config })).text()).toBe('memos {"bytes":10}')
})

test('settings of the options override those of the config, key by key', async () => {
  const config = { notes: { folder: 'memos', limits: { bytes: 5, count: 7 } } } as ToolpactOptions['config']
  const { text, toolpact } = await open({ toolsets: [notes], config, settings: { notes: { limits: { bytes: 6 } } } })
  expect(await text()).toBe('memos {"bytes":6,"count":7}')
  expect(toolpact.config).toMatchObject({ notes: { folder: 'memos', limits: { bytes: 6, count: 7 } } })
})

test('it is opened once for all calls', async () => {
  let opened = 0
  const counting = defineToolset('notes', [describeNotes], {
    open() {
      opened++
      return { store: { describe: () => `opened ${opened}` } }
    },
  })
  const { text } = await open({ toolsets: [counting] })
  expect([await text(), await text()]).toEqual(['opened 1', 'opened 1'])
})

test.each<[what: string, options: ToolpactOptions, words: RegExp]>([
  ['a wrong type', { settings: { notes: { folder: 5 } } }, /The settings of toolset 'notes' are not valid:.*\/folder/],
  ['a misspelt setting', { settings: { notes: { foldr: 'a' } } }, /\/foldr.*Did you mean "folder"\?/],
  ['a misspelt toolset', { settings: { note: {} } }, /There is no toolset 'note' with settings\. Did you mean notes\?/],
  ['a toolset without settings', { settings: { learning: {} } }, /The toolset 'learning' has no settings\./],
  ['a built-in toolset', { settings: { 'web-fetch': { robots: 'no' } } }, /'web-fetch' are not valid:.*\/robots/],
  ['a wrong type in the config', { config: { notes: { folder: 5 } } as never }, /'notes' are not valid:.*\/folder/],
  ['a misspelt key of the config', { config: { polcy: {} } as never }, /\/polcy: There is no such setting.*"policy"\?/],
  ['a key near a toolset', { config: { nots: {} } as never }, /\/nots: .*Did you mean "notes"\?/],
  ['a key of a toolset without settings', { config: { learning: {} } as never }, /\/learning: The toolset 'learning' has no settings/], // biome-ignore format: one line
])('%s is refused, with what is meant', async (_what, options, words) => {
  await expect(open({ toolsets: [notes], ...options })).rejects.toMatchObject({
    code: 'invalid_config',
    message: expect.stringMatching(words),
  })
})

test('a toolset with settings cannot have the name of another setting', async () => {
  const taken = defineToolset('policy', [describeNotes], { settings, open: () => ({ store: { describe: () => '' } }) })
  await expect(open({ toolsets: [taken] })).rejects.toThrow("The toolset 'policy' cannot have settings")
})

test('settings whose schema cannot be used are refused', async () => {
  const odd = defineToolset('notes', [describeNotes], {
    settings: { type: 'object', properties: { a: { type: 'objekt' as never } } },
    open: () => ({ store: { describe: () => '' } }),
  })
  await expect(open({ toolsets: [odd] })).rejects.toThrow(
    "The schema for the settings of toolset 'notes' cannot be used",
  )
})

test('an unmet need is reported on opening, with the known names', async () => {
  const poor = defineToolset('notes', [describeNotes], { open: () => ({ stor: 1 }) })
  await expect(open({ toolsets: [poor as unknown as Toolset<Capabilities>] })).rejects.toMatchObject({
    code: 'invalid_contract',
    message:
      "The tool 'notes.describe' cannot be used. It needs 'store', which is not available. Did you mean stor? " +
      'Available are files, search, process, web, model, stor.',
  })
  const none = defineToolset('notes', [describeNotes])
  await expect(open({ toolsets: [none as unknown as Toolset<Capabilities>] })).rejects.toThrow("It needs 'store'")
})

test('a failing open is reported on opening', async () => {
  const failing = defineToolset('notes', [describeNotes], {
    open(): { store: Store } {
      throw new Error('The disk is gone.')
    },
  })
  await expect(open({ toolsets: [failing] })).rejects.toThrow('could not be opened: Error: The disk is gone.')
})

test('a toolset cannot replace a common capability', async () => {
  const own = defineToolset('notes', [describeNotes], { open: () => ({ store: { describe: () => '' }, files: {} }) })
  await expect(open({ toolsets: [own as never] })).rejects.toThrow("provides 'files', which is the name of a common")
})

test('a tool can need the settings themselves, which it cannot change', async () => {
  const tool = defineTool(
    describeContract,
    (_input, _context, { settings }: { settings: { folder: string } }) => {
      expect(() => Object.assign(settings, { folder: 'x' })).toThrow(TypeError)
      return { text: settings.folder }
    },
    { needs: ['settings'] },
  )
  expect(await (await open({ toolsets: [defineToolset('notes', [tool], { settings })] })).text()).toBe('notes')
})

test.each(Object.entries(formerKeys))('the former key %s is accepted as %s, with a notice', async (old, name) => {
  const { toolpact } = await open({ config: { [old]: {} } as ToolpactOptions['config'] })
  expect(Object.keys(toolpact.config)).toEqual([name])
  expect(toolpact.notices).toEqual([expect.stringContaining(`"${old}" is now called "${name}".`)])
})

test('the settings of every built-in toolset are in the schema of the config', async () => {
  const loaded = await Promise.all(Object.values(builtIn).map((load) => load()))
  const declared = loaded.flatMap((toolset) => (toolset.settings ? [[toolset.name, toolset.settings]] : []))
  expect(Object.fromEntries(declared)).toEqual(toolsetSettings)
  expect(configSchema.properties).toMatchObject(toolsetSettings)
})

test('every built-in toolset provides what its tools need', async () => {
  const loaded = await Promise.all(Object.values(builtIn).map((load) => load()))
  // As toolsets of a program they are checked.
  await open({ toolsets: loaded, stateDirectory: makeFolder() })
})

test('changed settings apply to the next call while tools are served, and wrong ones change nothing', async () => {
  const path = join(makeFolder(), 'my.json')
  const write = (content: object) => {
    writeFileSync(`${path}.new`, JSON.stringify(content))
    renameSync(`${path}.new`, path)
  }
  write({ notes: { folder: 'one' } })
  const told: string[] = []
  const { text } = await open({ toolsets: [notes], config: path, watch: (message) => told.push(message) })
  expect(await text()).toBe('one {}')
  write({ notes: { folder: 'two' } })
  await expect.poll(() => told).toContain('Applied: notes.')
  expect(await text()).toBe('two {}')
  write({ notes: { folder: 3 } })
  await expect
    .poll(() => told.at(-1))
    .toMatch(/'notes' are not valid: .*\/folder.*The settings before it stay in effect/)
  expect(await text()).toBe('two {}')
})

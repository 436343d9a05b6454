import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { toolpactErrorCodes } from '../../src/contract/toolpact-error.ts'
import {
  anthropicTools,
  canonicalJson,
  defineTool,
  defineToolset,
  defineValidator,
  digest,
  handleToolCalls,
  handleToolUses,
  lintContract,
  lintToolset,
  openaiTools,
  openToolpact,
  runExamples,
  type Toolpact,
  ToolpactError,
  type ToolpactErrorCode,
  type ToolpactOptions,
} from '../../src/index.ts'

const directory = mkdtempSync(join(tmpdir(), 'toolpact-misuse-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
writeFileSync(join(directory, 'file'), '')

const none = undefined as never
const closed = { type: 'object', properties: {}, additionalProperties: false } as const
const source = { name: 'go', description: 'Goes.', risk: 'read_only', input: closed, output: closed } as const
const open = (options: object) => openToolpact({ storage: 'memory', ...options })

async function withOpen<Result>(options: ToolpactOptions, use: (toolpact: Toolpact) => Promise<Result>) {
  const toolpact = await openToolpact({ storage: 'memory', toolsets: ['learning'], ...options })
  try {
    return await use(toolpact)
  } finally {
    await toolpact.close()
  }
}

async function openClosed(options: ToolpactOptions = {}) {
  return withOpen(options, async (toolpact) => toolpact)
}

const misuse: [what: string, code: ToolpactErrorCode, says: string, misuse: () => unknown][] = [
  ['a tool without a contract', 'invalid_contract', 'needs a contract', () => defineTool(none, none)],
  ['a tool without a name', 'invalid_contract', 'use a letter', () => defineTool({ ...source, name: none }, none)],
  ['a tool without run', 'invalid_contract', 'pass a function', () => defineTool(source, none)],
  ['a toolset without a name', 'invalid_contract', 'use a letter', () => defineToolset(none, [])],
  ['a toolset without tools', 'invalid_contract', 'needs a list of tools', () => defineToolset('x', none)],
  ['a toolset of something else', 'invalid_contract', 'defineTool', () => defineToolset('x', [{} as never])],
  ['no contract to lint', 'invalid_contract', 'takes a contract', () => lintContract(none)],
  ['no toolset to lint', 'invalid_contract', 'defineToolset', () => lintToolset(none)],
  ['a schema that is not valid', 'invalid_schema', 'Correct it', () => defineValidator({ type: 'strng' as never })({})],
  ['no schema', 'invalid_schema', 'Write plain JSON', () => defineValidator(none)({})],
  ['a digest of a function', 'not_json', 'pass only what JSON can say', () => digest(open as never)],
  ['canonical JSON of NaN', 'not_json', 'pass only what JSON can say', () => canonicalJson(Number.NaN)],
  ['options that are null', 'invalid_option', 'takes an object', () => openToolpact(null as never)],
  ['options that are a string', 'invalid_option', 'takes an object', () => openToolpact('x' as never)],
  ['an unknown option', 'invalid_option', 'Did you mean toolsets?', () => open({ toolset: ['workspace'] })],
  ['an option like no other', 'invalid_option', 'Options are workspace,', () => open({ colour: 'red' })],
  ['toolsets that are no list', 'invalid_option', 'toolsets must be an array', () => open({ toolsets: 'workspace' })],
  ['a toolset that is null', 'invalid_option', 'defineToolset', () => open({ toolsets: [null] })],
  ['a toolset that is empty', 'invalid_option', 'defineToolset', () => open({ toolsets: [{}] })],
  ['an unknown storage', 'invalid_option', 'one of sqlite, memory', () => open({ storage: 'disk' })],
  ['a workspace that is no path', 'invalid_option', 'workspace must be a string', () => open({ workspace: 3 })],
  ['an approver that is no function', 'invalid_option', 'must be a function', () => open({ approver: 'yes' })],
  ['an unknown toolset', 'invalid_config', 'Use one of', () => open({ toolsets: ['nope'] })],
  ['a toolset twice', 'invalid_config', 'Rename one', () => open({ toolsets: ['learning', 'learning'] })],
  ['a config that is absent', 'invalid_config', 'Check the path', () => open({ config: '/no/such.json' })],
  ['a config with a mistyped key', 'invalid_config', 'Did you mean', () => open({ config: { polisy: {} } })],
  ['examples of no tool', 'not_found', 'Did you mean', () => runExamples('learning.helo', { toolsets: ['learning'] })],
  ['a test of rules for no tool', 'not_found', 'full id', () => withOpen({}, ({ rules }) => rules.test('nope', {}))],
  ['tools of nothing', 'invalid_option', 'openToolpact', () => openaiTools(none)],
  ['tools of a promise', 'invalid_option', 'await it', () => anthropicTools(open({}) as never)],
  ['calls to nothing', 'invalid_option', 'openToolpact', () => handleToolCalls(none, {})],
  ['uses of nothing', 'invalid_option', 'openToolpact', () => handleToolUses(none, { content: [] })],
  ['a closed ledger', 'closed', 'openToolpact()', async () => (await openClosed()).ledger.read({})],
  [
    'a closed ledger in a file',
    'closed',
    'openToolpact()',
    async () => (await openClosed({ storage: 'sqlite', stateDirectory: join(directory, 'state') })).ledger.read({}),
  ],
  [
    'a state directory that is a file',
    'storage_unavailable',
    'file',
    () => open({ storage: 'sqlite', stateDirectory: join(directory, 'file') }),
  ],
]

test.each(misuse)('%s is reported with a code and what to do', async (_what, code, says, run) => {
  const error: unknown = await (async () => run())().catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(ToolpactError)
  expect(error).toMatchObject({ code, message: expect.stringContaining(says) })
})

test.each(['memory', 'sqlite'] as const)(
  'a call after close (%s) fails with what to do, and does not reject',
  async (storage) => {
    const toolpact = await openClosed({ storage, stateDirectory: join(directory, 'closed') })
    const error = { code: 'ledger_unavailable', suggestion: 'Open another one with openToolpact().' }
    expect(await toolpact.call('hello', { name: 'Ada' })).toMatchObject({ success: false, ran: false, error })
  },
)

test('a message that is missing has no calls', async () => {
  expect(await withOpen({}, (toolpact) => handleToolCalls(toolpact, none))).toEqual([])
  expect(await withOpen({}, (toolpact) => handleToolUses(toolpact, none))).toEqual([])
})

test('the page about contracts lists every code, with its meaning', () => {
  const page = readFileSync(new URL('../../docs/contract.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(([, code, meaning]) => `${code}: ${meaning}`)
  for (const [code, meaning] of Object.entries(toolpactErrorCodes)) expect(rows).toContain(`${code}: ${meaning}`)
})

import { expect, test } from 'vitest'
import { type ConfigSource, checkConfig } from './config.ts'
import { toUntrusted } from './config-trust.ts'

const untrusted = async (config: ConfigSource) => toUntrusted(await checkConfig(config, 'x'))

test.each<[ConfigSource]>([
  [{ policy: { askAll: true, readOnly: true, sandbox: 'required' } }],
  [{ ledger: { fsync: 'all' } }],
  [{ lock: 'required', drift: 'strict' }],
  [{ redact: ['MY_SECRET'] }],
  [{ limits: { 'learning.*': { timeoutMs: 1 } } }],
  [{ callers: { ci: { tools: ['learning.*'] }, '*': { tools: [] } } }],
  [{ toolsets: ['learning'] }],
  [{ generated: { 'docs/tools.md': 'markdown' } }],
  [{ catalogue: 'search' }],
])('%j is taken', async (config) => {
  expect(await untrusted(config)).toEqual({ taken: config, left: [] })
})

test.each<[ConfigSource, left: string[]]>([
  [{ workspace: '/' }, ['workspace']],
  [{ policy: { sandbox: 'off' } }, ['policy.sandbox']],
  [{ policy: { sandboxNetwork: true } }, ['policy.sandboxNetwork']],
  [{ policy: { allowHosts: ['intranet'] } }, ['policy.allowHosts']],
  [{ policy: { keepEnvironment: ['AWS_SECRET_ACCESS_KEY'] } }, ['policy.keepEnvironment']],
  [{ http: { port: 1 } }, ['http']],
  [{ model: { url: 'http://x', model: 'x' } }, ['model']],
  [{ mcpServers: { a: { command: 'x' } } }, ['mcpServers']],
  [{ contracts: ['tools'] }, ['contracts']],
  [{ approval: { ask: 'both', waitMs: 1 } }, ['approval']],
  [{ callers: { ci: { approval: { ask: 'both' } } } }, ['callers']],
  [{ approvers: [{ who: ['eve'] }], groups: { ops: ['eve'] } }, ['approvers', 'groups']],
  [{ 'transcript-clean': { rulesOnly: true } }, ['transcript-clean']],
  [{ transcript: { rulesOnly: true } }, ['transcript-clean']],
  [{ notes: { folder: 'a' } } as ConfigSource, ['notes']],
])('%j is left', async (config, left) => {
  const { taken, left: found } = await untrusted(config)
  expect(found).toEqual(left)
  expect(Object.values(taken).filter((value) => Object.keys(value as object).length > 0)).toEqual([])
})

test('the restricting settings of a config apply although others need trust', async () => {
  const config: ConfigSource = { policy: { askAll: true, sandbox: 'off' }, http: {}, redact: ['A'] }
  expect(await untrusted(config)).toEqual({
    taken: { policy: { askAll: true }, redact: ['A'] },
    left: ['policy.sandbox', 'http'],
  })
})

test('the approval channel of a caller needs trust, its list of tools does not', async () => {
  const { taken, left } = await untrusted({ callers: { ci: { tools: ['learning.*'], approval: { ask: 'both' } } } })
  expect({ taken, left }).toEqual({ taken: { callers: { ci: { tools: ['learning.*'] } } }, left: ['callers.approval'] })
})

test('toolsets of servers that are left are not taken, and a list of these alone is left', async () => {
  const mcpServers = { files: { command: 'x' } }
  expect(await untrusted({ toolsets: ['learning', 'files'], mcpServers })).toEqual({
    taken: { toolsets: ['learning'] },
    left: ['mcpServers'],
  })
  expect(await untrusted({ toolsets: ['files'], mcpServers })).toEqual({ taken: {}, left: ['toolsets', 'mcpServers'] })
})

test('an untrusted server entry can only disable a server', async () => {
  const off = { a: { disabled: true }, b: { disabled: true, command: 'x' } } as const
  const taken = { mcpServers: { a: { disabled: true }, b: { disabled: true } } }
  expect(await untrusted({ mcpServers: off })).toEqual({ taken, left: [] })
  expect(await untrusted({ mcpServers: { ...off, c: { command: 'x' } } })).toEqual({ taken, left: ['mcpServers'] })
})

test('toolsets of folders that are left are not taken', async () => {
  const { taken, left } = await untrusted({ toolsets: ['learning', 'tools'], contracts: ['tools'] })
  expect({ taken, left }).toEqual({ taken: { toolsets: ['learning'] }, left: ['contracts'] })
})

test('settings with default values are neither applied nor reported', async () => {
  const nothing: ConfigSource = {
    $schema: 'x',
    ledger: {},
    policy: { askAll: false, readOnly: false, sandbox: 'auto', sandboxNetwork: false, allowHosts: [] },
    mcpServers: {},
    limits: {},
  }
  expect(await untrusted(nothing)).toEqual({ taken: { ledger: {}, policy: {} }, left: [] })
})

test('a key that comes later is left', () => {
  const later = { redact: ['A'], somethingNew: { runs: 'x' }, policy: { somethingNew: true } }
  expect(toUntrusted(later as never)).toEqual({
    taken: { redact: ['A'], policy: {} },
    left: ['somethingNew', 'policy.somethingNew'],
  })
})

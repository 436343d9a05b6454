import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import type { JsonSchema } from '../../contract/json.ts'
import { describeForeignKeys } from './apply-config.ts'
import { checkConfig, readConfig } from './config.ts'
import { configSchema } from './config-schema.ts'

const whole = {
  $schema: 'https://example.com/config.schema.json',
  workspace: 'project',
  toolsets: ['learning'],
  ledger: { fsync: 'all' },
  redact: ['MY_SECRET'],
  policy: { askAll: true, sandbox: 'off', allowHosts: ['intranet:8080'] },
  limits: {
    'learning.*': { timeoutMs: 1000 },
    'learning.hello': { calls: { count: 1, windowMs: 1000 }, concurrency: 1, inputBytes: 2, outputBytes: 2 },
  },
  callers: { ci: { tools: ['learning.hello', 'workspace.*', '*.read_*', '*'] }, '*': { tools: [] } },
  http: {
    host: '::1',
    port: 0,
    hosts: ['tools.example', 'tools.example:8443'],
    origins: ['https://app.example', 'vscode-webview://abc'],
    auth: { jwks: 'keys.json', issuer: 'https://issuer.example', audience: 'toolpact' },
  },
  model: { url: 'http://127.0.0.1:11434/v1', model: 'small', keyEnv: 'MODEL_KEY' },
  mcpServers: {
    files: { command: 'npx', args: ['-y', 'server'], env: { A: 'b' }, cwd: 'sub', type: 'stdio' },
    remote: { url: 'https://mcp.example/mcp', headers: { Authorization: 'Bearer x' }, type: 'http' },
    ours: {
      command: 'server',
      disabled: true,
      start: 'lazy',
      startupMs: 60_000,
      protocol: '2026-07-28',
      withoutOutputSchema: 'opaque',
      tools: ['read'],
      exclude: ['write'],
      risk: 'safe_write',
      approval: { read: 'never', write: 'ask' },
      limits: { timeoutMs: 1000 },
      overlays: { read: { output: { type: 'object' } } },
    },
  },
} as const

test('every key is taken, defaults are set, and relative paths start where the file is', async () => {
  const folder = makeFolder()
  const path = join(folder, 'any-name.json')
  writeFileSync(path, JSON.stringify(whole))
  const { config } = await readConfig(path)
  expect(config).toMatchObject({
    workspace: join(folder, 'project'),
    policy: { askAll: true, readOnly: false, sandboxNetwork: false },
    http: { auth: { jwks: join(folder, 'keys.json') } },
    model: { timeoutMs: 30_000 },
    mcpServers: { files: { cwd: join(folder, 'sub') } },
  })
  const remote = { ...whole.http.auth, jwks: 'https://issuer.example/keys' }
  expect((await checkConfig({ http: { auth: remote } }, 'x')).http?.auth).toMatchObject({ jwks: remote.jwks })
  const several = { http: { auth: [remote, { ...remote, name: 'corp', jwks: 'keys.json' }] } }
  const { http } = await checkConfig(several, 'x', '/etc/toolpact')
  expect(http?.auth).toMatchObject([{ jwks: remote.jwks }, { jwks: '/etc/toolpact/keys.json' }])
})

test('a config is frozen', async () => {
  const { policy, limits } = await checkConfig(whole, 'x')
  expect(() => Object.assign(policy!, { askAll: false })).toThrow(TypeError)
  expect(() => Object.assign(limits!['learning.hello']!.calls!, { count: 100 })).toThrow(TypeError)
})

test.each<[config: unknown, words: string[]]>([
  [{ polcy: true }, ['/polcy', 'Did you mean "policy"?']],
  [{ web: {}, 'web-fetch': {} }, ['/web', 'the former name of "web-fetch", and both are given']],
  [{ web: { robots: 1 } }, ['/web/robots']],
  [{ policy: { readonly: true } }, ['/policy/readonly', 'Did you mean "readOnly"?']],
  [
    { limits: { 'learning.hello': { timeoutMS: 1 } } },
    ['/limits/learning.hello/timeoutMS', 'Did you mean "timeoutMs"?'],
  ],
  [{ policy: { sandboxRead: ['data'] } }, ['/policy/sandboxRead/0', 'Write an absolute path such as /opt/data']],
  [{ ledger: { keep: '90 days' } }, ['/ledger/keep', 'such as 90d', '500MB']],
  [{ limits: { learning: {} } }, ['/limits/learning', 'Write a tool such as learning.hello']],
  [{ limits: { 'learning.h*': {} } }, ['/limits/learning.h*', 'learning.* for each tool']],
  [{ limits: { 'a.b': { timeoutMs: 0 } } }, ['/limits/a.b/timeoutMs', 'at least 1']],
  [{ limits: { 'a.b': { calls: { count: 1 } } } }, ['/limits/a.b/calls/windowMs', 'Add it.']],
  [{ callers: { ci: ['a.b'] } }, ['/callers/ci', 'must be an object']],
  [{ callers: { ci: {} } }, ['/callers/ci', 'at least 1 key']],
  [{ callers: { ci: { approval: { ask: 'nobody' } } } }, ['/callers/ci/approval/ask']],
  [{ callers: { ci: { tools: ['a/b'] } } }, ['/callers/ci/tools/0', '* matches any characters']],
  [{ toolsets: [] }, ['/toolsets']],
  [{ http: { port: 65_536 } }, ['/http/port']],
  [{ http: { origins: ['app.example'] } }, ['/http/origins/0']],
  [{ http: { auth: { jwks: 'keys.json', issuer: 'x' } } }, ['/http/auth/audience']],
  [{ model: { url: 'file:///x', model: 'x' } }, ['/model/url']],
  [{ model: { url: 'http://x', model: 'x', keyEnv: 'sk-123' } }, ['/model/keyEnv']],
  [{ mcpServers: { a: {} } }, ['/mcpServers/a', 'A server has a command or a url']],
  [{ mcpServers: { a: { command: 'x', url: 'http://x' } } }, ['/mcpServers/a', 'A server has a command or a url']],
  [{ mcpServers: { a: { comand: 'x' } } }, ['/mcpServers/a/comand', 'Did you mean "command"?']],
  [{ mcpServers: { a: { command: 'x', headers: {} } } }, ['/mcpServers/a/url', 'as "headers" is present']],
  [{ mcpServers: { a: { command: 'x', type: 'http' } } }, ['/mcpServers/a/url']],
  [{ mcpServers: { 'a.b': { command: 'x' } } }, ['/mcpServers/a.b', 'letters, digits, - and _']],
  [{ mcpServers: { a: { command: 'x', exlude: [] } } }, ['/mcpServers/a/exlude', 'Did you mean "exclude"?']],
  [
    { mcpServers: { a: { command: 'x', disabledTools: [] } } },
    ['/mcpServers/a/disabledTools', 'Write it as "exclude"'],
  ],
  [{ mcpServers: { a: { command: 'x', includeTools: [] } } }, ['/mcpServers/a/includeTools', 'Write it as "tools"']],
  [{ mcpServers: { a: { command: 'x', enabled: false } } }, ['/mcpServers/a/enabled', 'Write "disabled": true']],
  [{ mcpServers: { a: { httpUrl: 'https://x' } } }, ['/mcpServers/a/httpUrl', 'Write it as "url"']],
  [{ mcpServers: { a: { command: 'x', withoutOutputSchema: 'opaqe' } } }, ['Did you mean "opaque"?']],
  [{ mcpServers: { a: { command: 'x', overlays: { b: { output: 5 } } } } }, ['/mcpServers/a/overlays/b/output']],
  [{ mcpServers: { a: { command: 'x', risk: { read: 'none' } } } }, ['/mcpServers/a/risk', '"read_only"']],
])('%j is refused in one line that says where and what', async (config, words) => {
  const error: Error = await checkConfig(config as never, 'my.json').then(
    () => expect.unreachable(),
    (cause) => cause,
  )
  expect(error.name).toBe('ConfigError')
  expect(error.message).toMatch(/^The config my\.json is not valid: [^\n]*$/)
  for (const word of words) expect(error.message).toContain(word)
})

test('the entries of other clients can be pasted, and what has no effect is named', async () => {
  const pasted = {
    cline: { command: 'npx', args: ['server'], env: {}, disabled: false, autoApprove: ['read'], timeout: 60 },
    copilot: { type: 'http', url: 'https://mcp.example/mcp', tools: ['*'], oauth: { clientId: 'x' } },
    cursor: { command: 'npx', envFile: '.env', description: 'Files', version: '1.0.0' },
    claude: { type: 'stdio', command: 'npx', args: [], env: {} },
    opencode: { url: 'https://mcp.example/mcp', oauth: false },
  }
  const config = await checkConfig({ mcpServers: pasted } as never, 'x')
  expect(config.mcpServers?.copilot).not.toHaveProperty('tools')
  expect(describeForeignKeys(config)).toEqual([
    'mcpServers.cline: autoApprove, timeout have no effect here.',
    'mcpServers.copilot: oauth has no effect here. Toolpact does not support OAuth: set a token in "headers".',
    'mcpServers.cursor: envFile has no effect here. "envFile" is not read: put the variables that the server needs into "env".',
    'mcpServers.opencode: oauth has no effect here.',
  ])
})

test('a config that is wrong throughout still gets one short line', async () => {
  const config = Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`x${index}`, 1]))
  await expect(checkConfig(config as never, 'x')).rejects.toThrow(/There are 12 problems more\.$/)
})

test('an editor can show words for every key', () => {
  expect(findSilent(configSchema, '')).toEqual([])
})

/** Places of a schema that nothing describes. */
function findSilent(schema: object, place: string): string[] {
  const { description, properties = {}, additionalProperties, items } = schema as JsonSchema
  const parts: (readonly [string, unknown])[] = [
    ...Object.entries(properties).map(([name, part]) => [`${place}/${name}`, part] as const),
    [`${place}/*`, additionalProperties],
    [`${place}/0`, items],
  ]
  return [
    ...(description === undefined && !freeText.includes(place) ? [place] : []),
    ...parts.flatMap(([at, part]) => (typeof part === 'object' && part !== null ? findSilent(part, at) : [])),
  ]
}

/** A value is described by the object that contains it. */
const freeText = ['/mcpServers/*/args/0', '/mcpServers/*/env/*', '/mcpServers/*/headers/*']

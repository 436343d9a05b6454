// biome-ignore-all lint/suspicious/noTemplateCurlyInString: so variables are written in a config
import { sep } from 'node:path'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../contract/json.ts'
import { toServerEntry } from './server-entry.ts'

const context = {
  workspace: '/code',
  folder: '/code',
  home: '/home/ada',
  inputs: [],
  hasBareVariables: false,
  environment: { SET: '1' },
}
const take = (source: JsonObject) => toServerEntry(source, context)

test('what says nothing is left out', () => {
  expect(take({ type: 'stdio', command: 'npx', args: [], env: {}, disabled: false, tools: ['*'] })).toEqual({
    entry: { command: 'npx' },
    notes: [],
    problems: [],
  })
  expect(take({ type: 'http', url: 'https://x', headers: {}, description: 'y', version: '1.0.0' })).toEqual({
    entry: { url: 'https://x' },
    notes: [],
    problems: [],
  })
})

test.each<[source: JsonObject, entry: JsonObject]>([
  [{ httpUrl: 'https://x' }, { url: 'https://x' }],
  [
    { serverUrl: 'https://x', type: 'sse' },
    { url: 'https://x', type: 'sse' },
  ],
  [
    { url: 'https://x', transport: 'sse' },
    { url: 'https://x', type: 'sse' },
  ],
  [{ type: 'local', command: ['npx', '-y', 'x'], environment: { A: 1, B: true, C: null } }, { command: 'npx', args: ['-y', 'x'], env: { A: '1', B: 'true' } }], // biome-ignore format: one line
  [
    { command: 'x', enabled: false },
    { command: 'x', disabled: true },
  ],
  [{ command: 'x', enabled: true }, { command: 'x' }],
  [
    { command: 'x', disabledTools: ['rm'], includeTools: ['ls'] },
    { command: 'x', exclude: ['rm'], tools: ['ls'] },
  ],
  [{ command: 'x', withoutOutputSchema: 'refuse', approval: 'ask', start: 'lazy' }, { command: 'x', withoutOutputSchema: 'refuse', approval: 'ask', start: 'lazy' }], // biome-ignore format: one line
  [
    { command: 'x', tools: [] },
    { command: 'x', tools: [] },
  ],
])('%j is taken in our form, and nothing that it forbids is lost', (source, entry) => {
  expect(take(source)).toEqual({ entry, notes: [], problems: [] })
})

test('what trusts a server is for the operator to decide, and is not taken from a file that may be of a repository', () => {
  const source = { command: 'x', approval: 'never', risk: 'read_only', withoutOutputSchema: 'opaque', text: 'server' }
  const { entry, notes } = take(source)
  expect(entry).toEqual({ command: 'x' })
  expect(notes).toContain('approval is for you to decide, and is left out.')
  expect(notes).toHaveLength(4)
})

test('what has no effect is named, and what is not understood is a problem', () => {
  expect(take({ command: 'x', alwaysAllow: ['a'], timeout: 5, url2: 'y' })).toEqual({
    entry: { command: 'x' },
    notes: ['alwaysAllow, timeout have no effect here, and are left out.'],
    problems: ['url2 is not understood, and is left out: check whether it forbids or changes anything.'],
  })
  expect(take({ url: 'https://x', env: { A: 'b' } })).toEqual({
    entry: { url: 'https://x' },
    notes: ['env has no effect on a server that is reached by its url, and is left out.'],
    problems: [],
  })
})

test.each<[source: JsonObject, words: string]>([
  [{ command: 'x', type: 'ws' }, 'type "ws" is a transport that is not supported here.'],
  [{ command: 'x', envFile: '.env' }, 'envFile names variables in .env'],
  [{ url: 'https://x', oauth: { clientId: 'a' } }, 'oauth is a sign-in by OAuth'],
  [{ uses: 'org/block' }, 'uses names the block org/block'],
  [{ settings: {} }, 'settings belongs to an extension of the editor'],
  [{ command: 'x', sandboxEnabled: true }, 'sandboxEnabled is not understood'],
  [{ command: 'x', args: ['${command:pick}'] }, '${command:pick} is not understood'],
  [{ command: 'x', env_keys: ['KEY'] }, 'Its client keeps KEY: put it into the environment variable KEY.'],
  [{ command: 'x', env: { A: '${{ secrets.KEY }}' } }, 'Its client keeps KEY'],
])('%j is reported', (source, words) => {
  expect(take(source).problems).toEqual([expect.stringContaining(words)])
})

test.each<[source: JsonObject, entry: JsonObject]>([
  [
    { command: 'x', env: { A: 'b' }, env_vars: ['TOKEN', { name: 'OTHER', source: 'local' }], startup_timeout_sec: 20 },
    { command: 'x', env: { TOKEN: '${TOKEN}', OTHER: '${OTHER}', A: 'b' }, startupMs: 20_000 },
  ],
  [
    { url: 'https://x', bearer_token_env_var: 'T', env_http_headers: { B: 'BB' }, http_headers: { C: 'c' } },
    { url: 'https://x', headers: { Authorization: 'Bearer ${T}', B: '${BB}', C: 'c' } },
  ],
  [
    {
      command: 'x',
      enabled_tools: ['a'],
      disabled_tools: ['b'],
      tools: { a: { approval_mode: 'prompt' } },
      required: true,
    },
    { command: 'x', tools: ['a'], exclude: ['b'], approval: { a: 'ask' } },
  ],
  [
    { cmd: 'x', args: ['y'], envs: { A: 'b' }, env_keys: ['SET'], available_tools: [], type: 'stdio', bundled: null },
    { command: 'x', args: ['y'], env: { SET: '${SET}', A: 'b' } },
  ],
  [
    { type: 'streamable_http', uri: 'https://x', available_tools: ['a'] },
    { url: 'https://x', tools: ['a'] },
  ],
  [
    {
      type: 'streamable-http',
      url: 'https://x',
      apiKey: 'k',
      requestOptions: { headers: { Authorization: 'Bearer z' } },
    },
    { url: 'https://x', headers: { Authorization: 'Bearer k' } },
  ],
  [{ command: { path: 'x', args: ['y'], env: { A: 'b' } }, source: 'custom' }, { command: 'x', args: ['y'], env: { A: 'b' } }], // biome-ignore format: one line
])('%j is translated', (source, entry) => {
  expect(take(source)).toMatchObject({ entry, problems: [] })
  expect(take(source).entry).toEqual(entry)
})

test('variables of editors are filled in, or become those of the environment', () => {
  const { entry, notes, problems } = take({
    command: '${userHome}/bin/${workspaceFolderBasename}',
    args: ['${workspaceFolder}/a', 'b${/}c', '${HOME}', '${KEY:-none}', '${config:x.y}', '$PLAIN'],
    env: { A: '${env:TOKEN}', B: 'x ${input:api-key 2}', C: '${input:set}' },
  })
  expect(entry).toEqual({
    command: '/home/ada/bin/code',
    args: ['/code/a', `b${sep}c`, '${HOME}', '${KEY:-none}', '${config:x.y}', '$PLAIN'],
    env: { A: '${TOKEN}', B: 'x ${API_KEY_2}', C: '${SET}' },
  })
  expect(notes).toEqual(['The editor asks for set: put it into the environment variable SET.'])
  expect(problems).toEqual([
    '${config:x.y} is not understood: write its value in its place.',
    'The editor asks for api-key 2: put it into the environment variable API_KEY_2.',
  ])
})

test('defaults of inputs are used, but not for passwords', () => {
  const inputs: JsonObject[] = [
    { id: 'region', type: 'promptString', default: 'eu' },
    { id: 'key', type: 'promptString', default: 'x', password: true },
  ]
  const { entry, problems } = toServerEntry({ command: 'x', args: ['${input:region}', '${input:key}'] }, { ...context, inputs }) // biome-ignore format: one line
  expect(entry.args).toEqual(['eu', '${KEY}'])
  expect(problems).toHaveLength(1)
})

test('where the client has bare variables, they become ours', () => {
  const { entry } = toServerEntry(
    { command: '$BIN/x', env: { A: '$A_KEY and ${B}' } },
    { ...context, hasBareVariables: true },
  )
  expect(entry).toEqual({ command: '${BIN}/x', env: { A: '${A_KEY} and ${B}' } })
})

test('a folder is meant from where the other client was', () => {
  expect(take({ command: 'x', cwd: 'sub' }).entry.cwd).toBe('sub')
  expect(toServerEntry({ command: 'x', cwd: 'sub' }, { ...context, folder: '/etc' }).entry.cwd).toBe(
    `${sep}code${sep}sub`,
  )
})

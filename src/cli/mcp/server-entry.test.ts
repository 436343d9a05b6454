// biome-ignore-all lint/suspicious/noTemplateCurlyInString: so variables are written in a config
import { sep } from 'node:path'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../contract/json.ts'
import { toServerEntry } from './server-entry.ts'

const context = { workspace: '/code', folder: '/code', home: '/home/ada' }
const take = (source: JsonObject) => toServerEntry(source, context)

test('what says nothing is left out', () => {
  expect(take({ type: 'stdio', command: 'npx', args: [], env: {}, disabled: false, tools: ['*'] })).toEqual({
    entry: { command: 'npx' },
    notes: [],
  })
  expect(take({ type: 'http', url: 'https://x', headers: {}, description: 'y', version: '1.0.0' })).toEqual({
    entry: { url: 'https://x' },
    notes: [],
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
  [{ command: 'x', withoutOutputSchema: 'opaque', start: 'lazy' }, { command: 'x', withoutOutputSchema: 'opaque', start: 'lazy' }], // biome-ignore format: one line
  [
    { command: 'x', tools: [] },
    { command: 'x', tools: [] },
  ],
])('%j is taken in our form, and nothing that it forbids is lost', (source, entry) => {
  expect(take(source)).toEqual({ entry, notes: [] })
})

test('what has no effect is named', () => {
  expect(take({ command: 'x', alwaysAllow: ['a'], timeout: 5, url2: 'y' }).notes).toEqual([
    'alwaysAllow, timeout, url2 have no effect here, and are left out.',
  ])
  expect(take({ url: 'https://x', env: { A: 'b' } })).toEqual({
    entry: { url: 'https://x' },
    notes: ['env has no effect on a server that is reached by its url, and is left out.'],
  })
})

test('variables of editors are filled in, or become those of the environment', () => {
  const { entry, notes } = take({
    command: '${userHome}/bin/${workspaceFolderBasename}',
    args: ['${workspaceFolder}/a', 'b${/}c', '${HOME}', '${KEY:-none}', '${config:x.y}'],
    env: { A: '${env:TOKEN}', B: 'x ${input:api-key 2}' },
  })
  expect(entry).toEqual({
    command: '/home/ada/bin/code',
    args: ['/code/a', `b${sep}c`, '${HOME}', '${KEY:-none}', '${config:x.y}'],
    env: { A: '${TOKEN}', B: 'x ${API_KEY_2}' },
  })
  expect(notes).toEqual([
    '${config:x.y} is not known here: write in its place what it stands for.',
    'The editor asks for api-key 2: put it into the environment variable API_KEY_2.',
  ])
})

test('a folder is meant from where the other client was', () => {
  expect(take({ command: 'x', cwd: 'sub' }).entry.cwd).toBe('sub')
  expect(toServerEntry({ command: 'x', cwd: 'sub' }, { ...context, folder: '/etc' }).entry.cwd).toBe(
    `${sep}code${sep}sub`,
  )
})

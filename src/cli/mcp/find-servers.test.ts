import { expect, test } from 'vitest'
import type { JsonValue } from '../../contract/json.ts'
import { findServers } from './find-servers.ts'

const a = { a: { command: 'x' } }

test.each<[form: string, JsonValue]>([
  ['that most clients use', { mcpServers: a }],
  ['of VS Code', { inputs: [], servers: a }],
  ['of the settings of VS Code', { 'editor.fontSize': 12, mcp: { servers: a } }],
  ['of settings with dots', { 'mcp.servers': a }],
  ['of Claude Code for a folder', { projects: { '/work': { mcpServers: a }, '/other': { mcpServers: {} } } }],
  ['without any key around', a],
  ['of Codex', { model: 'x', mcp_servers: a }],
  ['of Zed', { theme: 'x', context_servers: a }],
  ['of Continue', { mcpServers: [{ name: 'a', command: 'x' }] }],
])('servers are found in the form %s', (_, value) => {
  expect(findServers(value, '/work')).toMatchObject(a)
})

test('those of the folder go before those that hold everywhere', () => {
  const value = {
    mcpServers: { ...a, b: { command: 'y' } },
    projects: { '/work': { mcpServers: { a: { command: 'z' } } } },
  }
  expect(findServers(value, '/work')).toEqual({ a: { command: 'z' }, b: { command: 'y' } })
})

test.each<JsonValue>([[], null, 'x', {}, { a: 1 }, { theme: { command: 'x' }, b: 1 }, { mcpServers: [] }])(
  '%j contains no servers',
  (value) => {
    expect(findServers(value, '/work')).toBeUndefined()
  },
)

import { expect, test } from 'vitest'
import { EditError, readServer, removeServer, type ServerPlace, setServer } from './edit-client-file.ts'

const json: ServerPlace = { format: 'json', key: ['mcpServers'], name: 'toolpact' }
const toml: ServerPlace = { format: 'toml', key: ['mcp_servers'], name: 'toolpact' }
const map: ServerPlace = { format: 'yaml', key: ['extensions'], name: 'toolpact' }
const list: ServerPlace = { format: 'yaml', key: ['mcpServers'], name: 'toolpact', isList: true }
const entry = { command: 'node', args: ['a b', '--x="y"'] }

test.each<[about: string, place: ServerPlace, text: string]>([
  [
    'JSON with comments',
    json,
    '// mine\n{\n  "a": 1, // one\n  "mcpServers": {\n    "x": { "command": "y" }, // why\n    // "old": {}\n  },\n}\n',
  ],
  ['JSON whose servers are empty but for a comment', json, '{\n  "mcpServers": {\n    // none yet\n  }\n}\n'],
  ['JSON without servers', json, '{\n\t"theme": "dark" /* x */\n}'],
  ['JSON on one line', json, '{"mcpServers":{"x":{"command":"y"}}}'],
  [
    'JSON with a byte order mark and Windows line ends',
    json,
    '\ufeff{\r\n  "mcpServers": {\r\n    "x": {}\r\n  }\r\n}\r\n',
  ],
  [
    'TOML',
    toml,
    'model = "x" # why\n\n[mcp_servers.other]\ncommand = "y"\n\n# about the next one\n[tui]\nnotifications = true\n',
  ],
  ['TOML without a line end', toml, 'model = "x"'],
  ['TOML with a header inside a string', toml, 'a = """\n[mcp_servers.toolpact]\n"""\n'],
  [
    'a YAML map',
    map,
    '# mine\nextensions:\n  developer: # why\n    enabled: true\n    type: builtin\n\n# after\nGOOSE_MODEL: x\n',
  ],
  ['a YAML map at the end', map, 'GOOSE_MODEL: x\nextensions:\n    developer:\n        enabled: true'],
  ['YAML without servers', map, 'GOOSE_MODEL: x # why\n'],
  ['a YAML list', list, 'name: a\nmcpServers:\n- name: x # why\n  command: y\n# after\nmodels: []\n'],
  ['an empty YAML list', list, '# mine\nname: a\nmcpServers: []\n'],
  ['YAML with an empty key', list, '# mine\nname: a\nmcpServers:\n'],
])('a server is written into %s and removed, and comments stay', async (_, place, text) => {
  const comments = (content: string) => content.match(/(?:\/\/|#|\/\*) ?[a-z"].*/g) ?? []
  const written = await setServer(text, place, entry)
  expect(await readServer(written, place)).toEqual(entry)
  expect(comments(written)).toEqual(comments(text))
  const changed = await setServer(written, place, { command: 'other-command' })
  expect(await readServer(changed, place)).toEqual({ command: 'other-command' })
  expect(comments(changed)).toEqual(comments(text))
  expect(await setServer(changed, place, entry)).toBe(written)
  const removed = await removeServer(changed, place)
  expect(await readServer(removed, place)).toBeUndefined()
  expect(comments(removed)).toEqual(comments(text))
  expect(removed).not.toContain('other-command')
})

test.each([json, toml, map, list])('a file that does not exist yet is made with %j', async (place) => {
  const written = await setServer(undefined, place, entry)
  expect(await readServer(written, place)).toEqual(entry)
  expect(await setServer('  \n', place, entry)).toBe(written)
  expect(await readServer(await removeServer(written, place), place)).toBeUndefined()
})

test('lines of the others keep their place', async () => {
  const text =
    'model = "x"\n\n[mcp_servers.toolpact]\ncommand = "old"\n\n[mcp_servers.toolpact.env]\nA = "b"\n\n# next\n[tui]\nx = 1\n'
  expect(await setServer(text, toml, { command: 'new' })).toBe(
    'model = "x"\n\n[mcp_servers.toolpact]\ncommand = "new"\n\n# next\n[tui]\nx = 1\n',
  )
  expect(await removeServer(text, toml)).toBe('model = "x"\n\n# next\n[tui]\nx = 1\n')
  expect(await setServer('a:\n  - 1\nextensions:\n  x:\n    cmd: y\nb: 2\n', map, { cmd: 'z' })).toBe(
    'a:\n  - 1\nextensions:\n  x:\n    cmd: y\n  toolpact:\n    cmd: z\nb: 2\n',
  )
})

test.each<[text: string, place: ServerPlace, words: string]>([
  ['{ "a": ', json, 'is not valid JSON'],
  ['a = ', toml, 'is not valid TOML'],
  ['a: [', map, 'is not valid YAML'],
  ['[1]', json, 'does not contain what was expected'],
  ['{"mcpServers":[]}', json, 'does not contain what was expected'],
  ['mcp_servers = { a = { command = "x" } }', toml, 'is not valid TOML'],
])('%j is refused, and says why', async (text, place, words) => {
  await expect(setServer(text, place, entry)).rejects.toThrow(EditError)
  await expect(setServer(text, place, entry)).rejects.toThrow(words)
})

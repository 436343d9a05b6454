import { expect, test } from 'vitest'
import { readPasted } from './read-pasted.ts'

const read = async (text: string, name?: string) => (await readPasted({ text, name }, '/w')).servers

test.each([
  ['npx -y @ada/server-files@1.2.3 .', 'server-files', ['npx', '-y', '@ada/server-files@1.2.3', '.']],
  [
    'uvx mcp-server-git@2025.1 --repo "my code"',
    'mcp-server-git',
    ['uvx', 'mcp-server-git@2025.1', '--repo', 'my code'],
  ],
  ["/opt/bin/notes 'it'\\''s' a\\ b \"say \\\"hi\\\"\"", 'notes', ['/opt/bin/notes', "it's", 'a b', 'say "hi"']],
  ['node "" $HOME/server.mjs', 'server', ['node', '', '$HOME/server.mjs']],
])('%s is a command', async (text, name, [command, ...args]) => {
  expect(await read(text)).toEqual({ [name]: { command, args, env: {} } })
})

test('variables before a command are its environment, and a name can be given', async () => {
  expect(await read('A=1 B="x y" notes', 'mine')).toEqual({ mine: { command: 'notes', args: [], env: { A: '1', B: 'x y' } } }) // biome-ignore format: one line
  expect(await read('{ "mcpServers": { "a": { "url": "https://x.test" }, } } // pasted', 'b')).toEqual({ b: { url: 'https://x.test' } }) // biome-ignore format: one line
})

test('a URL is named by its host', async () => {
  expect(await read('https://mcp.notes.example/mcp?x=1')).toEqual({
    notes: { url: 'https://mcp.notes.example/mcp?x=1' },
  })
})

test.each([
  ['notes | sh', undefined, "contains '|', which needs a shell"],
  ['notes $(date)', undefined, "contains '$(', which needs a shell"],
  ['notes `date`', undefined, "contains '`', which needs a shell"],
  ["notes 'open", undefined, `contains ''', which needs a shell`],
  ['A=1', undefined, 'no command'],
  ['{ "a": }', undefined, 'not valid JSON'],
  ['{ "a": 1 }', undefined, 'no servers'],
  ['notes', '1 2', 'cannot be named'],
  ['{ "a": { "command": "a" }, "b": { "command": "b" } }', 'c', '2 servers'],
])('%s as %s is refused', async (text, name, words) => {
  await expect(read(text, name)).rejects.toThrow(words)
})

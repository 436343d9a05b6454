import { agents } from './agents.ts'
import { type Client, joinOn } from './client.ts'
import { editors } from './editors.ts'

/** Every client that is known by name. The order is that of the start page. */
export const clients: readonly Client[] = [
  ...agents,
  ...editors,
  {
    id: 'docker',
    title: 'Docker MCP Toolkit',
    format: 'yaml',
    files: (places) => [
      { about: 'Docker', path: joinOn(places, places.home, '.docker', 'mcp', 'registry.yaml'), scope: 'user' },
    ],
  },
]

/** The clients of a name: `claude` is both Claude Code and Claude Desktop, the first of them first. */
export function findClients(name: string): readonly Client[] {
  const exact = clients.filter(({ id }) => id === name)
  return exact.length > 0 ? exact : clients.filter(({ aliases = [] }) => aliases.includes(name))
}

/** Those into which Toolpact can be written. */
export const connectable: readonly Client[] = clients.filter(({ toStdio }) => toStdio)

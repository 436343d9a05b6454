import { agents } from './agents.ts'
import { type Client, joinOn } from './client.ts'
import { editors } from './editors.ts'

/** Every known client, in the order of the start page. */
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

/** The clients with this name: `claude` means Claude Code, then Claude Desktop. */
export function findClients(name: string): readonly Client[] {
  const exact = clients.filter(({ id }) => id === name)
  return exact.length > 0 ? exact : clients.filter(({ aliases = [] }) => aliases.includes(name))
}

/** Clients that `connect` can configure. */
export const connectable: readonly Client[] = clients.filter(({ toStdio }) => toStdio)

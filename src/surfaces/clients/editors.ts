import { type Client, editions, joinOn, toCommand, toConfigHome, toExtensionFiles, toHeaders, toSettingsFolder } from './client.ts' // biome-ignore format: one line

/** Graphical clients. They may start a server in any folder, without a shell's environment. */
export const editors: readonly Client[] = [
  {
    id: 'claude-desktop',
    aliases: ['claude'],
    title: 'Claude Desktop',
    format: 'json',
    files: (places) => [
      { about: 'Claude Desktop', path: joinOn(places, toSettingsFolder(places), 'Claude', 'claude_desktop_config.json'), scope: 'user', key: ['mcpServers'], startsElsewhere: true }, // biome-ignore format: one line
    ],
    toStdio: toCommand,
    toNotes: () => ['Quit Claude Desktop and open it again: it reads the file when it starts.'],
  },
  {
    id: 'cursor',
    title: 'Cursor',
    format: 'json',
    files: (places) => [
      { about: 'Cursor, this folder', path: joinOn(places, places.workspace, '.cursor', 'mcp.json'), scope: 'project', key: ['mcpServers'], startsElsewhere: true }, // biome-ignore format: one line
      { about: 'Cursor', path: joinOn(places, places.home, '.cursor', 'mcp.json'), scope: 'user', key: ['mcpServers'], startsElsewhere: true }, // biome-ignore format: one line
    ],
    toStdio: (server) => ({ type: 'stdio', ...toCommand(server) }),
    toHttp: (server) => ({ url: server.url, ...toHeaders(server) }),
    toReference: toEnvReference,
  },
  {
    id: 'vscode',
    aliases: ['code'],
    title: 'VS Code',
    format: 'json',
    files: (places) => [
      { about: 'VS Code, this folder', path: joinOn(places, places.workspace, '.vscode', 'mcp.json'), scope: 'project', key: ['servers'] }, // biome-ignore format: one line
      { about: 'VS Code, settings of this folder', path: joinOn(places, places.workspace, '.vscode', 'settings.json'), scope: 'project' }, // biome-ignore format: one line
      ...editions.flatMap((edition) => {
        const folder = joinOn(places, toSettingsFolder(places), edition, 'User')
        return [
          {
            about: `VS ${edition}`,
            path: joinOn(places, folder, 'mcp.json'),
            scope: 'user' as const,
            key: ['servers'],
          },
          { about: `VS ${edition}, settings`, path: joinOn(places, folder, 'settings.json'), scope: 'user' as const },
        ]
      }),
    ],
    toStdio: (server) => ({ type: 'stdio', ...toCommand(server) }),
    toHttp: (server) => ({ type: 'http', url: server.url, ...toHeaders(server) }),
    toReference: toEnvReference,
  },
  {
    id: 'windsurf',
    title: 'Windsurf',
    format: 'json',
    files: (places) => [
      { about: 'Windsurf', path: joinOn(places, places.home, '.codeium', 'windsurf', 'mcp_config.json'), scope: 'user', key: ['mcpServers'], startsElsewhere: true }, // biome-ignore format: one line
    ],
    toStdio: toCommand,
    toHttp: (server) => ({ serverUrl: server.url, ...toHeaders(server) }),
    toReference: toEnvReference,
  },
  {
    id: 'zed',
    title: 'Zed',
    format: 'json',
    files: (places) => {
      const folder = places.platform === 'win32' ? joinOn(places, toSettingsFolder(places), 'Zed') : joinOn(places, toConfigHome(places), 'zed') // biome-ignore format: one line
      return [
        { about: 'Zed, this folder', path: joinOn(places, places.workspace, '.zed', 'settings.json'), scope: 'project', key: ['context_servers'], startsElsewhere: true }, // biome-ignore format: one line
        { about: 'Zed', path: joinOn(places, folder, 'settings.json'), scope: 'user', key: ['context_servers'], startsElsewhere: true }, // biome-ignore format: one line
      ]
    },
    toStdio: toCommand,
    toHttp: (server) => ({ url: server.url, ...toHeaders(server) }),
  },
  {
    id: 'roo',
    title: 'Roo Code',
    format: 'json',
    files: (places) => [
      { about: 'Roo Code, this folder', path: joinOn(places, places.workspace, '.roo', 'mcp.json'), scope: 'project', key: ['mcpServers'], startsElsewhere: true }, // biome-ignore format: one line
      ...toExtensionFiles(places, 'Roo Code', ['rooveterinaryinc.roo-cline', 'settings', 'mcp_settings.json']),
    ],
    toStdio: (server) => ({ type: 'stdio', ...toCommand(server), timeout: 600 }),
    toHttp: (server) => ({ type: 'streamable-http', url: server.url, ...toHeaders(server), timeout: 600 }),
    toReference: toEnvReference,
  },
]

function toEnvReference(variable: string): string {
  return `\${env:${variable}}`
}

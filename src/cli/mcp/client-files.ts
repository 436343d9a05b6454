import { posix, win32 } from 'node:path'

export interface ClientPlaces {
  readonly platform: NodeJS.Platform
  readonly home: string
  readonly workspace: string
  readonly environment: { readonly [name: string]: string | undefined }
}

/** Where a client keeps its servers. */
export interface ClientFile {
  readonly about: string
  readonly path: string
}

export const clients = ['claude', 'cursor', 'vscode'] as const

export type Client = (typeof clients)[number]

/** The files of a client, those of the workspace first: what they say goes before what holds everywhere. */
export function listClientFiles(client: Client, places: ClientPlaces): ClientFile[] {
  const { home, workspace, platform } = places
  const { join } = platform === 'win32' ? win32 : posix
  const settings = toSettingsFolder(places)
  switch (client) {
    case 'claude':
      return [
        { about: 'Claude Code, this folder', path: join(workspace, '.mcp.json') },
        { about: 'Claude Code', path: join(home, '.claude.json') },
        { about: 'Claude Desktop', path: join(settings, 'Claude', 'claude_desktop_config.json') },
      ]
    case 'cursor':
      return [
        { about: 'Cursor, this folder', path: join(workspace, '.cursor', 'mcp.json') },
        { about: 'Cursor', path: join(home, '.cursor', 'mcp.json') },
      ]
    case 'vscode':
      return [
        { about: 'VS Code, this folder', path: join(workspace, '.vscode', 'mcp.json') },
        { about: 'VS Code, settings of this folder', path: join(workspace, '.vscode', 'settings.json') },
        ...['Code', 'Code - Insiders'].flatMap((edition) => [
          { about: `VS ${edition}`, path: join(settings, edition, 'User', 'mcp.json') },
          { about: `VS ${edition}, settings`, path: join(settings, edition, 'User', 'settings.json') },
        ]),
      ]
  }
}

/** Where programs keep what a user has set. */
function toSettingsFolder({ platform, home, environment }: ClientPlaces): string {
  if (platform === 'win32') return environment.APPDATA ?? win32.join(home, 'AppData', 'Roaming')
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support')
  return environment.XDG_CONFIG_HOME || posix.join(home, '.config')
}

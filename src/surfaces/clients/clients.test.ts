import { expect, test } from 'vitest'
import type { Places } from './client.ts'
import { clients, findClients } from './clients.ts'

const listClientFiles = (name: string, places: Places) => findClients(name).flatMap((client) => client.files(places))

const places = { home: '/home/ada', workspace: '/code', environment: {} }

test('files of the workspace come before those of the user', () => {
  const paths = listClientFiles('claude', { ...places, platform: 'linux' }).map(({ path }) => path)
  expect(paths).toEqual([
    '/code/.mcp.json',
    '/home/ada/.claude.json',
    '/code/.claude/settings.local.json',
    '/code/.claude/settings.json',
    '/home/ada/.claude/settings.json',
    '/home/ada/.config/Claude/claude_desktop_config.json',
  ])
  expect(listClientFiles('cursor', { ...places, platform: 'linux' }).map(({ path }) => path)).toEqual([
    '/code/.cursor/mcp.json',
    '/home/ada/.cursor/mcp.json',
  ])
})

test('each system keeps what a user has set elsewhere', () => {
  const last = (more: Partial<Places>) =>
    listClientFiles('claude', { ...places, platform: 'linux', ...more }).at(-1)!.path
  expect(last({ platform: 'darwin', home: '/Users/ada' })).toBe(
    '/Users/ada/Library/Application Support/Claude/claude_desktop_config.json',
  )
  expect(last({ platform: 'win32', home: 'C:\\Users\\ada' })).toBe(
    'C:\\Users\\ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
  )
  expect(last({ platform: 'win32', environment: { APPDATA: 'D:\\data' } })).toBe(
    'D:\\data\\Claude\\claude_desktop_config.json',
  )
  expect(last({ environment: { XDG_CONFIG_HOME: '/conf' } })).toBe('/conf/Claude/claude_desktop_config.json')
})

test('VS Code has files of its own and settings, in each of its editions', () => {
  const paths = listClientFiles('vscode', { ...places, platform: 'linux' }).map(({ path }) => path)
  expect(paths).toEqual([
    '/code/.vscode/mcp.json',
    '/code/.vscode/settings.json',
    '/home/ada/.config/Code/User/mcp.json',
    '/home/ada/.config/Code/User/settings.json',
    '/home/ada/.config/Code - Insiders/User/mcp.json',
    '/home/ada/.config/Code - Insiders/User/settings.json',
    '/home/ada/.config/VSCodium/User/mcp.json',
    '/home/ada/.config/VSCodium/User/settings.json',
  ])
})

test('every client has a name of its own, and files whose paths are absolute on every system', () => {
  const names = clients.map(({ id }) => id)
  expect(new Set(names).size).toBe(names.length)
  expect(findClients('claude').map(({ id }) => id)).toEqual(['claude-code', 'claude-desktop'])
  expect(findClients('nothing')).toEqual([])
  for (const [platform, home, root] of [
    ['linux', '/home/ada', '/'],
    ['darwin', '/Users/ada', '/'],
    ['win32', 'C:\\Users\\ada', 'C:\\'],
  ] as const)
    for (const client of clients)
      for (const { path } of client.files({ platform, home, workspace: home, environment: {} }))
        expect(path.startsWith(root), path).toBe(true)
})

test('the token of Codex is named by its variable or written as a header, never both', () => {
  const toHttp = findClients('codex').find((client) => client.toHttp)!.toHttp!
  const server = { url: 'http://127.0.0.1:8080/mcp', authorization: 'Bearer t' }
  expect(toHttp({ ...server, tokenVariable: 'TOKEN' } as never)).toMatchObject({ bearer_token_env_var: 'TOKEN' })
  expect(toHttp({ ...server, tokenVariable: 'TOKEN' } as never)).not.toHaveProperty('http_headers')
  expect(toHttp(server as never)).toMatchObject({ http_headers: { Authorization: 'Bearer t' } })
  expect(toHttp({ url: server.url } as never)).not.toHaveProperty('http_headers')
})

import { posix, win32 } from 'node:path'
import type { JsonObject } from '../../contract/json.ts'

/** Base folders of this user's configuration files. */
export interface Places {
  readonly platform: NodeJS.Platform
  readonly home: string
  readonly workspace: string
  readonly environment: { readonly [name: string]: string | undefined }
}

export type Scope = 'user' | 'project'

export type Format = 'json' | 'toml' | 'yaml'

/** A config file with MCP servers. */
export interface ClientFile {
  readonly about: string
  readonly path: string
  readonly scope: Scope
  /** The key path of the servers; absent if only `mcp import` can read the file. */
  readonly key?: readonly string[]
  /** A folder whose files may contain servers. */
  readonly isFolder?: true
  /** Servers are not started in the open folder, so the config must name the workspace. */
  readonly startsElsewhere?: true
}

/** How a client starts Toolpact. */
export interface StdioServer {
  readonly command: string
  readonly args: readonly string[]
  /** Environment variables with values. */
  readonly env: { readonly [name: string]: string }
  /** Names of inherited variables, for clients that do not pass on their environment. */
  readonly passed: readonly string[]
}

/** How a client reaches Toolpact over HTTP. */
export interface HttpServer {
  readonly url: string
  /** The value of the header; undefined if no token is needed. */
  readonly authorization: string | undefined
  /** The environment variable with the token, if the config does not contain it. */
  readonly tokenVariable?: string | undefined
}

interface Connection {
  readonly scope: Scope
  readonly transport: 'stdio' | 'http'
}

/** An MCP client: where its servers are configured, and the format of an entry. */
export interface Client {
  readonly id: string
  readonly aliases?: readonly string[]
  readonly title: string
  readonly format: Format
  /** Servers are a list whose items have a `name`. */
  readonly isList?: true
  /** Project files come first: they override user files. */
  readonly files: (places: Places) => readonly ClientFile[]
  readonly toStdio?: (server: StdioServer) => JsonObject
  readonly toHttp?: (server: HttpServer) => JsonObject
  /** The syntax for environment variables in its config. */
  readonly toReference?: (variable: string) => string
  /** Its config also expands `$NAME` without braces. */
  readonly hasBareVariables?: true
  /** Settings that stop the client from asking before each call, so that only Toolpact asks. */
  readonly ownApproval?: { readonly entry: JsonObject; readonly about: string }
  /** Further content of a new config file. */
  readonly newFile?: JsonObject
  /** A command line that connects it over HTTP. */
  readonly toCommand?: (name: string, server: HttpServer) => readonly string[]
  /** A note for the user after connecting. */
  readonly toNotes?: (how: Connection) => readonly string[]
}

export function joinOn({ platform }: Pick<Places, 'platform'>, ...parts: readonly string[]): string {
  return (platform === 'win32' ? win32 : posix).join(...parts)
}

/** The folder of per-user settings: `~/.config`, `~/Library/Application Support` or `%APPDATA%`. */
export function toSettingsFolder(places: Places): string {
  const { platform, home, environment } = places
  if (platform === 'win32') return environment.APPDATA || win32.join(home, 'AppData', 'Roaming')
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support')
  return toConfigHome(places)
}

/** `~/.config` on every system, for programs that follow XDG everywhere. */
export function toConfigHome(places: Places): string {
  return places.environment.XDG_CONFIG_HOME || joinOn(places, places.home, '.config')
}

export function toHeaders({ authorization }: HttpServer): { readonly headers?: JsonObject } {
  return authorization === undefined ? {} : { headers: { Authorization: authorization } }
}

/** `command`, `args` and `env` as most clients write them. */
export function toCommand({ command, args, env }: StdioServer): JsonObject {
  return { command, args: [...args], ...(Object.keys(env).length > 0 && { env: { ...env } }) }
}

/** Settings files of an extension in VS Code and its forks. */
export function toExtensionFiles(places: Places, title: string, path: readonly string[]): ClientFile[] {
  return editions.map((edition) => ({
    about: `${title} in VS ${edition}`,
    path: joinOn(places, toSettingsFolder(places), edition, 'User', 'globalStorage', ...path),
    scope: 'user',
    key: ['mcpServers'],
    startsElsewhere: true,
  }))
}

/** Settings folders of VS Code and its forks. */
export const editions = ['Code', 'Code - Insiders', 'VSCodium'] as const

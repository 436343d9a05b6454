import { posix, win32 } from 'node:path'
import type { JsonObject } from '../../contract/json.ts'

/** Where this user's programs keep their files. */
export interface Places {
  readonly platform: NodeJS.Platform
  readonly home: string
  readonly workspace: string
  readonly environment: { readonly [name: string]: string | undefined }
}

export type Scope = 'user' | 'project'

export type Format = 'json' | 'toml' | 'yaml'

/** A file in which a client keeps MCP servers. */
export interface ClientFile {
  readonly about: string
  readonly path: string
  readonly scope: Scope
  /** Where its servers are within the file; absent where only `mcp import` knows how to read it. */
  readonly key?: readonly string[]
  /** A folder, each file of which may have servers. */
  readonly isFolder?: true
  /** Its servers are not started in the folder that is open, so the workspace must be written down. */
  readonly startsElsewhere?: true
}

/** Toolpact as a client starts it. */
export interface StdioServer {
  readonly command: string
  readonly args: readonly string[]
  /** Variables with these values. */
  readonly env: { readonly [name: string]: string }
  /** Variables of the client's own environment, for clients that do not pass it on. */
  readonly passed: readonly string[]
}

/** Toolpact as a client reaches it. */
export interface HttpServer {
  readonly url: string
  /** The value of the header; undefined where no token is needed. */
  readonly authorization: string | undefined
  /** The environment variable that the header takes the token from, if it is not written down. */
  readonly tokenVariable?: string | undefined
}

interface Connection {
  readonly scope: Scope
  readonly transport: 'stdio' | 'http'
}

/** An MCP client: where it keeps servers, and how Toolpact is written there. */
export interface Client {
  readonly id: string
  readonly aliases?: readonly string[]
  readonly title: string
  readonly format: Format
  /** Servers are a list whose items have a `name`. */
  readonly isList?: true
  /** Project files come first: they override those of the user. */
  readonly files: (places: Places) => readonly ClientFile[]
  readonly toStdio?: (server: StdioServer) => JsonObject
  readonly toHttp?: (server: HttpServer) => JsonObject
  /** How a value of its config refers to an environment variable. */
  readonly toReference?: (variable: string) => string
  /** In its config `$NAME` is a variable, without braces too. */
  readonly hasBareVariables?: true
  /** What keeps the client from asking before each call, so that Toolpact alone asks. */
  readonly ownApproval?: { readonly entry: JsonObject; readonly about: string }
  /** What else a new config file of this client must contain. */
  readonly newFile?: JsonObject
  /** A command line that connects it over HTTP. */
  readonly toCommand?: (name: string, server: HttpServer) => readonly string[]
  /** What a person should know after connecting. */
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

/** The files of VS Code and its kin in which an extension keeps its own settings. */
export function toExtensionFiles(places: Places, title: string, path: readonly string[]): ClientFile[] {
  return editions.map((edition) => ({
    about: `${title} in VS ${edition}`,
    path: joinOn(places, toSettingsFolder(places), edition, 'User', 'globalStorage', ...path),
    scope: 'user',
    key: ['mcpServers'],
    startsElsewhere: true,
  }))
}

/** Folders of VS Code's settings. */
export const editions = ['Code', 'Code - Insiders', 'VSCodium'] as const

import type { JsonObject } from '../../contract/json.ts'
import type { Config, ParsedConfig } from './config.ts'
import { mergeOwn } from './own-config.ts'

/**
 * Which file: `everywhere` contains the servers of every folder, `folder` the operator's own settings for this folder;
 * `project` is the toolpact.json of the workspace, `named` a file that the operator names.
 */
export type ConfigScope = 'everywhere' | 'folder' | 'project' | 'named'

/** The merged view of the files that make up a config. */
export interface SeenConfig {
  /** Own settings override those of the workspace, and both override the servers of every folder. */
  readonly config: Config
  /** As written in the files. */
  readonly content: JsonObject
  /** Whether a server may be started: the file with its entry is private to the operator, or trusted. */
  isTrusted(server: string): boolean
  /** The file whose entry of this server is used. */
  scopeOf(server: string): ConfigScope
}

interface Parts {
  readonly file: (ParsedConfig & { readonly isTrusted: boolean }) | undefined
  readonly own: ParsedConfig | undefined
  readonly everywhere: ParsedConfig | undefined
}

interface Scopes {
  readonly ofFile: ConfigScope
  /** For servers that are in no file. */
  readonly ofOthers: ConfigScope
}

export function toSeenConfig({ file, own, everywhere }: Parts, { ofFile, ofOthers }: Scopes): SeenConfig {
  function scopeOf(server: string): ConfigScope {
    if (hasServer(own, server)) return 'folder'
    if (!hasServer(everywhere, server)) return hasServer(file, server) ? ofFile : ofOthers
    // An untrusted entry is not used, but it may disable a server of every folder.
    const isUsed = file?.isTrusted || file?.config.mcpServers?.[server]?.disabled
    return hasServer(file, server) && isUsed ? ofFile : 'everywhere'
  }

  function merge<Content extends object>(toPart: (parsed: ParsedConfig) => Content): Content {
    const nothing = {} as Content
    const ofFolder = mergeOwn(file ? toPart(file) : nothing, own && toPart(own))
    if (!everywhere) return ofFolder
    const beneath = toPart(everywhere)
    const used = pickServers(beneath, (server) => scopeOf(server) === 'everywhere')
    return mergeOwn(mergeOwn(beneath, ofFolder), used)
  }

  return {
    config: merge(({ config }) => config),
    content: merge(({ content }) => content),
    isTrusted: (server) => ['folder', 'everywhere'].includes(scopeOf(server)) || file?.isTrusted === true,
    scopeOf,
  }
}

function hasServer(parsed: ParsedConfig | undefined, server: string): boolean {
  return Object.hasOwn(parsed?.config.mcpServers ?? {}, server)
}

function pickServers<Content extends object>(content: Content, isPicked: (server: string) => boolean): Content {
  const { mcpServers = {} } = content as { readonly mcpServers?: object }
  return { mcpServers: Object.fromEntries(Object.entries(mcpServers).filter(([name]) => isPicked(name))) } as Content
}

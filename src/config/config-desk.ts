import { hash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { JsonObject } from '../contract/json.ts'
import { readFileIfThere, replaceConfigFile } from '../storage/config-file.ts'
import { toolsets } from '../toolsets/index.ts'
import { type Config, checkConfig, parseConfig } from './config.ts'
import { ConfigError } from './config-error.ts'
import { configFileName } from './found-config.ts'
import { openTrust } from './trust.ts'

/** The config that a person reads and changes by the command. */
export interface ConfigDesk {
  /** Where it is, or would be made. */
  readonly path: string
  /** The folder that its relative paths start in. */
  readonly folder: string
  /** Undefined where there is none. Rejects with a ConfigError where it is not fit to be used. */
  look(): Promise<SeenConfig | undefined>
  /** Names that no server can have. */
  readonly reserved: readonly string[]
  /** What is wrong with a server that is to be added; undefined where nothing is. */
  findFault(name: string, entry: JsonObject): Promise<string | undefined>
  /**
   * Changes the text, and makes the file if there is none. What is not valid afterwards is not written. A config that was
   * trusted, or held nothing that needs trust, is trusted with its new content too: the change is the operator's own.
   */
  change(edit: (text: string) => string, by: string): Promise<ChangedConfig>
}

interface SeenConfig {
  readonly config: Config
  /** As it was written. */
  readonly content: JsonObject
  /** False where its servers are not used until somebody trusts it. */
  readonly trusted: boolean
}

export interface ChangedConfig {
  readonly isNew: boolean
  readonly isChanged: boolean
  /** `named`: it needs no trust, since it is named on the command line. `untrusted`: it has to be reviewed first. */
  readonly trust: 'named' | 'trusted' | 'untrusted'
}

interface DeskOptions {
  /** A file that the operator names; else it is the one of the workspace. */
  readonly config?: string | undefined
  readonly workspace?: string | undefined
  readonly stateDirectory: string
}

export function openConfigDesk({ config: named, workspace = '.', stateDirectory }: DeskOptions): ConfigDesk {
  const trust = openTrust({ directory: () => stateDirectory, known: toolsets })
  const path = toRealPath(named ?? join(workspace, configFileName))
  const folder = dirname(path)

  async function look() {
    const bytes = readFileIfThere(path)
    if (!bytes) return undefined
    if (named !== undefined) return { ...(await parseConfig(bytes, path)), trusted: true, isFit: true }
    const { config, content, state, loosens } = await trust.look(folder)
    return { config, content, trusted: state === 'trusted', isFit: state === 'trusted' || loosens.length === 0 }
  }

  return {
    path,
    folder,
    reserved: Object.keys(toolsets),
    look,
    async findFault(name, entry) {
      try {
        refuseTakenNames(await checkConfig({ mcpServers: { [name]: entry as never } }, path, folder))
        return undefined
      } catch (cause) {
        if (cause instanceof ConfigError) return cause.message.replace(/^The config .*? is not valid: /s, '')
        throw cause
      }
    },
    async change(edit, by) {
      const before = readFileIfThere(path)
      const isFit = (await look())?.isFit ?? true
      const text = before?.toString() ?? '{}\n'
      const next = edit(text)
      const isChanged = next !== text
      const { config } = await parseConfig(Buffer.from(next), path)
      refuseTakenNames(config)
      if (isChanged) replaceConfigFile(path, before, next)
      if (named !== undefined) return { isNew: !before, isChanged, trust: 'named' }
      if (!isFit) return { isNew: !before, isChanged, trust: 'untrusted' }
      const reviewed = await trust.look(folder)
      // Only what was written here is the operator's own.
      if (reviewed.digest !== `sha256:${hash('sha256', next)}`) return { isNew: !before, isChanged, trust: 'untrusted' }
      if (reviewed.state !== 'trusted') await trust.add(reviewed, by)
      return { isNew: !before, isChanged, trust: 'trusted' }
    },
  }
}

function refuseTakenNames({ mcpServers = {} }: Config): void {
  const taken = Object.keys(mcpServers).find((name) => Object.hasOwn(toolsets, name))
  if (taken !== undefined)
    throw new ConfigError(`No server can be called '${taken}': there is a toolset of that name. Choose another.`) // biome-ignore format: one line
}

/** Behind a link it is the file that changes, not the link. */
function toRealPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return resolve(path)
  }
}

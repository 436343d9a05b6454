import { hash } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { JsonObject, JsonValue } from '../contract/json.ts'
import { readFileIfThere, replaceConfigFile } from '../storage/config-file.ts'
import { setMember } from '../storage/edit-json.ts'
import { makePrivateDirectory } from '../storage/private-file.ts'
import { toolsets } from '../toolsets/index.ts'
import { type Config, checkConfig, parseConfig } from './config.ts'
import { ConfigError } from './config-error.ts'
import { configFileName } from './found-config.ts'
import { toRealPath } from './open-config.ts'
import { mergeOwn, readOwnConfig, toOwnConfigPath } from './own-config.ts'
import { openTrust } from './trust.ts'

/** The config that a person reads and changes by the command. */
export interface ConfigDesk {
  /** Where servers are added: the file of the workspace, or the operator's own settings about it. */
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
   * Changes the text of the file that has this server, or else of the one at `path`, and makes it if there is none. What is
   * not valid afterwards is not written. A config that was trusted, or held nothing that needs trust, is trusted with its
   * new content too: the change is the operator's own.
   */
  change(edit: (text: string) => string, by: string, server?: string): Promise<ChangedConfig>
  /** Sets members in the same way, each in the file that has its server. Returns one entry for each file. */
  set(members: readonly Member[], by: string): Promise<readonly ChangedConfig[]>
}

/** A setting and its place, such as `['mcpServers', 'files', 'approval']`. */
export interface Member {
  readonly path: readonly string[]
  readonly value: JsonValue
}

interface SeenConfig {
  /** What is the operator's own overrides what is in the workspace. */
  readonly config: Config
  /** As it was written. */
  readonly content: JsonObject
  /** Whether a server is started: it is the operator's own, or the file of the workspace is trusted. */
  isTrusted(server: string): boolean
}

export interface ChangedConfig {
  /** The file that was changed. */
  readonly path: string
  readonly isNew: boolean
  readonly isChanged: boolean
  /**
   * `named`: it needs no trust, since it is named on the command line. `own`: it needs none, since it is in the state
   * directory. `untrusted`: it has to be reviewed first.
   */
  readonly trust: 'named' | 'own' | 'trusted' | 'untrusted'
}

interface DeskOptions {
  /** A file that the operator names; else it is the one of the workspace. */
  readonly config?: string | undefined
  readonly workspace?: string | undefined
  readonly stateDirectory: string
  /** Add servers to the operator's own settings, so that the file of the workspace stays as it is. */
  readonly addToOwn?: boolean
}

type Edit = (text: string) => string

export function openConfigDesk(options: DeskOptions): ConfigDesk {
  const { config: named, workspace = '.', stateDirectory, addToOwn = false } = options
  const trust = openTrust({ directory: () => stateDirectory, known: toolsets })
  const filePath = toRealPath(named ?? join(workspace, configFileName))
  const folder = dirname(filePath)
  const ownPath = toOwnConfigPath(stateDirectory, toRealPath(workspace))
  const lookAtOwn = async () => (named === undefined ? readOwnConfig(ownPath, folder) : undefined)

  async function lookAtFile() {
    const bytes = readFileIfThere(filePath)
    if (!bytes) return undefined
    if (named !== undefined) return { ...(await parseConfig(bytes, filePath)), isTrusted: true, isFit: true }
    const { config, content, state, loosens } = await trust.look(folder)
    return { config, content, isTrusted: state === 'trusted', isFit: state === 'trusted' || loosens.length === 0 }
  }

  /** Whether a change about this server is one of the operator's own settings. */
  async function isForOwn(server: string | undefined): Promise<boolean> {
    if (hasServer((await lookAtOwn())?.config, server)) return true
    return addToOwn && !hasServer((await lookAtFile())?.config, server)
  }

  async function changeOwn(edit: Edit): Promise<ChangedConfig> {
    makePrivateDirectory(stateDirectory)
    makePrivateDirectory(dirname(ownPath))
    const { before, next, isChanged } = await applyEdit(ownPath, edit)
    if (isChanged) replaceConfigFile(ownPath, before, next, { isPrivate: true })
    return { path: ownPath, isNew: !before, isChanged, trust: 'own' }
  }

  async function changeFile(edit: Edit, by: string): Promise<ChangedConfig> {
    const isFit = (await lookAtFile())?.isFit ?? true
    const { before, next, isChanged } = await applyEdit(filePath, edit)
    if (isChanged) replaceConfigFile(filePath, before, next)
    const changed = { path: filePath, isNew: !before, isChanged }
    if (named !== undefined) return { ...changed, trust: 'named' }
    if (!isFit) return { ...changed, trust: 'untrusted' }
    const reviewed = await trust.look(folder)
    // Only what was written here is the operator's own.
    if (reviewed.digest !== `sha256:${hash('sha256', next)}`) return { ...changed, trust: 'untrusted' }
    if (reviewed.state !== 'trusted') await trust.add(reviewed, by)
    return { ...changed, trust: 'trusted' }
  }

  async function applyEdit(path: string, edit: Edit) {
    const before = readFileIfThere(path)
    const text = before?.toString() ?? '{}\n'
    const next = edit(text)
    const { config } = await parseConfig(Buffer.from(next), path, folder)
    refuseTakenNames(config)
    return { before, next, isChanged: next !== text }
  }

  return {
    path: addToOwn ? ownPath : filePath,
    folder,
    reserved: Object.keys(toolsets),
    async look() {
      const [file, own] = await Promise.all([lookAtFile(), lookAtOwn()])
      if (!file && !own) return undefined
      return {
        config: mergeOwn(file?.config ?? {}, own?.config),
        content: mergeOwn(file?.content ?? {}, own?.content),
        isTrusted: (server) => hasServer(own?.config, server) || file?.isTrusted === true,
      }
    },
    async findFault(name, entry) {
      try {
        refuseTakenNames(await checkConfig({ mcpServers: { [name]: entry as never } }, filePath, folder))
        return undefined
      } catch (cause) {
        if (cause instanceof ConfigError) return cause.message.replace(/^The config .*? is not valid: /s, '')
        throw cause
      }
    },
    async change(edit, by, server) {
      return (await isForOwn(server)) ? changeOwn(edit) : changeFile(edit, by)
    },
    async set(members, by) {
      const places = await Promise.all(
        members.map(({ path }) => isForOwn(path[0] === 'mcpServers' ? path[1] : undefined)),
      )
      const pick = (isOwn: boolean) => members.filter((_, index) => places[index] === isOwn)
      const [own, file] = [pick(true), pick(false)]
      return [
        ...(own.length > 0 ? [await changeOwn(toEdit(own))] : []),
        ...(file.length > 0 ? [await changeFile(toEdit(file), by)] : []),
      ]
    },
  }
}

function toEdit(members: readonly Member[]): Edit {
  return (text) => members.reduce((next, { path, value }) => setMember(next, path, value), text)
}

function hasServer(config: Config | undefined, server: string | undefined): boolean {
  return server !== undefined && Object.hasOwn(config?.mcpServers ?? {}, server)
}

function refuseTakenNames({ mcpServers = {} }: Config): void {
  const taken = Object.keys(mcpServers).find((name) => Object.hasOwn(toolsets, name))
  if (taken !== undefined)
    throw new ConfigError(`No server can be called '${taken}': there is a toolset of that name. Choose another.`) // biome-ignore format: one line
}

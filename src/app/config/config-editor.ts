import { hash } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { openStateFiles } from '../../runtime/storage/files/state-files.ts'
import { readFileIfThere, replaceConfigFile } from '../../state/config-file.ts'
import { setMember } from '../../state/edit-json.ts'
import { makePrivateDirectory } from '../../state/private-file.ts'
import { toolsets } from '../../toolsets/index.ts'
import { type Config, checkConfig, parseConfig } from './config.ts'
import { ConfigError } from './config-error.ts'
import { configFileName } from './found-config.ts'
import { toRealPath } from './open-config.ts'
import { readEverywhere, readOwnConfig, toEverywherePath, toOwnConfigPath } from './own-config.ts'
import { requireServersOnly } from './read-own-config.ts'
import { type ConfigScope, type SeenConfig, toSeenConfig } from './seen-config.ts'
import { openTrust } from './trust.ts'

export type { ConfigScope }

/** Reads and edits the config, for commands. */
export interface ConfigEditor {
  /** The file that servers are added to. */
  readonly path: string
  readonly scope: ConfigScope
  /** Relative paths in the config are relative to this folder. */
  readonly folder: string
  /** Undefined if there is no config. Rejects with a ConfigError if it cannot be used. */
  look(): Promise<SeenConfig | undefined>
  /** Names that servers cannot have. */
  readonly reserved: readonly string[]
  /** Why a server cannot be added; undefined if it can. */
  findFault(name: string, entry: JsonObject): Promise<string | undefined>
  /**
   * Edits the file that contains this server, or else the one at `path`, which is created if necessary. An invalid result is
   * not written. If the config was trusted, or contained nothing that needs trust, the new content is trusted too, since the
   * operator made the change.
   */
  change(edit: (text: string) => string, by: string, server?: string): Promise<ChangedConfig>
  /** Sets members in the same way, each in the file that contains its server. Returns one entry per file. */
  set(members: readonly Member[], by: string): Promise<readonly ChangedConfig[]>
}

/** A setting and its path, such as `['mcpServers', 'files', 'approval']`. */
export interface Member {
  readonly path: readonly string[]
  readonly value: JsonValue
}

export interface ChangedConfig {
  /** The changed file. */
  readonly path: string
  readonly scope: ConfigScope
  readonly isNew: boolean
  readonly isChanged: boolean
  /**
   * `named`: needs no trust, because it is named on the command line. `own`: needs none, because it is in the state
   * directory. `untrusted`: must be reviewed first.
   */
  readonly trust: 'named' | 'own' | 'trusted' | 'untrusted'
}

interface EditorOptions {
  /** A file named by the operator. Default: the file of the workspace. */
  readonly config?: string | undefined
  readonly workspace?: string | undefined
  readonly stateDirectory: string
  /**
   * The file to add servers to. Default: `project`. `folder`: leaves the file of the workspace unchanged. `everywhere`: shows
   * and changes only the servers that are configured for every folder.
   */
  readonly scope?: Exclude<ConfigScope, 'named'> | undefined
}

type Edit = (text: string) => string

export function openConfigEditor(options: EditorOptions): ConfigEditor {
  const { config: named, workspace = '.', stateDirectory } = options
  const scope = named === undefined ? (options.scope ?? 'project') : 'named'
  const trust = openTrust({ store: openStateFiles(() => stateDirectory).trust, known: toolsets })
  const filePath = toRealPath(named ?? join(workspace, configFileName))
  const folder = dirname(filePath)
  const ownPath = toOwnConfigPath(stateDirectory, toRealPath(workspace))
  const everywherePath = toEverywherePath(stateDirectory)
  const isSeen = scope === 'project' || scope === 'folder'
  const fileScope: ConfigScope = named === undefined ? 'project' : 'named'
  const lookAtOwn = async () => (isSeen ? readOwnConfig(ownPath, folder) : undefined)
  const lookEverywhere = async () => (scope === 'named' ? undefined : readEverywhere(stateDirectory, folder))

  async function lookAtFile() {
    if (scope === 'everywhere') return undefined
    const bytes = readFileIfThere(filePath)
    if (!bytes) return undefined
    if (named !== undefined) return { ...(await parseConfig(bytes, filePath)), isTrusted: true, isFit: true }
    const { config, content, state, loosens } = await trust.look(folder)
    return { config, content, isTrusted: state === 'trusted', isFit: state === 'trusted' || loosens.length === 0 }
  }

  /** The scope of the file that contains this server. */
  async function toScope(server: string | undefined): Promise<ConfigScope> {
    if (server === undefined) return scope
    return (await look())?.scopeOf(server) ?? scope
  }

  function changeAt(where: ConfigScope, edit: Edit, by: string): Promise<ChangedConfig> {
    if (where === 'project' || where === 'named') return changeFile(edit, by)
    return where === 'folder' ? changePrivate(ownPath, where, edit) : changePrivate(everywherePath, where, edit)
  }

  async function changePrivate(path: string, where: ConfigScope, edit: Edit): Promise<ChangedConfig> {
    makePrivateDirectory(stateDirectory)
    makePrivateDirectory(dirname(path))
    const { before, next, isChanged } = await applyEdit(path, edit)
    if (isChanged) replaceConfigFile(path, before, next, { isPrivate: true })
    return { path, scope: where, isNew: !before, isChanged, trust: 'own' }
  }

  async function changeFile(edit: Edit, by: string): Promise<ChangedConfig> {
    const isFit = (await lookAtFile())?.isFit ?? true
    const { before, next, isChanged } = await applyEdit(filePath, edit)
    if (isChanged) replaceConfigFile(filePath, before, next)
    const changed = { path: filePath, scope: fileScope, isNew: !before, isChanged }
    if (named !== undefined) return { ...changed, trust: 'named' }
    if (!isFit) return { ...changed, trust: 'untrusted' }
    const reviewed = await trust.look(folder)
    // Another process may have replaced the file in the meantime.
    if (reviewed.digest !== `sha256:${hash('sha256', next)}`) return { ...changed, trust: 'untrusted' }
    if (reviewed.state !== 'trusted') await trust.add(reviewed, by)
    return { ...changed, trust: 'trusted' }
  }

  async function applyEdit(path: string, edit: Edit) {
    const before = readFileIfThere(path)
    const text = before?.toString() ?? '{}\n'
    const next = edit(text)
    const { config, content } = await parseConfig(Buffer.from(next), path, folder)
    refuseTakenNames(config)
    if (path === everywherePath) requireServersOnly(content, path)
    return { before, next, isChanged: next !== text }
  }

  async function look(): Promise<SeenConfig | undefined> {
    const [file, own, everywhere] = await Promise.all([lookAtFile(), lookAtOwn(), lookEverywhere()])
    if (!file && !own && !everywhere) return undefined
    return toSeenConfig({ file, own, everywhere }, { ofFile: fileScope, ofOthers: scope })
  }

  return {
    path: { everywhere: everywherePath, folder: ownPath, project: filePath, named: filePath }[scope],
    scope,
    folder,
    reserved: Object.keys(toolsets),
    look,
    async findFault(name, entry) {
      try {
        refuseTakenNames(await checkConfig({ mcpServers: { [name]: entry as never } }, filePath, folder))
        return undefined
      } catch (cause) {
        if (cause instanceof ConfigError) return cause.fault
        throw cause
      }
    },
    async change(edit, by, server) {
      return changeAt(await toScope(server), edit, by)
    },
    async set(members, by) {
      const scopes = await Promise.all(
        members.map(({ path }) => toScope(path[0] === 'mcpServers' ? path[1] : undefined)),
      )
      const changes: ChangedConfig[] = []
      for (const each of new Set(scopes)) {
        const own = members.filter((_, index) => scopes[index] === each)
        changes.push(await changeAt(each, toEdit(own), by))
      }
      return changes
    },
  }
}

function toEdit(members: readonly Member[]): Edit {
  return (text) => members.reduce((next, { path, value }) => setMember(next, path, value), text)
}

function refuseTakenNames({ mcpServers = {} }: Config): void {
  const taken = Object.keys(mcpServers).find((name) => Object.hasOwn(toolsets, name))
  if (taken !== undefined)
    throw new ConfigError(`No server can be called '${taken}': there is a toolset of that name. Choose another.`) // biome-ignore format: one line
}

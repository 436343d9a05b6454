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

/** The config that a person reads and changes by the command. */
export interface ConfigEditor {
  /** Where servers are added. */
  readonly path: string
  readonly scope: ConfigScope
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

export interface ChangedConfig {
  /** The file that was changed. */
  readonly path: string
  readonly scope: ConfigScope
  readonly isNew: boolean
  readonly isChanged: boolean
  /**
   * `named`: it needs no trust, since it is named on the command line. `own`: it needs none, since it is in the state
   * directory. `untrusted`: it has to be reviewed first.
   */
  readonly trust: 'named' | 'own' | 'trusted' | 'untrusted'
}

interface EditorOptions {
  /** A file that the operator names; else it is the one of the workspace. */
  readonly config?: string | undefined
  readonly workspace?: string | undefined
  readonly stateDirectory: string
  /**
   * Where servers are added; default: `project`. `folder` leaves the file of the workspace as it is. With `everywhere`, the
   * servers of every folder are all that is seen and changed.
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

  /** The file that a change about this server belongs into. */
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
    // Only what was written here is the operator's own.
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

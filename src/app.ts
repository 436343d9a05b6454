import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import type { Capabilities } from './capabilities/capabilities.ts'
import type { Config, ConfigSource } from './config.ts'
import { ConfigError } from './config-error.ts'
import type { CallResult } from './contract/call-result.ts'
import type { Caller, Toolset } from './contract/tool.ts'
import type { Approver } from './pipeline/approver.ts'
import type { Call } from './pipeline/call.ts'
import { type Catalog, createCatalog, type ToolsetLoaders } from './pipeline/catalog.ts'
import { createPipeline } from './pipeline/pipeline.ts'
import type { Violation } from './pipeline/pipeline-options.ts'
import type { Modes } from './policy/decide.ts'
import { createRedactor } from './policy/redact.ts'
import { openRules, type Rules } from './rules.ts'
import { stateDirectory } from './storage/state-directory.ts'
import type { Approvals, Ledger, Replies, Storage } from './storage/storage.ts'
import { toolsets as builtIn } from './toolsets/index.ts'

export interface ToolpactOptions {
  /** The folder that tools work in. Default: the current one. */
  readonly workspace?: string
  /** Names of built-in toolsets, and toolsets of your own. Default: every built-in one. */
  readonly toolsets?: readonly (string | Toolset<Capabilities>)[]
  /** A path to a `toolpact.json`, or its content. */
  readonly config?: string | ConfigSource
  /** Where ledger and counters are kept. Default: `sqlite`, in the state directory; `memory` forgets at the end. */
  readonly storage?: 'sqlite' | 'memory' | Storage
  readonly stateDirectory?: string
  /** Tightens the config's policy. */
  readonly policy?: Modes
  /** Who is asked. Without one, a call that asks is refused. */
  readonly approver?: Approver
  /** Told how a tool broke its contract, with the raw evidence that callers never get. */
  readonly onViolation?: (violation: Violation) => void
}

export interface Toolpact {
  /** Calls a tool through the pipeline. Never rejects. */
  call(tool: string, input: unknown, options?: CallOptions): Promise<CallResult>
  readonly catalog: Catalog<Capabilities>
  readonly ledger: Ledger
  readonly rules: Rules
  /** Calls that wait for somebody to answer, in any process that shares the storage. */
  readonly approvals: Approvals
  /** What calls that carried a key were answered. */
  readonly replies: Replies
  /** Waits for what is under way and lets go of the storage. */
  close(): Promise<void>
}

export interface CallOptions extends Omit<Call, 'tool' | 'input' | 'caller'> {
  /** Default: `{ name: 'library' }`. */
  readonly caller?: Caller
}

/**
 * Opens Toolpact as a library.
 * @example
 * const toolpact = await openToolpact()
 * const result = await toolpact.call('learning.hello', { name: 'Ada' })
 * await toolpact.close()
 */
export async function openToolpact(options: ToolpactOptions = {}): Promise<Toolpact> {
  const config = await toConfig(options.config)
  const catalog = createCatalog(toLoaders(options.toolsets))
  const storage = await openStorage(options, config)
  const workspace = toRealPath(options.workspace ?? '.')
  const session = `process-${randomUUID()}`
  const rules = openRules({
    directory: keepsRules(options) ? toStateDirectory(options) : undefined,
    workspace,
    session,
    modes: toModes(config.policy, options.policy),
    catalog,
    uses: storage.ruleUses,
  })
  const pipeline = createPipeline({
    catalog,
    storage,
    capabilities: createCapabilities(options, config, storage),
    policy: rules.policyFor,
    saveRule: rules.save,
    workspace,
    session,
    approver: options.approver,
    redact: createRedactor({ environment: process.env, names: config.redact ?? [] }),
    onViolation: options.onViolation,
  })
  const underWay = new Set<Promise<CallResult>>()
  return {
    call(tool, input, { caller = { name: 'library' }, ...more } = {}) {
      const call = pipeline.call({ tool, input, caller, ...more })
      underWay.add(call)
      call.then(() => underWay.delete(call))
      return call
    },
    catalog,
    ledger: storage.ledger,
    rules,
    approvals: storage.approvals,
    replies: storage.replies,
    async close() {
      await Promise.all(underWay)
      await storage.close()
    },
  }
}

/** Opened with the first call that touches the world: others start without it. */
function createCapabilities({ workspace = '.', ...options }: ToolpactOptions, { policy }: Config, { notes }: Storage) {
  let opened: Promise<(caller: Caller) => Capabilities> | undefined
  const open = async () => {
    const { openCapabilities } = await import('./capabilities/open-capabilities.ts')
    return openCapabilities({
      workspace,
      stateDirectory: toStateDirectory(options),
      environment: process.env,
      sandbox: policy?.sandbox,
      network: policy?.sandboxNetwork,
      keepEnvironment: policy?.keepEnvironment,
      allowHosts: policy?.allowHosts,
      notes,
    })
  }
  return async ({ caller }: Call) => {
    opened ??= open()
    return (await opened)(caller)
  }
}

async function toConfig(config: ToolpactOptions['config']): Promise<Config> {
  if (config === undefined) return {}
  const { readConfig, checkConfig } = await import('./config.ts')
  return typeof config === 'string' ? readConfig(config) : checkConfig(config, 'that was passed')
}

/** Options may tighten what the config says, never loosen it. */
function toModes(config: Modes = {}, options: Modes = {}): Modes {
  return {
    askAll: config.askAll || options.askAll,
    readOnly: config.readOnly || options.readOnly,
  }
}

async function openStorage(options: ToolpactOptions, config: Config): Promise<Storage> {
  const { storage = 'sqlite' } = options
  if (typeof storage === 'object') return storage
  if (storage === 'memory') return (await import('./storage/memory.ts')).openMemoryStorage()
  return (await import('./storage/sqlite.ts')).openSqliteStorage({
    directory: toStateDirectory(options),
    fsyncAll: config.ledger?.fsync === 'all',
  })
}

/** The rules file is used with what else is in the state directory, and by whoever names that directory. */
function keepsRules({ storage = 'sqlite', stateDirectory }: ToolpactOptions): boolean {
  return storage === 'sqlite' || stateDirectory !== undefined
}

/** Rules that hold in a workspace go by its real path. */
function toRealPath(path: string): string {
  const { realpathSync } = process.getBuiltinModule('node:fs')
  try {
    return realpathSync.native(path)
  } catch {
    return resolve(path)
  }
}

function toStateDirectory(options: ToolpactOptions): string {
  return options.stateDirectory ?? stateDirectory(process.env)
}

function toLoaders(chosen: ToolpactOptions['toolsets']): ToolsetLoaders<Capabilities> {
  if (!chosen) return builtIn
  const loaders = new Map<string, () => Promise<Toolset<Capabilities>>>()
  for (const toolset of chosen) {
    const name = typeof toolset === 'string' ? toolset : toolset.name
    if (loaders.has(name)) throw new ConfigError(`There are two toolsets '${name}'. Rename one of them.`)
    if (typeof toolset !== 'string') loaders.set(name, async () => toolset)
    else if (Object.hasOwn(builtIn, name)) loaders.set(name, builtIn[name]!)
    else throw new ConfigError(`There is no toolset '${name}'. Use one of ${Object.keys(builtIn).join(', ')}.`)
  }
  return Object.fromEntries(loaders)
}

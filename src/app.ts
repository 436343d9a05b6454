import { randomUUID } from 'node:crypto'
import { dirname, resolve } from 'node:path'
import type { Capabilities } from './capabilities/capabilities.ts'
import type { Restored } from './capabilities/restore.ts'
import type { Config, ConfigSource } from './config/config.ts'
import { ConfigError } from './config/config-error.ts'
import { toRealPath } from './config/open-config.ts'
import { openTrust, type Trust } from './config/trust.ts'
import type { CallResult } from './contract/call-result.ts'
import { toReturnedKinds } from './contract/contract.ts'
import type { Image } from './contract/image.ts'
import type { JsonObject } from './contract/json.ts'
import type { Caller, Toolset } from './contract/tool.ts'
import { createCapabilities } from './create-capabilities.ts'
import { hideEnvironment } from './hide-environment.ts'
import { createHost, type UpstreamDesk } from './host.ts'
import { openLatestTime } from './latest-time.ts'
import { type LockDesk, openLock } from './lock.ts'
import { keepsState, openStorage, toStateDirectory } from './open-storage.ts'
import type { Approver } from './pipeline/approver.ts'
import type { Call } from './pipeline/call.ts'
import { createCallsUnderWay } from './pipeline/calls-under-way.ts'
import { type Catalog, createCatalog } from './pipeline/catalog.ts'
import { createDataFlows } from './pipeline/data-flows.ts'
import { isoTime } from './pipeline/iso-time.ts'
import { createPipeline } from './pipeline/pipeline.ts'
import type { StepSettings, Violation } from './pipeline/pipeline-options.ts'
import { withPublicCaller } from './pipeline/public-catalog.ts'
import { createQueries, type Queries } from './pipeline/queries.ts'
import { type Query, startQuery } from './pipeline/query.ts'
import { mostEvidenceCharacters } from './pipeline/to-evidence.ts'
import { withUnlisted } from './pipeline/unlisted-toolset.ts'
import type { Modes } from './policy/decide.ts'
import { createRedactor } from './policy/redact.ts'
import { openRules, type Rules } from './rules.ts'
import { loadSettings, type Settings } from './settings.ts'
import type { Sessions } from './storage/sessions.ts'
import type { Approvals, Evidence, Ledger, Replies, StepRecord, Storage, StorageHealth } from './storage/storage.ts'
import { toChoice } from './toolset-choice.ts'

export interface ToolpactOptions {
  /** The folder that tools work in. Default: what the config says, else the current one. */
  readonly workspace?: string
  /** Names of built-in toolsets, and toolsets of your own. Default: what the config says, else every built-in one. */
  readonly toolsets?: readonly (string | Toolset<Capabilities>)[]
  /** Folders of contract files and handlers, each a toolset, beside those of the config. Code in them is run: let no caller choose. */
  readonly contracts?: readonly string[]
  /** A path to a `toolpact.json`, or its content. It is trusted. */
  readonly config?: string | ConfigSource
  /**
   * Use the `toolpact.json` in the workspace if there is no `config`, as the command does. Until its content is trusted
   * (`toolpact trust`) it can only make things stricter.
   */
  readonly discover?: boolean
  /** Where ledger and counters are kept. Default: `sqlite`, in the state directory; `memory` forgets at the end. */
  readonly storage?: 'sqlite' | 'memory' | Storage
  readonly stateDirectory?: string
  /**
   * `read`: a state of an older version is read as it is and not migrated, and one on a read-only disk is read all the same;
   * calls are then refused. Default: `write`.
   */
  readonly access?: 'read' | 'write'
  /** Receives a line for the operator when calls can no longer be recorded, with what to do, and when they can again. */
  readonly onStorage?: (message: string) => void
  /**
   * When the MCP servers of the config start: at once, when `upstreams.begin()` is called (`held`), or with the first
   * call or list that needs them. Default: lazy.
   */
  readonly start?: 'eager' | 'held' | 'lazy'
  /**
   * Apply changes of the config file while this is open, within a second. Receives a line for the operator about each:
   * what was applied, what needs a restart, and why a config was not used.
   */
  readonly watch?: (message: string) => void
  /** Clean transcripts by rules alone and ask no model. Default: what the config says. */
  readonly rulesOnly?: boolean
  /**
   * Once calls have read private data or taken in text that others wrote, ask before data goes to a receiver that is not
   * allowed yet. Calls of one `session`, or all of one `caller`, are taken together. The config's `policy.dataFlow`
   * overrides whether it asks. Default: it does not.
   */
  readonly dataFlow?: 'session' | 'caller'
  /** Tightens the config's policy. */
  readonly policy?: Modes & Pick<StepSettings, 'singleStep'>
  /** Who is asked. Without one, a call that asks is refused. */
  readonly approver?: Approver
  /** Told how a tool broke its contract, with the raw evidence that callers never get. */
  readonly onViolation?: (violation: Violation) => void
}

/** Tools by name, as `toolpact export types` writes them. */
export type ToolTypes<Name extends string = string> = {
  readonly [name in Name]: { readonly input: unknown; readonly output: unknown }
}

export interface Toolpact<Tools extends ToolTypes<keyof Tools & string> = AnyTools> {
  /** Calls a tool through the pipeline. Never rejects. */
  call<Name extends keyof Tools & string>(
    tool: Name,
    input: Tools[Name]['input'],
    options?: CallOptions,
  ): Promise<CallResult<Tools[Name]['output']>>
  /** Begins a query: one question of a user, which may make one call. A second one ends with `single_step`. */
  query(): OpenQuery
  /** The queries that callers of surfaces name by an id of their own. */
  readonly queries: Queries
  readonly catalog: Catalog<Capabilities>
  readonly ledger: Ledger
  readonly rules: Rules
  /** Which configs in workspaces the operator trusts. */
  readonly trust: Trust
  /** What was accepted of the tools of MCP servers. */
  readonly lock: LockDesk
  /** The MCP servers whose tools are here. */
  readonly upstreams: UpstreamDesk
  /** The config as it holds now: checked, and frozen. */
  readonly config: Config
  /** Real path of the folder that tools work in. */
  readonly workspace: string
  /** What the operator should know about how it was opened, such as settings that have no effect. */
  readonly notices: readonly string[]
  /** Calls that wait for somebody to answer, in any process that shares the storage. */
  readonly approvals: Approvals
  /** What calls that carried a key were answered. */
  readonly replies: Replies
  /** What tools said that broke their contracts. For people, never for a model. */
  readonly evidence: Pick<Evidence, 'get'>
  /** Keeps a stage of a run of the agent in the ledger, without secrets. */
  recordStep(step: Omit<StepRecord, 'kind' | 'at'>): Promise<void>
  /** Whether calls can be recorded. */
  health(): Promise<StorageHealth>
  /** Sessions of people with the agent. */
  readonly sessions: Sessions
  /** Tells that a session continues which has seen the output of these tools, by their ids. */
  continueSession(caller: Caller, tools: readonly string[]): Promise<void>
  /** Puts files back as they were before calls wrote them: a person's wish, and no call. */
  restore(images: readonly Image[]): Promise<Restored[]>
  /** Waits for what is under way and lets go of the storage. */
  close(): Promise<void>
}

const libraryCaller: Caller = { name: 'library' }

/** Of one stage of a run. A plan that is kept whole can be replayed. */
const mostStepCharacters = 65_536

/** Where nobody says which tools there are. */
export interface AnyTools {
  readonly [name: string]: { readonly input: unknown; readonly output: JsonObject }
}

export interface CallOptions extends Omit<Call, 'tool' | 'input' | 'caller'> {
  /** Default: `{ name: 'library' }`. */
  readonly caller?: Caller
}

/** A query that may make one call, by `call` or wherever a query is taken. */
export interface OpenQuery extends Query {
  call(tool: string, input: unknown, options?: Omit<CallOptions, 'query'>): Promise<CallResult>
}

/**
 * Opens Toolpact as a library.
 * @example
 * const toolpact = await openToolpact()
 * const result = await toolpact.call('learning.hello', { name: 'Ada' })
 * await toolpact.close()
 * @example
 * const typed = await openToolpact<Tools>() // Tools: from `toolpact export types --out tools.ts`
 */
export async function openToolpact<Tools extends ToolTypes<keyof Tools & string> = AnyTools>(
  options: ToolpactOptions = {},
): Promise<Toolpact<Tools>> {
  // The pipeline checks every input and output against the contracts that those types were written from.
  return open(options) as Promise<Toolpact<Tools>>
}

async function open(options: ToolpactOptions): Promise<Toolpact> {
  hideEnvironment()
  const directory = () => toStateDirectory(options)
  const picked = toChoice(options.toolsets)
  await requireConforming(options.toolsets)
  const trust = openTrust({ directory, known: picked.known })
  let settings = await loadSettings(options, { picked, trust, stateDirectory: directory })
  const named = options.workspace ?? settings.config.workspace ?? '.'
  const workspace = toRealPath(named)
  const place = toLockPath(options, settings.opened?.found?.source, workspace)
  const lock = openLock({
    path: place,
    directory,
    config: () => toLockConfig(settings),
    statuses: () => host.statuses(),
  })
  // Before any server starts: nobody would end it if this fails.
  const storage = await openStorage(options, settings.config)
  const { start = 'lazy' } = options
  const { listWaitMs: waitMs } = settings.config
  const stateDirectory = keepsState(options) ? directory() : undefined
  const host = createHost({ ...settings, lock, folder: dirname(place), start, waitMs, directory: stateDirectory })
  const loadAll = async () => settings.limit({ ...settings.toolsets, ...(await host.loaders()) })
  const listed = createCatalog(await loadAll(), { ...settings.catalog, isReplaceable: options.watch !== undefined })
  const all = withUnlisted(listed, {
    name: 'catalogue',
    load: async () => (await import('./tool-search/search-tools.ts')).createSearchToolset(listed),
  })
  const catalog = withPublicCaller(all)
  host.onChange(catalog.reload)
  const session = `process-${randomUUID()}`
  const rules = openRules({
    directory: keepsState(options) ? directory() : undefined,
    workspace,
    session,
    modes: () => settings.modes,
    settings: () => settings.config.policy,
    catalog,
    uses: storage.ruleUses,
    clock: openLatestTime({ notes: storage.notes, lastRecorded: () => findLastTime(storage) }),
    tell: options.watch,
  })
  const rulesFault = await rules.findFault()
  const flows = createDataFlows({ by: options.dataFlow ?? 'session', notes: storage.notes, workspace })
  const underWay = createCallsUnderWay()
  let parts = toParts(settings)
  const pipeline = createPipeline({
    catalog,
    storage,
    capabilities: (call, _toolId, access) => parts.capabilities(call, access),
    policy: rules.policyFor,
    saveRule: rules.save,
    workspace,
    session,
    approver: options.approver,
    steps: () => settings.steps,
    flows,
    redact: (value) => parts.redact(value),
    redactEvidence: (value) => parts.redactEvidence(value),
    onViolation: options.onViolation,
  })
  const sweeping = start === 'lazy' ? undefined : sweep(workspace)
  const stopFollowing = options.watch && (await follow(options.watch))

  /** What calls use of the config. */
  function toParts({ config, protectedPaths }: Settings) {
    const secrets = { environment: process.env, names: config.redact ?? [] }
    let redactStep: ReturnType<typeof createRedactor> | undefined
    return {
      capabilities: createCapabilities(config, {
        workspace: named,
        stateDirectory: directory(),
        protectedPaths: [...protectedPaths, place],
        keepsState: keepsState(options),
        rulesOnly: options.rulesOnly,
        notes: storage.notes,
        keep: underWay.add,
      }),
      redact: createRedactor(secrets),
      redactEvidence: createRedactor({ ...secrets, longest: mostEvidenceCharacters }),
      redactStep(details: JsonObject): JsonObject {
        redactStep ??= createRedactor({ ...secrets, longest: mostStepCharacters })
        return redactStep(details) as JsonObject
      },
    }
  }

  async function apply(next: Settings, changed: readonly string[]) {
    const isProtectedAlike = String(settings.protectedPaths) === String(next.protectedPaths)
    settings = next
    if (!isProtectedAlike || callKeys.some((key) => changed.includes(key))) parts = toParts(next)
    await host.update(next)
    if (changed.includes('lock') || changed.includes('drift')) await host.readmit()
    catalog.replace(await loadAll(), next.catalog)
  }

  async function follow(tell: (message: string) => void) {
    const { followConfig, toConfigPaths } = await import('./follow-config.ts')
    const load = () => loadSettings(options, { picked, trust, stateDirectory: directory, running: settings })
    return followConfig({ paths: toConfigPaths(options, directory()), current: () => settings, load, apply, tell })
  }

  function call(tool: string, input: unknown, options?: CallOptions) {
    const { caller = libraryCaller } = options ?? {}
    const call = pipeline.call({ ...options, tool, input, caller })
    underWay.add(call)
    return call
  }

  return {
    call,
    query() {
      const query = startQuery()
      return { ...query, call: (tool, input, options) => call(tool, input, { ...options, query }) }
    },
    queries: createQueries(),
    catalog,
    ledger: storage.ledger,
    rules,
    trust,
    lock,
    upstreams: host,
    get config() {
      return settings.config
    },
    workspace,
    notices: rulesFault === undefined ? settings.notices : [...settings.notices, rulesFault],
    approvals: storage.approvals,
    replies: storage.replies,
    evidence: storage.evidence,
    health: storage.health,
    sessions: storage.sessions,
    recordStep({ details, ...step }) {
      const kept = { kind: 'step', at: isoTime(), ...step, details: parts.redactStep(details) } as const
      return storage.ledger.append(kept, { durable: false })
    },
    async continueSession(caller, tools) {
      for (const id of new Set(tools)) {
        const found = await catalog.find(id, caller)
        // A tool that is gone may have returned anything.
        const kinds = found.kind === 'found' ? toReturnedKinds(found.tool.contract.effects) : (['private', 'untrusted'] as const) // biome-ignore format: one line
        if (kinds.length > 0) await flows.take(caller, kinds, `${id}, earlier`)
      }
    },
    async restore(images) {
      const { restoreImages } = await import('./capabilities/restore.ts')
      return restoreImages(images, {
        root: named,
        denied: [toStateDirectory(options)],
        protectedPaths: [...settings.protectedPaths, place],
      })
    },
    async close() {
      stopFollowing?.()
      await sweeping?.stop()
      await underWay.ended()
      await host.close()
      await storage.close()
    },
  }
}

/** Removes what killed processes have left in the workspace, beside everything else. */
function sweep(workspace: string) {
  const controller = new AbortController()
  const swept = import('./capabilities/files/sweep-temporary.ts').then(({ sweepTemporaryFiles }) =>
    sweepTemporaryFiles(workspace, controller.signal),
  )
  return {
    async stop() {
      controller.abort()
      await swept
    },
  }
}

/** Tools of the program are held to the rules that `toolpact check` applies; built-in ones have passed them. */
async function requireConforming(toolsets: ToolpactOptions['toolsets'] = []): Promise<void> {
  const own = toolsets.filter((toolset) => typeof toolset !== 'string')
  if (own.length === 0) return
  const { findNonconforming } = await import('./contract/find-nonconforming.ts')
  const faults = await findNonconforming(own)
  if (faults.length > 0)
    throw new ConfigError(
      `These contracts break the rules, so their tools do not run:\n${faults.join('\n')}\nFix them, or accept them as they are: defineToolset(name, tools, { strict: false }).`,
    )
}

async function findLastTime({ ledger }: Storage): Promise<number> {
  const [entry] = await ledger.read({ last: 1 })
  return entry ? Date.parse(entry.record.at) : 0
}

/** What `toParts` reads: where none of it has changed, what calls have opened stays open. */
const callKeys: readonly (keyof Config)[] = ['policy', 'redact', 'web', 'model', 'transcript']

/** Beside the config, or in the workspace where that is no file. */
function toLockPath({ config }: ToolpactOptions, source: string | undefined, workspace: string): string {
  return resolve(typeof config === 'object' || source === undefined ? workspace : dirname(source), 'toolpact.lock')
}

function toLockConfig({ config, opened }: Settings) {
  return {
    servers: config.mcpServers ?? {},
    everywhere: opened?.everywhere?.mcpServers,
    demand: config.lock,
    drift: config.drift,
    untrusted: opened?.isPart ? opened.source : undefined,
  }
}

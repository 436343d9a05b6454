import { randomUUID } from 'node:crypto'
import { dirname } from 'node:path'
import type { Capabilities } from '../capabilities/capabilities.ts'
import type { CallResult } from '../contract/call-result.ts'
import { toReturnedKinds } from '../contract/contract.ts'
import { toPipelineError } from '../contract/error-codes.ts'
import { toGroups } from '../contract/principal.ts'
import type { Caller } from '../contract/tool.ts'
import { toAnswerTerms } from '../policy/approvers.ts'
import { openConsoleAddress } from '../runtime/approval/console-address.ts'
import { createCatalog, type ToolsetLoaders } from '../runtime/pipeline/catalog.ts'
import { createDataFlows } from '../runtime/pipeline/data-flows.ts'
import { createInFlight } from '../runtime/pipeline/in-flight.ts'
import { isoTime } from '../runtime/pipeline/iso-time.ts'
import { createPipeline } from '../runtime/pipeline/pipeline.ts'
import { withPublicCaller } from '../runtime/pipeline/public-catalog.ts'
import { createQueries, startQuery } from '../runtime/pipeline/queries.ts'
import { withUnlisted } from '../runtime/pipeline/unlisted-toolset.ts'
import { openLatestTime } from '../runtime/rules/latest-time.ts'
import { openRules } from '../runtime/rules/rules.ts'
import type { Pool } from '../runtime/storage/postgres/pool.ts'
import type { Storage } from '../runtime/storage/storage.ts'
import { toolsets as builtIn } from '../toolsets/index.ts'
import { callKeys, toCallParts } from './call-parts.ts'
import { toRealPath } from './config/open-config.ts'
import { openTrust } from './config/trust.ts'
import { openLogins } from './connections/open-logins.ts'
import { openSignIn } from './connections/open-sign-in.ts'
import type { FolderEntry } from './contract-folders/open-contract-folders.ts'
import { needsOwn, type ToolCapabilities } from './create-capabilities.ts'
import { hideEnvironment } from './hide-environment.ts'
import { createHost } from './host.ts'
import type { IsolationOptions } from './isolation/create-isolation.ts'
import { openLock, toLockConfig, toLockPath } from './lock.ts'
import { openRuns } from './open-runs.ts'
import { keepsState, openState, openStorage, type SealedStorage, toStateDirectory } from './open-storage.ts'
import { openTelemetry } from './open-telemetry.ts'
import { type LedgerProofOptions, openLedgerProof } from './proof/ledger-proof.ts'
import { requireOptions } from './require-options.ts'
import { requireConforming, requireNeedsMet } from './require-toolsets.ts'
import { loadSettings, type Settings, toNamedWorkspace } from './settings.ts'
import { sweepSoon } from './sweep-soon.ts'
import type { AnyTools, CallOptions, Toolpact, ToolpactOptions, ToolTypes } from './toolpact.ts'
import { toChoice } from './toolset-choice.ts'

export type {
  AnyTools,
  CallOptions,
  OpenQuery,
  TelemetryOptions,
  Toolpact,
  ToolpactOptions,
  ToolTypes,
} from './toolpact.ts'

const libraryCaller: Caller = { name: 'library' }

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
  // Safe: the pipeline validates against the contracts that the types were generated from.
  return open(options) as Promise<Toolpact<Tools>>
}

/** Opens one of several tenants, on connections that they share. */
export function openTenant(options: ToolpactOptions & { readonly tenant: string }, pool: Pool): Promise<Toolpact> {
  return open(options, pool)
}

async function open(options: ToolpactOptions, pool?: Pool): Promise<Toolpact> {
  requireOptions(options)
  hideEnvironment()
  const directory = () => toStateDirectory(options)
  const picked = toChoice(options.toolsets)
  await requireConforming(options.toolsets)
  const files = await openState(options)
  const trust = openTrust({ store: files.trust, known: picked.known })
  let settings = await loadSettings(options, { picked, trust, stateDirectory: directory, confine })
  const named = toNamedWorkspace(options, settings)
  const workspace = toRealPath(named)
  const place = toLockPath(options, settings.opened?.found?.source, workspace)
  // Before any server starts, since nothing would stop it if this fails.
  const { storage, state } = await openStorage(options, settings.config, {
    files,
    tenant: settings.opened?.tenant,
    pool,
  })
  const lock = openLock({
    path: place,
    directory,
    everywhere: state.lock,
    config: () => toLockConfig(settings),
    statuses: () => host.statuses(),
    look: () => host.look(),
  })
  const underWay = createInFlight()
  let parts = toParts(settings)
  const closeAndThrow = async (cause: unknown): Promise<never> => {
    await storage.close()
    throw cause
  }
  await requireNeedsMet(options.toolsets, parts.provide).catch(closeAndThrow)
  const observed = openTelemetry(options, settings.config, {
    storage,
    upstreams: () => host,
    tenant: settings.opened?.tenant,
  })
  const { observe, telemetry } = await observed.catch(closeAndThrow)
  const { start = 'lazy' } = options
  const { listWaitMs: waitMs } = settings.config
  const stateDirectory = keepsState(options) ? directory() : undefined
  const consoleAddress = openConsoleAddress(storage.notes)
  const logins = openLogins({
    store: storage.connections,
    notes: storage.notes,
    tenant: settings.opened?.tenant,
    config: () => settings.config,
    folder: dirname(place),
    stateDirectory: directory(),
    findConsole: consoleAddress.find,
    onConnected: (server) => host.restart(server),
  })
  const host = createHost({
    ...settings,
    lock,
    workspace,
    folder: dirname(place),
    start,
    waitMs,
    directory: stateDirectory,
    follow: telemetry?.follow,
    authorize: logins.authorize,
    isolation: toIsolation(),
  })
  const workflows = openRuns({
    storage,
    workspace,
    catalog: () => catalog,
    pipeline: () => pipeline,
    approver: options.approver,
    keep: underWay.add,
    foresee,
    onFault: (message, raw) => options.onViolation?.({ callId: '', tool: '', kind: 'check_failed', message, raw }),
  })
  const loadAll = async () => {
    const loaders = settings.limit({ ...toServed(settings.toolsets), ...(await host.loaders()) })
    return workflows.serve(loaders, Object.keys(settings.folders?.paths ?? {}))
  }
  const listed = createCatalog(await loadAll(), { ...settings.catalog, isReplaceable: options.watch !== undefined })
  const all = withUnlisted(listed, {
    name: 'catalogue',
    load: async () => (await import('../projections/tool-search/search-tools.ts')).createSearchToolset(listed),
  })
  const catalog = withPublicCaller(all)
  host.onChange((server) => {
    for (const toolset of [server, ...workflows.dependentsOf(server)]) catalog.reload(toolset)
  })
  const session = `process-${randomUUID()}`
  const groupsOf = (caller: Caller) => toGroups(settings.config.groups, caller)
  const rules = openRules({
    store: state.rules,
    stateDirectory,
    workspace,
    session,
    modes: () => settings.modes,
    settings: () => settings.config.policy,
    groupsOf,
    catalog,
    uses: storage.ruleUses,
    ledger: storage.ledger,
    clock: openLatestTime({ notes: storage.notes, lastRecorded: () => findLastTime(storage) }),
    report: options.watch,
  })
  const rulesFault = await rules.findFault()
  const flows = createDataFlows({ by: options.dataFlow ?? 'session', notes: storage.notes, workspace })
  const forCall: ToolCapabilities['forCall'] = (call, tool, access) => parts.forCall(call, tool, access)
  const pipeline = createPipeline({
    catalog,
    storage,
    capabilities: forCall,
    policy: rules.policyFor,
    saveRule: rules.save,
    workspace,
    session,
    approver: options.approver,
    termsOf: ({ caller: { name, issuer, subject }, ...asked }) =>
      toAnswerTerms(settings.config, {
        ...asked,
        callers: options.person === undefined ? [name] : [name, options.person],
        ...(issuer !== undefined && subject !== undefined && { principal: { issuer, subject } }),
      }),
    groupsOf,
    steps: () => settings.steps,
    sharesCallers: options.sharesCallers === true,
    flows,
    redact: (value) => parts.redact(value),
    redactEvidence: (value) => parts.redactEvidence(value),
    onViolation: options.onViolation,
    observe,
  })
  const sweeping = start === 'lazy' ? undefined : sweepSoon(workspace)
  const stopFollowing = options.watch && (await follow(options.watch))

  /** Built-in toolsets provide what their tools need; of others that is found out when they are loaded. */
  function toServed(loaders: ToolsetLoaders<Capabilities>): ToolsetLoaders<Capabilities> {
    const entries = Object.entries(loaders).map(([name, load]) => {
      const serve = async () => {
        const toolset = await load()
        if (!needsOwn(toolset)) return toolset
        return (await import('./meet-needs.ts')).withNeedsMet(toolset, (set) => parts.provide(set))
      }
      return [name, load === builtIn[name] ? load : serve]
    })
    return Object.fromEntries(entries)
  }

  function toParts(current: Settings) {
    return toCallParts(current, {
      options,
      workspace: named,
      root: workspace,
      stateDirectory: directory(),
      lockPath: place,
      notes: storage.notes,
      onListChange: (toolset) => listed.reload(toolset),
      keep: underWay.add,
    })
  }

  function toIsolation(): Omit<IsolationOptions, 'folder'> {
    return {
      stateDirectory: directory,
      protectedPaths: () => [...settings.protectedPaths, place],
      record: async (event) => (await import('./isolation/record-isolation.ts')).recordIsolation(storage.ledger, event),
    }
  }

  /** Called when the tools of a contract folder are first needed. */
  async function confine(name: string, entry: FolderEntry) {
    const { confineFolder } = await import('./isolation/confine-folder.ts')
    return confineFolder(name, entry, { ...toIsolation(), folder: dirname(place), workspace })
  }

  async function apply(next: Settings, changed: readonly string[]) {
    const isProtectedAlike = String(settings.protectedPaths) === String(next.protectedPaths)
    settings = next
    const isUsed = (key: string) => (callKeys as readonly string[]).includes(key) || Object.hasOwn(next.toolsets, key)
    if (!isProtectedAlike || changed.some(isUsed)) parts = toParts(next)
    await host.update(next)
    if (changed.includes('lock') || changed.includes('drift')) await host.readmit()
    catalog.replace(await loadAll(), next.catalog)
  }

  async function follow(report: (message: string) => void) {
    const { followConfig, toConfigPaths } = await import('./follow-config.ts')
    const load = () => loadSettings(options, { picked, trust, stateDirectory: directory, confine, running: settings })
    const { opened } = settings
    const paths = [...toConfigPaths(options, directory()), ...(opened?.tenant === undefined ? [] : [opened.source])]
    return followConfig({ paths, current: () => settings, load, apply, report })
  }

  async function foresee(tool: string, input: unknown, caller: Caller) {
    const { foreseeCall } = await import('../runtime/approval/foresee-call.ts')
    return foreseeCall({ tool, input, caller }, { catalog, policy: rules.policyFor, workspace, session, flows, groupsOf, capabilities: forCall }) // biome-ignore format: one line
  }

  let isClosed = false

  function call(tool: string, input: unknown, options?: CallOptions): Promise<CallResult> {
    const { caller = libraryCaller } = options ?? {}
    if (isClosed) return Promise.resolve(toClosedResult(tool))
    const call = pipeline.call({ ...options, tool, input, caller })
    underWay.add(call)
    return call
  }

  return {
    call,
    foresee: (tool, input, { caller = libraryCaller } = {}) => foresee(tool, input, caller),
    query() {
      const query = startQuery()
      return { ...query, call: (tool, input, options) => call(tool, input, { ...options, query }) }
    },
    queries: createQueries(),
    catalog,
    ledger: storage.ledger,
    proof: toProof(storage, { config: () => settings.config, stateDirectory: directory() }),
    ...{ rules, trust, lock, upstreams: host, notes: storage.notes, evidence: storage.evidence },
    get config() {
      return settings.config
    },
    workspace,
    notices: rulesFault === undefined ? settings.notices : [...settings.notices, rulesFault],
    tokens: state.tokens,
    approvals: storage.approvals,
    consoleAddress,
    replies: storage.replies,
    ...(storage.tasks && { tasks: storage.tasks }),
    ...(storage.signIns && { signIns: storage.signIns }),
    signInBy: openSignIn({ config: () => settings.config }),
    ...(workflows.runs && { runs: workflows.runs }),
    workflows: () => workflows.files(settings.folders?.paths),
    ...(logins.connections && { connections: logins.connections }),
    health: storage.health,
    ...(telemetry && { metrics: telemetry.toText }),
    sessions: storage.sessions,
    recordStep({ details, ...step }) {
      const kept = { kind: 'step', at: isoTime(), ...step, details: parts.redactStep(details) } as const
      return storage.ledger.append(kept, { durable: false })
    },
    async continueSession(caller, tools) {
      for (const id of new Set(tools)) {
        const found = await catalog.find(id, caller)
        // A tool that no longer exists may have returned anything.
        const kinds = found.kind === 'found' ? toReturnedKinds(found.tool.contract.effects) : (['private', 'untrusted'] as const) // biome-ignore format: one line
        if (kinds.length > 0) await flows.take(caller, kinds, `${id}, earlier`)
      }
    },
    async restore(images) {
      const { restoreImages } = await import('../capabilities/restore.ts')
      return restoreImages(images, {
        root: named,
        denied: [toStateDirectory(options)],
        protectedPaths: [...settings.protectedPaths, place],
      })
    },
    async close() {
      stopFollowing?.()
      await sweeping?.stop()
      await workflows.close()
      await underWay.ended()
      await host.close()
      await settings.folders?.close()
      await telemetry?.close()
      await storage.close()
      isClosed = true
    },
  }
}

function toProof(storage: SealedStorage, options: Omit<LedgerProofOptions, 'storage'>) {
  const { proof } = storage
  return proof && openLedgerProof({ storage: { ...storage, proof }, ...options })
}

/** A call never rejects. */
function toClosedResult(tool: string): CallResult {
  const error = toPipelineError('ledger_unavailable', `'${tool}' did not run: this Toolpact is closed.`, {
    suggestion: 'Open another one with openToolpact().',
  })
  return { success: false, callId: '', tool, error, ran: false, durationMs: 0 }
}

async function findLastTime({ ledger }: Storage): Promise<number> {
  const [entry] = await ledger.read({ last: 1 })
  return entry ? Date.parse(entry.record.at) : 0
}

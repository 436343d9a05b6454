import { dirname, join } from 'node:path'
import { digest } from '../contract/digest.ts'
import type { JsonObject } from '../contract/json.ts'
import { showText } from '../contract/text/show-value.ts'
import { ToolpactError } from '../contract/toolpact-error.ts'
import { indexTools } from '../host/admission/tool-index.ts'
import type { LockVerdict } from '../host/admission/verdict.ts'
import {
  compareWithLock,
  createLockOf,
  type LockRules,
  policyOf,
  type ToolComparison,
} from '../host/lock/compare-with-lock.ts'
import { diffIdentities } from '../host/lock/diff-identities.ts'
import { diffJson } from '../host/lock/diff-json.ts'
import { findServer, findTool, overlaysOf } from '../host/lock/find-locked.ts'
import { toGrants } from '../host/lock/grants.ts'
import type { Lock } from '../host/lock/lock.ts'
import { readIdentity } from '../host/lock/to-identity.ts'
import { acceptTools, attachOverlay, toAcceptDigest, toLock, withoutServer } from '../host/lock/to-lock.ts'
import { type LockableStatus, type LockedEntry, toLockable } from '../host/lock/to-lockable.ts'
import { findVaryingFault, findVaryingPlaces } from '../host/lock/varying.ts'
import type { UpstreamStatus } from '../host/upstream.ts'
import { installRecordName, toServerFolder } from '../state/server-folder.ts'
import { StateError } from '../state/state-error.ts'
import {
  type HostLock,
  isUnread,
  type LockOptions,
  type ServerReview,
  type ShownChange,
  type ToolReview,
  watchLocks,
} from './lock.ts'
import { openLockFiles } from './lock-files.ts'

/** Compares servers with the lock, and accepts their tools into it. */
export function openLockReviewer(options: LockOptions): HostLock {
  const { config, statuses } = options
  const file = openLockFiles(options)

  async function look(all?: readonly UpstreamStatus[]): Promise<Looked[]> {
    const { untrusted, servers } = config()
    if (untrusted !== undefined)
      throw new ToolpactError('lock_refused', `The config ${untrusted} is not trusted, so its servers are not used. Review it with toolpact trust.`) // biome-ignore format: one line
    const known = all ?? (await statuses())
    const others = indexTools(known.flatMap(toKnownTools))
    return Object.entries(servers).map(([name, entry]) => {
      const status = known.find((found) => found.name === name)
      if (!status) return { name, state: 'unused' }
      if (status.state !== 'ready') return { name, state: 'unreachable', fault: status.fault ?? 'It is not ready.' }
      return { name, state: 'compared', server: toLockable(status, withDefaults(name, entry), others) }
    })
  }

  function withDefaults(name: string, entry: LockedEntry): LockedEntry {
    const { isolation } = config()
    const complete = isolation === undefined ? entry : { isolation, ...entry }
    if (complete.command === undefined || !toGrants(complete)) return complete
    const folder = toServerFolder(name, options.directory(), dirname(options.path))
    return { ...complete, installRecord: join(folder, installRecordName) }
  }

  function reviewAll(looked: readonly Looked[], lock: Lock | undefined): ServerReview[] {
    const { servers } = config()
    const left = Object.keys(lock?.servers ?? {}).filter((name) => !Object.hasOwn(servers, name))
    return [
      ...looked.map((found) =>
        'server' in found ? reviewServer(found.server, lock, config().drift) : { ...found, identity: [], tools: [] },
      ),
      ...left.map(
        (name): ServerReview => ({ name, state: 'left', identity: [], tools: [], digest: digestOfLeft(name) }),
      ),
    ].sort((one, other) => (one.name < other.name ? -1 : 1))
  }

  function toReview(looked: readonly Looked[], lock: Lock | undefined) {
    const servers = reviewAll(looked, lock)
    const paths = [...new Set(servers.map(({ name }) => file.pathOf(name)))]
    return { path: file.path, paths, isThere: lock !== undefined, servers }
  }

  return {
    path: file.path,
    watch: (onChange) => watchLocks(options, onChange),
    pathOf: async (server) => file.pathOf(server),
    async review(other) {
      return toReview(await look(), await file.load(other))
    },
    async reviewRunning() {
      return toReview(await look(options.look()), await file.load())
    },
    async add(by) {
      const looked = await look()
      const before = await file.load()
      const found = looked.flatMap((one) => ('server' in one ? [one.server] : []))
      await file.change((lock) => toLock(found, toAcceptance(by), lock))
      // Compares with the previous lock, so that new tools are reported as new.
      return toReview(looked, before)
    },
    async accept(shown, by) {
      const now = options.look()
      // A server that runs can be accepted while others are still starting.
      const isRunning = now.some(({ name, state }) => name === shown.server && state === 'ready')
      const looked = await look(isRunning ? now : undefined)
      const review = reviewAll(looked, await file.load()).find(({ name }) => name === shown.server)
      if (!review || !isShown(review, shown)) return 'changed'
      requireVarying(review, shown)
      const found = looked.find(({ name }) => name === shown.server)
      await file.change((lock) => {
        if (!found || !('server' in found)) return withoutServer(lock ?? { lockVersion: 1, servers: {} }, shown.server)
        const names = shown.tool === undefined ? pendingOf(review).map(({ name }) => name) : [shown.tool]
        const identity = shown.tool === undefined
        const { varying = [] } = shown
        return acceptTools(lock, found.server, { names, acceptance: toAcceptance(by), identity, varying })
      })
      return 'accepted'
    },
    async attach({ server, tool, output }, by) {
      const found = (await look()).find(({ name }) => name === server)
      if (!found || !('server' in found))
        throw new ToolpactError('lock_refused', `The server ${server} cannot be reached. ${found?.fault ?? ''}`)
      const { attachable, refused } = found.server
      if (!attachable.has(tool))
        throw new ToolpactError('lock_refused', `No schema can be attached to ${server}.${tool}. ${refused.get(tool)?.join(' ') ?? 'The server does not list it, or has changed it: see toolpact lock --check.'}`) // biome-ignore format: one line
      const now = { ...found.server, conforming: attachable }
      await file.change((lock) => attachOverlay(lock, now, { tool, output, acceptance: toAcceptance(by) }))
    },
    async recall(name) {
      const { servers } = config()
      const locked = findServer(await toUsable(file), name)
      if (!locked || !Object.hasOwn(servers, name)) return undefined
      const { serverInfo = {}, ...identity } = locked.identity
      const changes = diffIdentities(identity, readIdentity(withDefaults(name, servers[name]!)))
      if (changes.some(({ weight }) => weight !== 'note')) return undefined
      return { serverInfo, definitions: Object.values(locked.tools).map(({ definition }) => definition) }
    },
    async views() {
      const lock = await file.load().catch((cause) => {
        if (cause instanceof StateError) return cause
        throw cause
      })
      if (lock instanceof StateError) {
        const verdict: LockVerdict = { state: 'differs', changes: [lock.message] }
        return () => ({ lockOf: () => verdict })
      }
      return ({ name, serverInfo }) => {
        const { servers, demand, drift } = config()
        const entry = Object.hasOwn(servers, name) ? withDefaults(name, servers[name]!) : {}
        const now = { name, identity: readIdentity(entry, serverInfo), settings: entry }
        return { lockOf: createLockOf(lock, now, { demand, drift }), overlays: overlaysOf(lock, name), drift }
      }
    },
  }
}

async function toUsable({ load }: { load(): Promise<Lock | undefined> }): Promise<Lock | undefined> {
  try {
    return await load()
  } catch (cause) {
    if (cause instanceof StateError) return undefined
    throw cause
  }
}

type Looked = { readonly name: string; readonly fault?: string } & (
  | { readonly state: 'unused' | 'unreachable' }
  | { readonly state: 'compared'; readonly server: LockableStatus }
)

function reviewServer(server: LockableStatus, lock: Lock | undefined, drift: LockRules['drift']): ServerReview {
  const { identity, tools, gone } = compareWithLock(lock, server, { drift })
  const locked = findServer(lock, server.name)
  const reviewed = [
    ...tools.map((compared) => reviewTool(compared, server, findTool(locked, compared.tool)?.definition)),
    ...gone.map(
      (name): ToolReview => ({
        ...{ name, state: 'gone', changes: [], digest: toAcceptDigest(server, [name], []), flags: [], refusals: [] },
        ...toAccepted(findTool(locked, name)?.definition),
      }),
    ),
  ].sort((one, other) => (one.name < other.name ? -1 : 1))
  const names = pendingOf({ tools: reviewed }).map(({ name }) => name)
  const isReplaced = identity.some(({ weight }) => weight !== 'note')
  const advice = toAdvice(server)
  return {
    name: server.name,
    state: 'compared',
    identity,
    tools: reviewed,
    ...((names.length > 0 || isReplaced) && { digest: toAcceptDigest(server, names, identity) }),
    ...(advice !== undefined && { advice }),
  }
}

function reviewTool(
  { tool: name, state, isOwn, changes, drift }: ToolComparison,
  server: LockableStatus,
  accepted: JsonObject | undefined,
): ToolReview {
  const refusals = server.refused.get(name) ?? []
  const definition = server.conforming.get(name)
  // Tools withheld only because the server's identity changed are accepted together with the server.
  if (state === 'same' || !definition || (state === 'differs' && !isOwn))
    return {
      name,
      state: toRefusedState(state),
      ...(drift && { drift }),
      changes,
      ...(definition && { definition }),
      ...toAccepted(accepted),
      flags: [],
      refusals,
    }
  const varying = accepted && findVaryingPlaces(diffJson(accepted, definition), definition)
  return {
    name,
    state: state === 'differs' || state === 'kept' ? state : 'new',
    ...(drift && { drift }),
    ...(varying && { varying }),
    changes,
    digest: toAcceptDigest(server, [name], []),
    definition,
    ...toAccepted(accepted),
    policy: policyOf(definition, server.settings),
    flags: server.flagsOf(name, definition),
    refusals,
  }
}

function toAccepted(accepted: JsonObject | undefined): Pick<ToolReview, 'accepted'> {
  return accepted ? { accepted } : {}
}

function toRefusedState(state: ToolComparison['state']): ToolReview['state'] {
  // A tool that cannot be accepted is not in use either.
  if (state === 'kept') return 'differs'
  return state === 'same' || state === 'differs' ? state : 'refused'
}

/** The tools that would be accepted with their server. */
function pendingOf({ tools }: Pick<ServerReview, 'tools'>): ToolReview[] {
  return tools.filter((tool) => tool.digest !== undefined && !isUnread(tool))
}

function requireVarying({ name, tools }: ServerReview, { tool, varying = [] }: ShownChange): void {
  const definition = tools.find((found) => found.name === tool)?.definition
  for (const pointer of varying) {
    const fault = definition ? findVaryingFault(definition, pointer) : 'the tool is gone'
    if (fault !== undefined) throw new ToolpactError('lock_refused', `${showText(pointer)} of ${name}.${tool} cannot be accepted as varying: ${fault}. Name a default such as /inputSchema/properties/since/default.`) // biome-ignore format: one line
  }
}

/** Whether the content to accept is the one that was shown. */
function isShown(review: ServerReview, { tool, digest }: ShownChange): boolean {
  if (tool === undefined) return digest !== undefined && review.digest === digest
  const found = review.tools.find(({ name }) => name === tool)
  if (digest === undefined) return found?.state === 'same'
  return found?.digest === digest
}

function digestOfLeft(server: string): string {
  return digest({ server, left: true })
}

function toAcceptance(by: string) {
  return { by, at: new Date().toISOString() }
}

function toAdvice({ identity }: LockableStatus): string | undefined {
  if (identity.package === undefined || identity.version !== undefined) return undefined
  return `Its command does not pin the version of ${identity.package.replace(/^\w+:/, '')}, so each start may run another one. Pin it.`
}

function toKnownTools({ name: server, definitions }: UpstreamStatus) {
  return definitions.flatMap(({ name }) => (typeof name === 'string' ? [{ server, tool: name }] : []))
}

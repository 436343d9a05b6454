import { digest } from '../../contract/digest.ts'
import type { JsonObject, JsonSchema } from '../../contract/json.ts'
import { instructionsName } from '../../contract/offer.ts'
import { ToolpactError } from '../../contract/toolpact-error.ts'
import { policyOf, type ServerNow } from './compare-with-lock.ts'
import { diffIdentities, type IdentityChange } from './diff-identities.ts'
import { findServer, findTool } from './find-locked.ts'
import type { Acceptance, Lock, LockedServer, LockedTool } from './lock.ts'
import { sortKeys, toLockDigests } from './lock-digests.ts'
import { findVaryingFault } from './varying.ts'

/** A server whose tools can be put into the lock. */
export interface LockableServer extends ServerNow {
  /** Definitions, by name, of the tools that would be admitted if they were in the lock. */
  readonly conforming: ReadonlyMap<string, JsonObject>
  /** Passages that a person should review before accepting a tool. */
  readonly flagsOf: (tool: string, definition: JsonObject) => readonly string[]
}

const empty: Lock = { lockVersion: 1, servers: {} }

/**
 * Adds new tools to the lock. Entries that were accepted before stay, even if the server now differs from them. Instructions
 * are accepted by name alone, by a person who was shown them.
 */
export function toLock(servers: readonly LockableServer[], acceptance: Acceptance, previous: Lock = empty): Lock {
  return servers.reduce((lock, server) => {
    const known = findServer(lock, server.name)
    const names = [...server.conforming.keys()].filter((name) => !findTool(known, name) && name !== instructionsName)
    const isOther = known && diffIdentities(known.identity, server.identity).some(({ weight }) => weight !== 'note')
    return acceptTools(lock, server, { names, acceptance, identity: !isOther })
  }, previous)
}

export interface AcceptedTools {
  /** Tools to accept as they are now. Those that the server no longer lists are removed. */
  readonly names: readonly string[]
  readonly acceptance: Acceptance
  /** Whether to accept the current identity of the server too. */
  readonly identity: boolean
  /** Defaults of these tools that may differ from start to start, in addition to those accepted before. */
  readonly varying?: readonly string[]
}

/** Puts tools into the lock as they are now. Attached schemas stay. */
export function acceptTools(
  lock: Lock = empty,
  server: LockableServer,
  { names, acceptance, identity, varying = [] }: AcceptedTools,
): Lock {
  const known = findServer(lock, server.name)
  const gone = names.filter((name) => !server.conforming.has(name))
  const kept = Object.entries(known?.tools ?? {}).filter(([name]) => !gone.includes(name))
  const taken = names
    .filter((name) => server.conforming.has(name))
    .map((name) => [name, toLockedTool(server, name, { acceptance, before: findTool(known, name), varying })] as const)
  return withServer(lock, server.name, {
    identity: known && !identity ? known.identity : toKnown(known, server),
    tools: Object.fromEntries([...kept, ...taken]),
  })
}

/** Attaches an output schema to a tool, and accepts the tool as it is now. */
export function attachOverlay(
  lock: Lock = empty,
  server: LockableServer,
  { tool, output, acceptance }: { readonly tool: string; readonly output: JsonSchema; readonly acceptance: Acceptance },
): Lock {
  const known = findServer(lock, server.name)
  const before = findTool(known, tool)
  const locked = toLockedTool(server, tool, { acceptance, before: { ...before, overlay: { output } } })
  return withServer(lock, server.name, {
    identity: known?.identity ?? server.identity,
    tools: { ...known?.tools, [tool]: locked },
  })
}

/** Removes a server from the lock. */
export function withoutServer(lock: Lock, name: string): Lock {
  return { ...lock, servers: Object.fromEntries(Object.entries(lock.servers).filter(([other]) => other !== name)) }
}

/** The digest of what a person is shown and accepts: the current tools, and the changes in the server itself. */
export function toAcceptDigest(
  server: LockableServer,
  names: readonly string[],
  identity: readonly IdentityChange[],
): string {
  const tools = names.toSorted().map((name): JsonObject => {
    const definition = server.conforming.get(name)
    if (!definition) return { name, gone: true }
    const { risk, approval } = policyOf(definition, server.settings)
    return { name, definition, risk, approval }
  })
  const replaced = identity.filter(({ weight }) => weight !== 'note').map(({ pointer, message }) => [pointer, message])
  return digest({ server: server.name, tools, replaced })
}

function withServer(lock: Lock, name: string, server: LockedServer): Lock {
  return { ...lock, servers: { ...lock.servers, [name]: server } }
}

/** Keeps the known integrity if this machine does not know one. */
function toKnown(known: LockedServer | undefined, { identity }: ServerNow): LockedServer['identity'] {
  const { package: name, version, integrity } = known?.identity ?? {}
  const isKept =
    integrity !== undefined && !identity.integrity && name === identity.package && version === identity.version
  return isKept ? { ...identity, integrity } : identity
}

interface Accepting {
  readonly acceptance: Acceptance
  /** The previous entry, whose attached schema stays. */
  readonly before: Pick<LockedTool, 'overlay' | 'varying'> | undefined
  readonly varying?: readonly string[]
}

function toLockedTool(
  server: LockableServer,
  name: string,
  { acceptance, before, varying = [] }: Accepting,
): LockedTool {
  const definition = server.conforming.get(name)
  if (!definition)
    throw new ToolpactError('not_found', `The server ${server.name} has no tool '${name}' that could be accepted.`)
  const policy = policyOf(definition, server.settings)
  const flags = server.flagsOf(name, definition)
  const places = [...new Set([...(before?.varying ?? []), ...varying])].sort()
  const vary = places.filter((pointer) => findVaryingFault(definition, pointer) === undefined)
  const overlay = before?.overlay
  const parts = { definition, policy, ...(overlay && { overlay }), ...(vary.length > 0 && { varying: vary }) }
  return {
    acceptedBy: acceptance.by,
    acceptedAt: acceptance.at,
    digests: toLockDigests(parts),
    ...(flags.length > 0 && { flags }),
    ...parts,
    definition: sortKeys(definition),
  }
}

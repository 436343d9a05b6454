import type { Change, Finding } from '../../contract/diff/change.ts'
import { digest } from '../../contract/digest.ts'
import type { JsonObject } from '../../contract/json.ts'
import { boundJson } from '../../contract/schema/bound-json.ts'
import { chooseRisk } from '../admission/choose-risk.ts'
import type { LockVerdict } from '../admission/verdict.ts'
import { definitionLimits } from '../admit.ts'
import type { ServerSettings } from '../server-settings.ts'
import { diffIdentities, type IdentityChange } from './diff-identities.ts'
import { diffLockedTools } from './diff-locked-tools.ts'
import { findServer, findTool } from './find-locked.ts'
import type { Lock, LockDemand, LockedPolicy, LockedTool, ServerIdentity } from './lock.ts'

/** A server as it is now. */
export interface ServerNow {
  readonly name: string
  readonly identity: ServerIdentity
  readonly settings: ServerSettings
}

/** How one tool compares with what was accepted. */
export interface ToolComparison {
  readonly tool: string
  /** `differs`: withheld until accepted. A policy that has only become stricter is `same`, and told in `changes`. */
  readonly state: LockVerdict['state']
  /** Is it the tool that differs, and not only its server? */
  readonly isOwn: boolean
  readonly changes: readonly Change[]
}

export interface ServerComparison {
  readonly identity: readonly IdentityChange[]
  /** In the order of the list. Of several under one name the first that differs counts. */
  readonly tools: readonly ToolComparison[]
  /** What was accepted and is not listed any more. */
  readonly gone: readonly string[]
}

/** Compares all that a server lists with the lock. */
export function compareWithLock(
  lock: Lock | undefined,
  server: ServerNow & { readonly definitions: readonly unknown[] },
  demand: LockDemand = 'optional',
): ServerComparison {
  const compare = createToolComparison(lock, server, demand)
  const tools = new Map<string, ToolComparison>()
  for (const definition of server.definitions) {
    const name = nameOf(definition)
    if (name !== undefined && tools.get(name)?.state !== 'differs') tools.set(name, compare(name, definition))
  }
  const locked = findServer(lock, server.name)
  return {
    identity: locked ? diffIdentities(locked.identity, server.identity) : [],
    tools: [...tools.values()],
    gone: Object.keys(locked?.tools ?? {}).filter((name) => !tools.has(name)),
  }
}

/** Compares one tool at a time, in the form that admission asks for. */
export function createLockOf(lock: Lock | undefined, server: ServerNow, demand: LockDemand = 'optional') {
  const compare = createToolComparison(lock, server, demand)
  return (name: string, definition: unknown): LockVerdict => {
    const { state, changes } = compare(name, definition)
    return {
      state,
      changes: changes.map(({ pointer, message }) => (pointer === '' ? message : `${pointer}: ${message}`)),
    }
  }
}

/** Risk and approval as admission decides them. */
export function policyOf(definition: JsonObject, settings: ServerSettings): LockedPolicy {
  const { risk, approval } = chooseRisk(String(definition.name), definition.annotations, settings)
  return { risk, approval }
}

function createToolComparison(lock: Lock | undefined, server: ServerNow, demand: LockDemand) {
  const locked = findServer(lock, server.name)
  const identity = locked ? diffIdentities(locked.identity, server.identity) : []
  const replaced = identity.filter(
    ({ weight }) => weight === 'tampered' || (weight === 'replaced' && demand === 'required'),
  )

  return (tool: string, definition: unknown): ToolComparison => {
    const accepted = findTool(locked, tool)
    if (!accepted)
      return { tool, state: demand === 'required' ? 'required_missing' : 'unlocked', isOwn: true, changes: [] }
    const found = compareTool(accepted, definition, server.settings)
    const changes = [...replaced.map(({ weight: _, ...finding }) => finding), ...found.changes]
    return {
      tool,
      state: replaced.length === 0 && found.isSame ? 'same' : 'differs',
      isOwn: !found.isSame,
      changes: changes.map((finding) => ({ tool: `${server.name}.${tool}`, ...finding })),
    }
  }
}

interface Compared {
  readonly isSame: boolean
  readonly changes: readonly Finding[]
}

function compareTool(accepted: LockedTool, definition: unknown, settings: ServerSettings): Compared {
  const bounded = boundJson(definition, definitionLimits)
  if (!bounded.ok) {
    const message = `The definition cannot be read any more: ${bounded.message}`
    return { isSame: false, changes: [{ pointer: bounded.pointer, category: 'wire', breaking: true, message }] }
  }
  const next = bounded.value as JsonObject
  const policy = policyOf(next, settings)
  const isSameDefinition = digest(next) === accepted.digests.definition
  if (isSameDefinition && policy.risk === accepted.policy.risk && policy.approval === accepted.policy.approval)
    return { isSame: true, changes: [] }
  const changes = diffLockedTools(accepted, { definition: next, policy })
  // What only holds the tool more strictly takes nothing from what was accepted.
  return { isSame: isSameDefinition && !changes.some(({ breaking }) => breaking), changes }
}

function nameOf(definition: unknown): string | undefined {
  const name = Object(definition).name
  return typeof name === 'string' ? name : undefined
}

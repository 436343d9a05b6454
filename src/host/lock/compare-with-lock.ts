import type { Change, Finding } from '../../contract/diff/change.ts'
import { digest } from '../../contract/digest.ts'
import type { JsonObject } from '../../contract/json.ts'
import { instructionsName } from '../../contract/offer.ts'
import { boundJson } from '../../contract/schema/bound-json.ts'
import { chooseRisk } from '../admission/choose-risk.ts'
import type { LockVerdict } from '../admission/verdict.ts'
import { definitionLimits } from '../admit.ts'
import type { ServerSettings } from '../server-settings.ts'
import { classifyDrift, withStricterHints } from './classify-drift.ts'
import { diffIdentities, type IdentityChange } from './diff-identities.ts'
import { diffLockedTools, isLooserPolicy } from './diff-locked-tools.ts'
import { type Drift, isHarmless } from './drift.ts'
import { findServer, findTool } from './find-locked.ts'
import type { Lock, LockDemand, LockedPolicy, LockedTool, ServerIdentity } from './lock.ts'
import { withVarying } from './varying.ts'

/** A server as it is now. */
export interface ServerNow {
  readonly name: string
  readonly identity: ServerIdentity
  readonly settings: ServerSettings
}

/** Settings for tools that differ from what was accepted. */
export interface LockRules {
  readonly demand?: LockDemand | undefined
  /** `strict`: any change withholds the tool. Default: after a harmless change, the accepted definition stays in use. */
  readonly drift?: 'keep' | 'strict' | undefined
}

/** How a tool compares with the accepted one. */
export interface ToolComparison {
  readonly tool: string
  /**
   * `differs`: withheld until accepted. `kept`: the accepted definition stays in use. A policy that has only become
   * stricter is `same`, and reported in `changes`.
   */
  readonly state: LockVerdict['state']
  readonly drift?: Drift
  /** The definition that stays in use, if it is `kept`. */
  readonly accepted?: JsonObject
  /** Whether the tool itself differs, not only its server. */
  readonly isOwn: boolean
  readonly changes: readonly Change[]
}

export interface ServerComparison {
  readonly identity: readonly IdentityChange[]
  /** In the order of the list. If several have the same name, the one that differs most. */
  readonly tools: readonly ToolComparison[]
  /** Accepted tools that are no longer listed. */
  readonly gone: readonly string[]
}

/** Compares all tools of a server with the lock. */
export function compareWithLock(
  lock: Lock | undefined,
  server: ServerNow & { readonly definitions: readonly unknown[] },
  rules: LockRules = {},
): ServerComparison {
  const compare = createToolComparison(lock, server, rules)
  const tools = new Map<string, ToolComparison>()
  for (const definition of server.definitions) {
    const name = nameOf(definition)
    if (name === undefined) continue
    const compared = compare(name, definition)
    const known = tools.get(name)
    if (!known || severity.indexOf(compared.state) > severity.indexOf(known.state)) tools.set(name, compared)
  }
  const locked = findServer(lock, server.name)
  return {
    identity: locked ? diffIdentities(locked.identity, server.identity) : [],
    tools: [...tools.values()],
    gone: Object.keys(locked?.tools ?? {}).filter((name) => !tools.has(name)),
  }
}

const severity: readonly LockVerdict['state'][] = ['unlocked', 'required_missing', 'same', 'kept', 'differs']

/** Compares one tool at a time, for admission. */
export function createLockOf(lock: Lock | undefined, server: ServerNow, rules: LockRules = {}) {
  const compare = createToolComparison(lock, server, rules)
  return (name: string, definition: unknown): LockVerdict => {
    const { state, changes, drift, accepted } = compare(name, definition)
    return {
      state,
      ...(drift && { drift }),
      ...(accepted && { accepted }),
      changes: changes.map(({ pointer, message }) => (pointer === '' ? message : `${pointer}: ${message}`)),
    }
  }
}

/** Risk and approval, as decided by admission. */
export function policyOf(definition: JsonObject, settings: ServerSettings): LockedPolicy {
  const { risk, approval } = chooseRisk(String(definition.name), definition.annotations, settings)
  return { risk, approval }
}

function createToolComparison(lock: Lock | undefined, server: ServerNow, { demand, drift }: LockRules) {
  const locked = findServer(lock, server.name)
  const identity = locked ? diffIdentities(locked.identity, server.identity) : []
  const replaced = identity.filter(
    ({ weight }) => weight === 'tampered' || (weight === 'replaced' && demand === 'required'),
  )

  return (tool: string, definition: unknown): ToolComparison => {
    const accepted = findTool(locked, tool)
    // Instructions reach no model before a person has read them.
    const isRequired = demand === 'required' || tool === instructionsName
    if (!accepted) return { tool, state: isRequired ? 'required_missing' : 'unlocked', isOwn: true, changes: [] }
    const { changes: own, ...found } = compareTool(accepted, definition, server)
    const changes = [...replaced.map(({ weight: _, ...finding }) => finding), ...own]
    const isWithheld = replaced.length > 0 || (drift === 'strict' && found.state === 'kept')
    return {
      tool,
      ...(isWithheld ? { state: 'differs', ...(found.drift && { drift: found.drift }) } : found),
      isOwn: found.state !== 'same',
      changes: changes.map((finding) => ({ tool: `${server.name}.${tool}`, ...finding })),
    }
  }
}

interface Compared extends Pick<ToolComparison, 'drift' | 'accepted'> {
  readonly state: 'same' | 'kept' | 'differs'
  readonly changes: readonly Finding[]
}

function compareTool(locked: LockedTool, definition: unknown, { name: server, settings }: ServerNow): Compared {
  const bounded = boundJson(definition, definitionLimits)
  if (!bounded.ok) {
    const message = `The definition cannot be read any more: ${bounded.message}`
    return { state: 'differs', changes: [{ pointer: bounded.pointer, category: 'wire', breaking: true, message }] }
  }
  const next = bounded.value as JsonObject
  const policy = policyOf(next, settings)
  const accepted = withVarying(locked, next, server)
  const isSame = digest(next) === (accepted === locked.definition ? locked.digests.definition : digest(accepted))
  if (isSame && policy.risk === locked.policy.risk && policy.approval === locked.policy.approval)
    return { state: 'same', changes: [] }
  const changes = diffLockedTools({ ...locked, definition: accepted }, { definition: next, policy })
  // A policy that only became stricter does not conflict with what was accepted.
  if (isSame) return { state: changes.some(({ breaking }) => breaking) ? 'differs' : 'same', changes }
  const drift = classifyDrift(accepted, next, server)
  const served = withStricterHints(accepted, next)
  // The config may have become less strict since then.
  const isLooser = isLooserPolicy(locked.policy, policyOf(served, settings))
  if (!isHarmless(drift) || isLooser) return { state: 'differs', drift: isHarmless(drift) ? 'loosens' : drift, changes }
  return { state: 'kept', drift, accepted: served, changes }
}

function nameOf(definition: unknown): string | undefined {
  const name = Object(definition).name
  return typeof name === 'string' ? name : undefined
}

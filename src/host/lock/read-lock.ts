import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'
import { printableJson } from '../../contract/text/printable.ts'
import { showText, showValue } from '../../contract/text/show-value.ts'
import type { Lock, LockedServer, LockedTool, ServerIdentity } from './lock.ts'
import { sortKeys, toLockDigests } from './lock-digests.ts'
import { findVaryingFault } from './varying.ts'

const limits = { maxBytes: 268_435_456, maxDepth: 128 }

/**
 * Parses a `toolpact.lock` and verifies every digest. Throws an error whose message completes a sentence that begins with
 * the path of the file.
 */
export function readLock(bytes: Uint8Array): Lock {
  const parsed = parseJson(bytes, limits)
  if (!parsed.ok) throw new Error(`is not valid: ${toFault(parsed.message, bytes)}`)
  const root = mustBeObject(parsed.value, 'the file')
  if (root.lockVersion !== 1)
    throw new Error(`has the lockVersion ${showValue(root.lockVersion ?? null)}, and this Toolpact knows version 1`)
  mustHaveOnly(root, ['lockVersion', 'servers'], 'the file')
  const servers = Object.entries(mustBeObject(root.servers, 'servers'))
  return {
    lockVersion: 1,
    servers: Object.fromEntries(servers.map(([name, value]) => [name, readServer(value, name)])),
  }
}

/** The text of a lock. Deterministic: the same lock always has the same text. */
export function writeLock({ servers }: Lock): string {
  const sorted = mapSorted(servers, ({ identity, tools }) => ({
    identity: sortKeys(toJson(identity)),
    tools: mapSorted(tools, toOrdered),
  }))
  // Escapes characters that a reviewer could not see.
  return `${printableJson({ lockVersion: 1, servers: sorted }, 2)}\n`
}

function toOrdered(tool: LockedTool): LockedTool {
  const { acceptedBy, acceptedAt, policy, flags, definition, overlay, varying } = tool
  return {
    acceptedBy,
    acceptedAt,
    policy: { risk: policy.risk, approval: policy.approval },
    digests: toLockDigests(tool),
    ...(flags && flags.length > 0 && { flags }),
    definition: sortKeys(definition),
    ...(overlay && { overlay: { output: sortKeys(toJson(overlay.output)) } }),
    ...(varying && { varying }),
  }
}

function mapSorted<Value, Mapped>(values: { readonly [name: string]: Value }, map: (value: Value) => Mapped) {
  const names = Object.keys(values).sort()
  return Object.fromEntries(names.map((name) => [name, map(values[name]!)]))
}

/** Merge conflicts are the most common fault. */
function toFault(message: string, bytes: Uint8Array): string {
  const hasMarkers = /^(?:<{7} |>{7} )/m.test(new TextDecoder().decode(bytes.subarray(0, 16_777_216)))
  return hasMarkers ? 'it contains merge conflicts' : message.replace(/\.$/, '')
}

const serverName = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/

function readServer(value: JsonValue, name: string): LockedServer {
  if (!serverName.test(name)) throw new Error(`has a server ${showValue(name)}, which no server can be called`)
  const server = mustBeObject(value, name)
  mustHaveOnly(server, ['identity', 'tools'], name)
  const tools = Object.entries(mustBeObject(server.tools, `${name}.tools`))
  return {
    identity: readIdentity(server.identity, `${name}.identity`),
    tools: Object.fromEntries(
      tools.map(([tool, entry]) => [tool, readTool(entry, { tool, place: `${name}.${showText(tool)}` })]),
    ),
  }
}

function readIdentity(value: JsonValue | undefined, place: string): ServerIdentity {
  const { kind, serverInfo = {}, grants, ...texts } = mustBeObject(value, place)
  if (kind !== 'stdio' && kind !== 'http' && kind !== 'sse') throw new Error(`has no valid 'kind' in ${place}`)
  mustHaveTexts(texts, ['command', 'package', 'version', 'integrity', 'url'], place)
  mustHaveTexts(mustBeObject(serverInfo, `${place}.serverInfo`), ['name', 'title', 'version'], `${place}.serverInfo`)
  if (grants !== undefined) mustBeGrants(mustBeObject(grants, `${place}.grants`), `${place}.grants`)
  return value as unknown as ServerIdentity
}

function mustBeGrants(grants: JsonObject, place: string): void {
  mustHaveOnly(grants, ['read', 'write', 'network'], place)
  const isTexts = (value: JsonValue | undefined) => Array.isArray(value) && value.every((text) => typeof text === 'string') // biome-ignore format: one line
  const { read, write, network } = grants
  if (!isTexts(read) || !isTexts(write) || !(network === 'none' || network === 'any' || isTexts(network)))
    throw new Error(`has no valid 'read', 'write' and 'network' in ${place}`)
}

function readTool(value: JsonValue, { tool, place }: { tool: string; place: string }): LockedTool {
  const entry = mustBeObject(value, place)
  mustHaveOnly(
    entry,
    ['acceptedBy', 'acceptedAt', 'policy', 'digests', 'flags', 'definition', 'overlay', 'varying'],
    place,
  )
  const { acceptedBy, acceptedAt, flags = [] } = entry
  if (typeof acceptedBy !== 'string' || acceptedBy === '') throw new Error(`does not say who accepted ${place}`)
  if (typeof acceptedAt !== 'string' || Number.isNaN(Date.parse(acceptedAt)))
    throw new Error(`does not say when ${place} was accepted`)
  if (!Array.isArray(flags) || flags.some((flag) => typeof flag !== 'string'))
    throw new Error(`has 'flags' in ${place} that are not strings`)
  const definition = mustBeObject(entry.definition, `${place}.definition`)
  if (definition.name !== tool) throw new Error(`has the definition of another tool in ${place}`)
  const policy = mustBeObject(entry.policy, `${place}.policy`)
  mustHaveOnly(policy, ['risk', 'approval'], `${place}.policy`)
  if (
    !['read_only', 'safe_write', 'dangerous'].includes(policy.risk as string) ||
    !['never', 'ask'].includes(policy.approval as string)
  )
    throw new Error(`has no valid 'risk' and 'approval' in ${place}`)
  if (entry.overlay !== undefined) {
    const overlay = mustBeObject(entry.overlay, `${place}.overlay`)
    mustHaveOnly(overlay, ['output'], `${place}.overlay`)
    mustBeObject(overlay.output, `${place}.overlay.output`)
  }
  mustVary(entry.varying, definition, place)
  const locked = entry as unknown as LockedTool
  mustHaveDigests(locked, place)
  return locked
}

/** Accepts only locations that can vary: an entry written by hand must not excuse any other change. */
function mustVary(varying: JsonValue | undefined, definition: JsonObject, place: string): void {
  if (varying === undefined) return
  const isSound = Array.isArray(varying) && varying.length > 0 && varying.every((pointer) => typeof pointer === 'string' && findVaryingFault(definition, pointer) === undefined) // biome-ignore format: one line
  if (!isSound) throw new Error(`has 'varying' in ${place} that does not name defaults of its input`)
}

function mustHaveDigests(locked: LockedTool, place: string): void {
  const found = mustBeObject(locked.digests as unknown as JsonValue, `${place}.digests`)
  const right = toLockDigests(locked)
  mustHaveOnly(found, Object.keys(right), `${place}.digests`)
  const wrong = Object.entries(right).find(([part, digest]) => found[part] !== digest)
  if (wrong) throw new Error(`was changed by hand: the digest of '${wrong[0]}' in ${place} does not match its content`)
}

function mustBeObject(value: JsonValue | undefined, place: string): JsonObject {
  if (isObject(value)) return value
  throw new Error(`has no object in ${place}`)
}

/** An unknown key may be a misspelled restriction. */
function mustHaveOnly(object: JsonObject, names: readonly string[], place: string): void {
  const other = Object.keys(object).find((name) => !names.includes(name))
  if (other !== undefined) throw new Error(`has '${showText(other)}' in ${place}, which no lock has`)
}

function mustHaveTexts(object: JsonObject, names: readonly string[], place: string): void {
  mustHaveOnly(object, names, place)
  const wrong = Object.entries(object).find(([, value]) => typeof value !== 'string')
  if (wrong) throw new Error(`has no text '${wrong[0]}' in ${place}`)
}

function toJson(value: object): JsonObject {
  return value as JsonObject
}

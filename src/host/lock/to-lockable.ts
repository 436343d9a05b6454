import { describeGrants } from '../../contract/app-ui.ts'
import type { JsonObject } from '../../contract/json.ts'
import { instructionsName } from '../../contract/offer.ts'
import type { ReasonCode } from '../admission/reasons.ts'
import type { ToolIndex } from '../admission/tool-index.ts'
import { readGrants } from '../offers/app-grants.ts'
import type { ServerSettings } from '../server-settings.ts'
import { findSignals } from '../signals/find-signals.ts'
import type { UpstreamStatus } from '../upstream.ts'
import { type NamedServer, readIdentity } from './to-identity.ts'
import type { LockableServer } from './to-lock.ts'

/** A server of the config, before variables are expanded. */
export type LockedEntry = NamedServer & ServerSettings

export interface LockableStatus extends LockableServer {
  readonly definitions: readonly JsonObject[]
  /** Definitions, by name, of the tools that an output schema can be attached to, including those that lack only that. */
  readonly attachable: ReadonlyMap<string, JsonObject>
  /** Why a tool cannot be put into the lock, by name. */
  readonly refused: ReadonlyMap<string, readonly string[]>
}

/** A connected server, prepared for comparison with the lock. */
export function toLockable(status: UpstreamStatus, entry: LockedEntry, others: ToolIndex): LockableStatus {
  const { name: server, serverInfo, definitions } = status
  const conforming = findDefinitions(status, ['differs_from_lock', 'not_in_lock'])
  const refused = new Map<string, string[]>()
  for (const { name, reasons } of status.withheld) {
    if (!conforming.has(name)) refused.set(name, reasons.map(({ message }) => message)) // biome-ignore format: one line
  }
  return {
    name: server,
    identity: readIdentity(entry, serverInfo),
    settings: entry,
    definitions,
    conforming,
    // A change must be accepted first.
    attachable: findDefinitions({ ...status, admitted: status.admitted.filter(({ review }) => !review) }, [
      'not_in_lock',
      'no_output_schema',
      'invalid_overlay',
    ]),
    refused,
    flagsOf: (_, definition) => [
      ...findSignals(definition, { server, others }).map(
        ({ signal, pointer, excerpt }) => `${signal} at ${pointer}: ${excerpt}`,
      ),
      ...describeGrants(readGrants(definition)?.grants ?? {}).map((grant) => `its app ${grant}`),
    ],
  }
}

/** The tools that are admitted, or withheld only for `codes`. Identical duplicates count as one tool. */
function findDefinitions(status: UpstreamStatus, codes: readonly ReasonCode[]): Map<string, JsonObject> {
  const { admitted, withheld, definitions } = status
  const passed = withheld.filter(({ reasons }) => reasons.every(({ code }) => codes.includes(code)))
  const names = new Set([...admitted.map(({ tool }) => tool.contract.name), ...passed.map(({ name }) => name)])
  // Instructions that are new are not reported as withheld.
  if (!withheld.some(({ name }) => name === instructionsName)) names.add(instructionsName)
  // The JSON parser rejects this key.
  names.delete('__proto__')
  const found = new Map<string, JsonObject>()
  for (const definition of definitions) {
    const { name } = definition
    if (typeof name === 'string' && names.has(name) && !found.has(name)) found.set(name, definition)
  }
  return found
}

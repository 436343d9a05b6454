import { digest } from '../../contract/digest.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import type { LockDigests, LockedTool } from './lock.ts'

/** The digests of a definition and its policy. Expects bounded JSON. */
export function toLockDigests(tool: Pick<LockedTool, 'definition' | 'policy' | 'overlay' | 'varying'>): LockDigests {
  const { definition, policy, overlay, varying } = tool
  return {
    definition: digest(definition),
    description: digestPart(definition.description),
    input: digestPart(definition.inputSchema),
    output: digestPart(definition.outputSchema),
    annotations: digestPart(definition.annotations),
    policy: digest({ approval: policy.approval, risk: policy.risk }),
    ...(overlay && { overlay: digest(overlay as unknown as JsonObject) }),
    ...(varying && { varying: digest([...varying]) }),
  }
}

function digestPart(part: JsonValue | undefined): string {
  return digest(part ?? null)
}

/** The same value with the keys of every object in canonical order. Expects bounded depth. */
export function sortKeys<Value extends JsonValue>(value: Value): Value {
  if (Array.isArray(value)) return value.map(sortKeys) as Value
  if (typeof value !== 'object' || value === null) return value
  const keys = Object.keys(value).sort()
  return Object.fromEntries(keys.map((key) => [key, sortKeys((value as JsonObject)[key]!)])) as Value
}

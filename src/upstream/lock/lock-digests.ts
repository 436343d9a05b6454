import { digest } from '../../contract/digest.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import type { LockDigests, LockedPolicy, Overlay } from './lock.ts'

/** The digests of a definition and of what was decided about it. Expects bounded JSON. */
export function toLockDigests(definition: JsonObject, policy: LockedPolicy, overlay?: Overlay): LockDigests {
  return {
    definition: digest(definition),
    description: digestPart(definition.description),
    input: digestPart(definition.inputSchema),
    output: digestPart(definition.outputSchema),
    annotations: digestPart(definition.annotations),
    policy: digest({ approval: policy.approval, risk: policy.risk }),
    ...(overlay && { overlay: digest(overlay as unknown as JsonObject) }),
  }
}

function digestPart(part: JsonValue | undefined): string {
  return digest(part ?? null)
}

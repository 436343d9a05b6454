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

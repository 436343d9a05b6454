import { isDeepStrictEqual } from 'node:util'
import type { CallResult } from '../../contract/call-result.ts'
import type { Example } from '../../contract/contract.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { fromPointer } from '../../contract/schema/json-pointer.ts'
import { showValue } from '../../contract/text/show-value.ts'

/**
 * Describes how a result differs from an example; undefined if it matches. `evidence` explains a contract violation.
 */
export function compareExample(example: Example, result: CallResult, evidence?: string): string | undefined {
  if (!result.success) {
    const { code, message } = result.error
    if (code === example.error) return undefined
    const wanted = example.error === undefined ? 'succeed' : `fail with ${example.error}`
    return `It should ${wanted}, but fails with ${code}: ${evidence ?? message}`
  }
  const { output } = result
  if (!example.output) return `It should fail with ${example.error}, and returns ${show(output)}`
  if (isDeepStrictEqual(withoutWhatVaries(output, example), withoutWhatVaries(example.output, example)))
    return undefined
  return `It should return ${show(example.output)}, and returns ${show(output)}`
}

const show = (output: JsonObject) => showValue(output, 1000)

/** Removes varying fields, which may also be absent, before comparing. */
function withoutWhatVaries(output: JsonObject, { varies = [] }: Example): JsonValue {
  const copy = structuredClone(output)
  for (const pointer of varies) {
    const segments = fromPointer(pointer) ?? []
    const last = segments.pop()
    const place = segments.reduce<JsonValue | undefined>((value, segment) => (value as JsonObject)?.[segment], copy)
    if (last !== undefined && typeof place === 'object' && place !== null) (place as JsonObject)[last] = 'varies'
  }
  return copy
}

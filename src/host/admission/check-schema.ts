import { guardSchema, type SchemaProblem } from '../../contract/schema/guard-schema.ts'
import type { SchemaRule } from '../../contract/schema/schema-rules.ts'
import { showText } from '../../contract/text/show-value.ts'
import type { ReasonCode, ToReason } from './reasons.ts'
import type { Reason } from './verdict.ts'

const maxReasons = 3

/** The reasons why a schema cannot be used; empty if it can. `at`: its JSON pointer in the definition. */
export async function checkSchema(schema: unknown, at: string, toReason: ToReason): Promise<Reason[]> {
  const verdict = await guardSchema(schema)
  if (verdict.admitted) return []
  return verdict.problems.slice(0, maxReasons).map((problem) => toReason(codeOf(problem), toMessage(problem, at)))
}

function toMessage({ pointer, message }: SchemaProblem, at: string): string {
  const where = showText(at + pointer, 200)
  return `${where === '' ? '' : `${where}: `}${showText(message, 400)}`
}

function codeOf({ rule }: SchemaProblem): ReasonCode {
  return codes[rule as SchemaRule] ?? 'invalid_schema'
}

const codes: { readonly [Rule in SchemaRule]: ReasonCode } = {
  not_json: 'invalid_schema',
  not_a_schema: 'invalid_schema',
  invalid_keyword: 'invalid_schema',
  reference_not_found: 'invalid_schema',
  prototype_key: 'hostile_schema',
  too_large: 'hostile_schema',
  too_deep: 'hostile_schema',
  too_many_parts: 'hostile_schema',
  reference_not_local: 'hostile_schema',
  reference_loop: 'hostile_schema',
  reference_cost: 'hostile_schema',
  unsupported_dialect: 'unsupported_schema',
  identifier: 'unsupported_schema',
  pattern: 'unsupported_schema',
}

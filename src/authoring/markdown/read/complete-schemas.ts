import type { JsonObject } from '../../../contract/json.ts'
import { checkClosedBesideBranches, checkVacuousIf } from '../../../contract/lint/branch-rules.ts'
import { checkObjectExplicit } from '../../../contract/lint/object-rules.ts'
import { isSchemaObject, requiredOf, type SchemaNode, walkSchema } from '../../../contract/lint/walk-schema.ts'
import { fromPointer } from '../../../contract/schema/json-pointer.ts'
import { dialectOf } from '../../../contract/schema/survey-schema.ts'
import type { Draft } from './draft.ts'

/**
 * Completes schemas with what a contract requires but ordinary JSON Schema leaves implicit. Every change is reported; explicit
 * statements of the document are not touched.
 */
export function completeSchemas(draft: Draft): void {
  for (const side of ['input', 'output'] as const) {
    const source = draft.source[side]
    if (draft.isAssumed(`/${side}`) || !isSchemaObject(source) || source.type !== 'object') continue
    const schema = structuredClone(source) as JsonObject
    // Mutates only this copy.
    for (const node of walkSchema(schema, `/${side}`) as MutableNode[]) {
      if (node.parent) openNested(node, draft)
      else closeRoot(node, draft)
      requireInIf(node, draft)
    }
    draft.source[side] = schema
  }
}

interface MutableNode extends SchemaNode {
  readonly schema: JsonObject
}

/** Undeclared properties are refused at the top level, as for tools of servers. */
function closeRoot(node: MutableNode, draft: Draft) {
  const { schema } = node
  if ('additionalProperties' in schema || 'unevaluatedProperties' in schema) return
  const closed = { ...node, schema: { ...schema, additionalProperties: false } }
  const hasBranches = checkClosedBesideBranches(closed).length > 0
  if (hasBranches && dialectOf(schema.$schema) === 'draft-07') return
  const keyword = hasBranches ? 'unevaluatedProperties' : 'additionalProperties'
  schema[keyword] = false
  const message = `The schema does not say whether other properties are allowed. ${keyword}: false was added, so they are refused.`
  note(draft, { code: 'root-closed', pointer: `${node.pointer}/${keyword}`, message })
}

/** JSON Schema allows other properties by default, and nested objects may contain arbitrary data. */
function openNested(node: MutableNode, draft: Draft) {
  const [finding] = checkObjectExplicit(node)
  if (!finding) return
  node.schema.additionalProperties = true
  const message = 'The object does not say whether other properties are allowed. additionalProperties: true was added, which means the same.' // biome-ignore format: one line
  note(draft, { code: 'object-open', pointer: finding.pointer, message })
}

/** An `if` about an optional property must require it first. */
function requireInIf(node: MutableNode, draft: Draft) {
  const condition = node.schema.if
  for (const { pointer } of checkVacuousIf(node)) {
    const name = fromPointer(pointer)!.at(-1)!
    if (!isSchemaObject(condition)) continue
    const asking = condition as JsonObject
    asking.required = [...requiredOf(asking), name]
    const message = `This if also held when '${name}' is absent. required: ['${name}'] was added to it.`
    note(draft, { code: 'if-asks', pointer, message })
  }
}

function note(draft: Draft, { code, pointer, message }: { code: string; pointer: string; message: string }) {
  draft.note({ line: draft.lineOf(pointer), kind: 'assumed', code, pointer, message })
}

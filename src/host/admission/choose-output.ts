import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '../../contract/json.ts'
import { opaqueOutput } from '../../contract/opaque-output.ts'
import { keywordOf, subschemas } from '../../contract/schema/keywords.ts'
import { dialectOf } from '../../contract/schema/survey-schema.ts'
import type { ServerSettings } from '../server-settings.ts'
import { checkSchema } from './check-schema.ts'
import { toCompletion } from './completions.ts'
import type { ToReason } from './reasons.ts'
import type { Completion, OutputForm, Reason } from './verdict.ts'

export type ChosenOutput =
  | { readonly reasons: readonly Reason[] }
  | { readonly schema: JsonSchema; readonly form: OutputForm; readonly completed: readonly Completion[] }

/** The attached schema, else the declared one, else what the operator chose for tools without one. */
export async function chooseOutput(
  tool: string,
  declared: JsonValue | undefined,
  { settings, toReason }: { readonly settings: ServerSettings; readonly toReason: ToReason },
): Promise<ChosenOutput> {
  const { overlays = {} } = settings
  if (Object.hasOwn(overlays, tool)) return checkOverlay(overlays[tool]!.output, toReason)
  const isMissing = declared === undefined || declared === null
  if (isMissing || allowsAnything(declared)) {
    const found = isMissing ? missing : unspecific
    if (settings.withoutOutputSchema !== 'opaque') return { reasons: [toReason('no_output_schema', found)] }
    const completion = isMissing ? 'output_opaque' : 'output_unspecific'
    return { schema: opaqueOutput, form: 'opaque', completed: [toCompletion(completion)] }
  }
  const reasons = await checkSchema(declared, '/outputSchema', toReason)
  if (reasons.length > 0) return { reasons }
  const schema = declared as JsonObject | boolean
  if (typeof schema === 'object' && schema.type === 'object') return { schema, form: 'structured', completed: [] }
  const wrapped = wrap(schema)
  const faults = await checkSchema(wrapped, '/outputSchema', toReason)
  if (faults.length > 0) return { reasons: faults }
  return { schema: wrapped, form: 'wrapped', completed: [toCompletion('output_wrapped')] }
}

const missing = 'The tool declares no outputSchema, and such tools are not admitted as quoted data.'
const unspecific =
  'The outputSchema allows any object, so it checks nothing, and such tools are not admitted as quoted data.'

/** Whether a schema promises nothing about an object: `true`, `{}`, `{ "type": "object" }` and the like. */
function allowsAnything(schema: JsonValue): boolean {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema === true
  return Object.entries(schema).every(([keyword, value]) => {
    if (annotations.test(keyword)) return true
    if (keyword === 'type') return value === 'object'
    if (keyword === 'required') return Array.isArray(value) && value.length === 0
    if (keyword === 'minProperties') return value === 0
    if (/^(?:additional|unevaluated)Properties$/.test(keyword)) return allowsAnyValue(value)
    return /^(?:pattern)?[pP]roperties$/.test(keyword) && isEmpty(value)
  })
}

/** Keywords that do not restrict a value. Definitions count only if they are referenced. */
const annotations =
  /^(?:\$schema|\$id|\$comment|\$defs|definitions|title|description|default|examples|deprecated|readOnly|writeOnly|x-.*)$/

function allowsAnyValue(value: JsonValue): boolean {
  return value === true || isEmpty(value)
}

function isEmpty(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

async function checkOverlay(overlay: JsonSchema | undefined, toReason: ToReason): Promise<ChosenOutput> {
  const faults = await checkSchema(overlay, '', toReason)
  if (faults.length > 0) return { reasons: faults.map(({ message }) => toReason('invalid_overlay', message)) }
  if (overlay?.type !== 'object') {
    return { reasons: [toReason('invalid_overlay', 'The schema that was attached is not of type object.')] }
  }
  return { schema: overlay, form: 'overlay', completed: [toCompletion('output_attached')] }
}

/** Outputs are objects. Other types, which newer revisions allow, become the property `result`. */
function wrap(schema: JsonObject | boolean): JsonObject {
  const $schema = typeof schema === 'object' ? schema.$schema : undefined
  return {
    ...($schema !== undefined && { $schema }),
    type: 'object',
    properties: { result: typeof schema === 'object' ? moveDown(schema) : schema },
    required: ['result'],
    additionalProperties: false,
  }
}

/** Rewrites references for the new location below the root. Recursion is safe: the guard has limited the depth. */
function moveDown({ $id, ...schema }: JsonObject): JsonObject {
  const dialect = dialectOf(schema.$schema) ?? '2020-12'
  return move(schema)

  function move(part: JsonObject): JsonObject {
    const moved: JsonObject = {}
    for (const [name, value] of Object.entries(part)) {
      const keyword = keywordOf(name, dialect)
      if (name === '$ref') moved.$ref = String(value).replace('#', '#/properties/result')
      else moved[name] = keyword ? moveParts(keyword.shape, value) : value
    }
    return moved
  }

  function moveParts(shape: Parameters<typeof subschemas>[0], value: JsonValue): JsonValue {
    const parts = subschemas(shape, value)
    if (parts.length === 0) return value
    if (parts.length === 1 && parts[0]![0].length === 0) return isObject(value) ? move(value) : value
    if (Array.isArray(value)) return value.map((part) => (isObject(part) ? move(part) : part))
    const entries = Object.entries(value as JsonObject)
    return Object.fromEntries(entries.map(([key, part]) => [key, isObject(part) ? move(part) : part]))
  }
}

// Converters omit what JSON Schema cannot express: Zod a refinement, ArkType a Date, Valibot whatever follows a
// transform. Each has hooks that see the schema, so the loss is marked in the JSON Schema where it occurs.
import type { ConversionOptions, StandardJsonSchema } from './standard-json-schema.ts'

export interface Converted {
  readonly input: object
  readonly output: object
}

/** Marks what JSON Schema cannot express here, by its kind. */
export const lossKeyword = 'x-toolpact-loss'

export function convertByVendor(schema: StandardJsonSchema): Converted {
  const { vendor, jsonSchema } = schema['~standard']
  if (vendor === 'arktype') return convertArk(schema as unknown as ArkSchema)
  const options: ConversionOptions = { target: 'draft-2020-12', libraryOptions: hooks[vendor] }
  return { input: jsonSchema.input(options), output: jsonSchema.output(options) }
}

type Json = Record<string, unknown>

const hooks: Record<string, Record<string, unknown> | undefined> = {
  zod: {
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }: { zodSchema: ZodSchema; jsonSchema: Json }) => {
      const loss = findZodLoss(zodSchema._zod.def)
      if (loss !== undefined) jsonSchema[lossKeyword] = loss
      // The pattern has a lookahead, which RE2 does not support, and adds nothing to the format.
      if (jsonSchema.format === 'duration') delete jsonSchema.pattern
    },
  },
  valibot: {
    errorMode: 'ignore',
    overrideSchema: ({ valibotSchema, jsonSchema, errors }: ValibotHook) => {
      if (errors) return { ...jsonSchema, [lossKeyword]: valibotSchema.type }
      return markValibotParts(valibotSchema, jsonSchema)
    },
    overrideAction: ({ valibotAction, jsonSchema, errors }: ValibotActionHook) => {
      const { kind, type } = valibotAction
      if (!errors || typesOnly.includes(type)) return jsonSchema
      return { ...jsonSchema, [lossKeyword]: kind === 'transformation' ? 'transform' : type }
    },
  },
}

// Zod

interface ZodSchema {
  readonly _zod: { readonly def: ZodDefinition }
}

interface ZodDefinition {
  readonly type: string
  readonly coerce?: boolean
  readonly checks?: readonly { readonly _zod: { readonly def: ZodCheck } }[]
  /** A format is both a schema and a check. */
  readonly check?: string
}

interface ZodCheck {
  readonly check: string
  readonly pattern?: RegExp
  readonly fn?: unknown
  /** For URLs. */
  readonly hostname?: RegExp
  readonly protocol?: RegExp
}

const zodTypes: readonly string[] = [
  ...['string', 'number', 'int', 'boolean', 'null', 'literal', 'enum', 'template_literal', 'any', 'unknown', 'never'],
  ...['object', 'array', 'tuple', 'record', 'union', 'intersection', 'lazy'],
  ...['optional', 'nullable', 'nonoptional', 'default', 'prefault', 'readonly'],
]

const zodChecks: readonly string[] = [
  ...['less_than', 'greater_than', 'multiple_of', 'number_format'],
  ...['max_length', 'min_length', 'length_equals', 'string_format'],
]

function findZodLoss(definition: ZodDefinition): string | undefined {
  if (!zodTypes.includes(definition.type)) return definition.type
  if (definition.coerce) return 'coerce'
  const checks = (definition.checks ?? []).map(({ _zod }) => _zod.def)
  if (definition.check !== undefined) checks.push(definition as ZodDefinition & ZodCheck)
  for (const { check, pattern, fn, hostname, protocol } of checks) {
    if (!zodChecks.includes(check)) return check
    if ((fn !== undefined && !pattern) || hostname || protocol) return 'custom'
    if (pattern && meaningfulFlags.test(pattern.flags)) return 'flags'
  }
  return undefined
}

/** `g` and `y` control the search, `u` and `v` the syntax; these flags change what the pattern matches. */
const meaningfulFlags = /[ims]/

// Valibot

interface ValibotSchema {
  readonly type: string
  readonly kind: string
  readonly entries?: Record<string, ValibotSchema>
  readonly pipe?: readonly { readonly kind: string; readonly type: string }[]
  readonly [part: string]: unknown
}

interface ValibotHook {
  readonly valibotSchema: ValibotSchema
  readonly jsonSchema: Json
  readonly errors?: unknown
}

interface ValibotActionHook {
  readonly valibotAction: { readonly kind: string; readonly type: string }
  readonly jsonSchema: Json
  readonly errors?: unknown
}

/** Actions that change only the TypeScript type. */
const typesOnly: readonly string[] = ['brand', 'flavor', 'readonly']

/**
 * The input side ends at a transform and the output side starts at the last schema, so hooks do not see what is
 * between.
 */
function markValibotParts(schema: ValibotSchema, jsonSchema: Json): Json {
  for (const [name, part] of Object.entries(schema.entries ?? {})) {
    const place = (jsonSchema.properties as Record<string, Json> | undefined)?.[name]
    const loss = findValibotLoss(part)
    if (place && loss !== undefined) place[lossKeyword] ??= loss
  }
  const parts = [schema, schema.item, schema.items, schema.wrapped, schema.options, schema.rest, schema.value].flat()
  const loss = parts.map(findValibotLoss).find((found) => found !== undefined)
  return loss === undefined ? jsonSchema : { ...jsonSchema, [lossKeyword]: loss }
}

function findValibotLoss(part: unknown): string | undefined {
  const { pipe = [], fallback } = (part ?? {}) as Partial<ValibotSchema>
  if (fallback !== undefined) return 'fallback'
  const changesValues = pipe.some(({ kind, type }, index) =>
    kind === 'transformation' ? !typesOnly.includes(type) : kind === 'schema' && index > 0,
  )
  return changesValues ? 'transform' : undefined
}

// ArkType

interface ArkSchema {
  readonly json: unknown
  toJsonSchema(options: { target: string; fallback: (context: ArkContext) => unknown }): object
}

interface ArkContext {
  readonly code: string
  readonly base?: Json
}

/** The standard's two sides lose defaults, so ArkType's own converter is used, which has both in one. */
function convertArk(schema: ArkSchema): Converted {
  const converted = schema.toJsonSchema({
    target: 'draft-2020-12',
    // A second predicate on a type is not part of the format.
    fallback: ({ code, base }) => ({ ...base, [lossKeyword]: base && lossKeyword in base ? 'narrow' : code }),
  })
  const flagged = findArkFlags(schema.json)
  return { input: flagged === undefined ? converted : markArkPattern(converted, flagged), output: converted }
}

/** The source of a pattern, without its flags. */
function findArkFlags(json: unknown): string | undefined {
  if (typeof json !== 'object' || json === null) return undefined
  const { rule, flags } = json as { rule?: unknown; flags?: unknown }
  if (typeof rule === 'string' && typeof flags === 'string' && meaningfulFlags.test(flags)) return rule
  for (const part of Object.values(json)) {
    const found = findArkFlags(part)
    if (found !== undefined) return found
  }
  return undefined
}

function markArkPattern(schema: object, pattern: string): object {
  return JSON.parse(JSON.stringify(schema), (_key, value) =>
    value?.pattern === pattern ? { ...value, [lossKeyword]: 'flags' } : value,
  )
}

import type { JsonSchema, JsonValue } from '../json.ts'
import { compileSchema } from '../schema/compile-schema.ts'
import { type Finding, pointTo } from './lint-problem.ts'
import { isSchemaObject, type SchemaNode, walkSchema } from './walk-schema.ts'

/** A default must be valid against its schema. */
export async function checkDefaultValid(node: SchemaNode): Promise<Finding[]> {
  const { schema, pointer } = node
  if (!('default' in schema) || Array.isArray(schema.enum)) return []
  const problems = (await compileAt(node))?.validate(structuredClone(schema.default) as JsonValue) ?? []
  return problems.slice(0, 1).map((problem) => ({
    pointer: pointTo(pointer, 'default'),
    message: `The default ${JSON.stringify(schema.default)} violates its own schema. ${problem.message}`,
    fix: 'Correct the default or the schema.',
  }))
}

const trials: readonly JsonValue[] = [{}, [], '', 'a', 0, 1, 0.5, true, null]

/** No primitive value may match two branches of a `oneOf`: it would be refused. */
export async function checkOneOfOverlap(node: SchemaNode): Promise<Finding[]> {
  const branches = node.schema.oneOf
  if (!Array.isArray(branches) || branches.length < 2) return []
  const around = await compileAt(node, 'oneOf')
  const validators = await Promise.all(
    branches.map((branch, index) =>
      isSchemaObject(branch) ? compileAt({ ...node, path: pointTo(node.path, 'oneOf', index) }) : undefined,
    ),
  )
  const literals = branches.filter(isSchemaObject).flatMap((branch) => [branch.const, branch.enum].flat())
  for (const trial of [...trials, ...literals]) {
    if (trial === undefined || !matches(around, trial)) continue
    const matching = validators.flatMap((validator, index) => (matches(validator, trial) ? [index] : []))
    if (matching.length > 1) {
      return [
        {
          pointer: pointTo(node.pointer, 'oneOf'),
          message: `${JSON.stringify(trial)} matches the branches ${matching.join(' and ')} of this oneOf, which therefore refuses it.`,
          fix: 'Make the branches mutually exclusive, for example with a required const, or use anyOf.',
        },
      ]
    }
  }
  return []
}

function matches(validator: Awaited<ReturnType<typeof compileAt>>, value: unknown): boolean {
  return validator !== undefined && validator.validate(structuredClone(value) as JsonValue).length === 0
}

type Validator = Awaited<ReturnType<typeof compileSchema>>

/**
 * Compiles a schema inside another one. The root is kept, because the schema may refer to any part of it. `without`
 * omits one keyword of the inner schema. Undefined if the guard refuses it.
 */
async function compileAt(node: SchemaNode, without?: string): Promise<Validator | undefined> {
  const { $schema, ...root } = structuredClone(node.root)
  for (const { schema, path } of walkSchema(root, '')) {
    const inner = schema as Record<string, unknown>
    if (typeof inner.$ref === 'string') inner.$ref = inner.$ref.replace(/^#/, '#/definitions/root')
    if (path === node.path && without) delete inner[without]
  }
  const $ref = `#/definitions/root${node.path.split('/').map(encodeURIComponent).join('/')}`
  const schema = { ...(typeof $schema === 'string' && { $schema }), $ref, definitions: { root } } as JsonSchema
  return await compileSchema(schema, { assertFormats: true }).catch(() => undefined)
}

import type { JsonSchema } from '../json.ts'
import { compileSchema } from '../schema/compile-schema.ts'
import { type SchemaNode, walkSchema } from './walk-schema.ts'

type Validator = Awaited<ReturnType<typeof compileSchema>>

/**
 * A validator for one schema inside another. The whole stays around it, since it may refer to any part of it; `without`
 * leaves out one keyword of the inner schema. Undefined where the engine refuses it.
 */
export async function compileAt(node: SchemaNode, without?: string): Promise<Validator | undefined> {
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

import type { JsonObject, JsonValue } from '../../src/contract/json.ts'

/** Keywords that OpenAI documents for strict schemas; any other keyword fails the whole request. */
const known = new Set([
  ...['type', 'description', 'title', 'enum', 'const', 'anyOf', '$ref', '$defs'],
  ...['properties', 'required', 'additionalProperties', 'items', 'minItems', 'maxItems', 'pattern', 'format'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
])
const formats = /^(?:date-time|time|date|duration|email|hostname|ipv4|ipv6|uuid)$/

/** All violations of strict mode in a schema. Shares no code with the rewriting that it checks. */
export function checkStrict(root: JsonObject): string[] {
  const faults: string[] = []
  let properties = 0
  let choices = 0
  if (root.type !== 'object') faults.push('the root is no object')
  visit(root, '#', 0)
  if (properties > 5000) faults.push(`${properties} properties`)
  if (choices > 1000) faults.push(`${choices} choices`)
  return faults

  function visit(schema: JsonValue | undefined, at: string, above: number): void {
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
      faults.push(`${at} is no schema object`)
      return
    }
    const fault = (text: string) => faults.push(`${at}: ${text}`)
    for (const keyword of Object.keys(schema)) if (!known.has(keyword)) fault(`unknown keyword ${keyword}`)
    if (!['type', 'anyOf', '$ref'].some((keyword) => keyword in schema)) fault('names no type')
    if ('$ref' in schema && Object.keys(schema).length > 1) fault('$ref has neighbours')
    if (typeof schema.$ref === 'string' && !isKnown(schema.$ref)) fault(`refers to ${schema.$ref}`)
    if (typeof schema.format === 'string' && !formats.test(schema.format)) fault(`format ${schema.format}`)
    const types = [schema.type ?? []].flat()
    const level = above + (types.includes('object') ? 1 : 0)
    if (level > 5) fault(`nested ${level} levels deep`)
    if (types.includes('object')) visitObject(schema, at, level)
    else if ('properties' in schema || 'additionalProperties' in schema) fault('has properties and is no object')
    if (types.includes('array')) visit(schema.items, `${at}/items`, level)
    choices += ((schema.enum ?? []) as JsonValue[]).length
    if (schema.anyOf !== undefined && (schema.anyOf as JsonValue[]).length === 0) fault('an empty anyOf')
    for (const [index, branch] of ((schema.anyOf ?? []) as JsonValue[]).entries())
      visit(branch, `${at}/anyOf/${index}`, level)
    for (const [name, part] of Object.entries((schema.$defs ?? {}) as JsonObject)) {
      if (schema !== root) fault('$defs below the root')
      visit(part, `${at}/$defs/${name}`, 0)
    }
  }

  function visitObject(schema: JsonObject, at: string, level: number): void {
    const declared = (schema.properties ?? {}) as JsonObject
    const names = Object.keys(declared)
    properties += names.length
    if (schema.additionalProperties !== false) faults.push(`${at}: the object is open`)
    if (!('properties' in schema)) faults.push(`${at}: no properties`)
    const required = new Set((schema.required ?? []) as string[])
    if (names.some((name) => !required.has(name)) || required.size !== names.length)
      faults.push(`${at}: required is not the list of all properties`)
    for (const [name, part] of Object.entries(declared)) visit(part, `${at}/properties/${name}`, level)
  }

  function isKnown(reference: string): boolean {
    const name = /^#\/\$defs\/([A-Za-z0-9_-]+)$/.exec(reference)?.[1]
    return reference === '#' || (name !== undefined && Object.hasOwn((root.$defs ?? {}) as JsonObject, name))
  }
}

import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'

/** An input property that is mirrored in a header, as its schema specifies with `x-mcp-header`. */
export interface ParamHeader {
  readonly header: string
  readonly path: readonly string[]
}

const keyword = 'x-mcp-header'
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/
const maxDepth = 64

/** The headers that a tool requires, or what is wrong with them: MCP 2026-07-28 then forbids its use over HTTP. */
export function findParamHeaders(schema: JsonValue | undefined): readonly ParamHeader[] | string {
  const found: ParamHeader[] = []
  const names = new Set<string>()
  let counted = 0

  function visit(at: JsonObject, path: readonly string[]): string | undefined {
    const { properties } = at
    if (!isObject(properties) || path.length > maxDepth) return undefined
    for (const [key, property] of Object.entries(properties)) {
      if (!isObject(property)) continue
      const fault = take(property, [...path, key]) ?? visit(property, [...path, key])
      if (fault !== undefined) return fault
    }
    return undefined
  }

  function take(property: JsonObject, path: readonly string[]): string | undefined {
    if (!Object.hasOwn(property, keyword)) return undefined
    const name = property[keyword]
    const where = `The ${keyword} of ${JSON.stringify(path.join('.')).slice(0, 200)}`
    if (typeof name !== 'string' || !token.test(name)) return `${where} cannot be the name of a header.`
    if (!['string', 'integer', 'boolean'].includes(property.type as string)) {
      return `${where} is on a property that is not a string, integer or boolean.`
    }
    if (names.has(name.toLowerCase())) return `${where} is used twice.`
    names.add(name.toLowerCase())
    counted++
    found.push({ header: `mcp-param-${name.toLowerCase()}`, path })
    return undefined
  }

  if (!isObject(schema)) return []
  const fault = visit(schema, [])
  if (fault !== undefined) return fault
  return countKeyword(schema) > counted ? `An ${keyword} is not on a property of the input.` : found
}

/** Also counts misplaced keywords: in array items, branches, conditions and definitions. */
function countKeyword(schema: JsonObject): number {
  let count = 0
  const open: { value: JsonValue; isNames: boolean }[] = [{ value: schema, isNames: false }]
  for (let at = open.pop(); at; at = open.pop()) {
    const { value, isNames } = at
    if (Array.isArray(value)) for (const item of value) open.push({ value: item, isNames: false })
    if (!isObject(value)) continue
    for (const [key, inner] of Object.entries(value)) {
      if (!isNames && key === keyword) count++
      // Examples and constants are data; the keys of the other keywords are names.
      else if (isNames || !['const', 'enum', 'default', 'examples'].includes(key)) {
        open.push({
          value: inner,
          isNames: !isNames && ['properties', '$defs', 'definitions', 'patternProperties'].includes(key),
        })
      }
    }
  }
  return count
}

/** The headers of one call. */
export function toParamHeaders(wanted: readonly ParamHeader[], input: JsonObject): { [name: string]: string } {
  const headers: { [name: string]: string } = {}
  for (const { header, path } of wanted) {
    let value: JsonValue | undefined = input
    for (const key of path) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
    if (value !== undefined && value !== null)
      headers[header] = encodeHeader(typeof value === 'string' ? value : JSON.stringify(value))
  }
  return headers
}

const plain = /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/
const encoded = /^=\?base64\?.*\?=$/s

/** Encodes values that are not valid in a header as base64. */
export function encodeHeader(value: string): string {
  return plain.test(value) && !encoded.test(value) ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`
}

import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { pointerTo } from '../../contract/schema/json-pointer.ts'
import { findTarget } from '../../contract/schema/local-reference.ts'
import { acceptsNull, toNullable } from './nullable.ts'
import { belongsTo, isNote, isSilent, isTaken, shaping, toTypes } from './strict-keywords.ts'
import { toWords, withWords } from './to-words.ts'

/** OpenAI's limits on one strict schema. The API rejects the whole request if one is exceeded. */
const max = { properties: 5000, levels: 5, choices: 1000, characters: 120_000 }

const words = {
  properties: 'properties',
  levels: 'levels of objects',
  choices: 'choices in its enums',
  characters: 'characters of names and choices',
}

interface Lost {
  readonly pointer: string
  readonly keyword: string
  readonly note: string
}

type Rewritten =
  | { readonly strict: true; readonly parameters: JsonObject; readonly losses: readonly Lost[] }
  /** Something that a strict schema cannot express without changing the set of values. */
  | { readonly strict: false; readonly obstacle: Lost }

/**
 * Rewrites the parameters of an admitted schema for OpenAI's strict mode: objects are closed, and optional properties
 * become required and nullable (`withoutNulls` reverses that). Keywords that strict mode does not support are described
 * in words; if that would change the shape of the values, the tool cannot be strict.
 */
export function toStrictParameters(input: JsonObject): Rewritten {
  const rewrite = new Rewrite(input)
  try {
    const parameters = rewrite.run()
    const excess = findExcess(parameters)
    if (excess === undefined) return { strict: true, parameters, losses: rewrite.losses }
    return { strict: false, obstacle: { pointer: '/input', keyword: '', note: excess } }
  } catch (cause) {
    if (cause instanceof Obstacle) return { strict: false, obstacle: cause.lost }
    throw cause
  }
}

/** Ends the rewriting; caught in this file. */
class Obstacle extends Error {
  readonly lost: Lost

  constructor(lost: Lost) {
    super(lost.note)
    this.lost = lost
  }
}

class Rewrite {
  readonly losses: Lost[] = []
  readonly #root: JsonObject
  /** The name under `$defs` of every referenced schema, by its pointer. */
  readonly #names = new Map<string, string>()
  readonly #definitions: JsonObject = {}

  constructor(root: JsonObject) {
    this.#root = root
  }

  run(): JsonObject {
    const root = this.#root.type === undefined && !this.#root.$ref ? { type: 'object', ...this.#root } : this.#root
    const parameters = this.#schema(root, '/input')
    if (parameters.type !== 'object') this.#stop('/input', '', 'the root must be one object.')
    return this.#names.size === 0 ? parameters : { ...parameters, $defs: this.#definitions }
  }

  /** Recursion is safe: the guard has limited the depth. */
  #schema(schema: JsonValue | undefined, at: string): JsonObject {
    if (!isObject(schema)) this.#stop(at, '', 'a strict schema must name a type; this one does not.')
    const shape = shaping.find((keyword) => Object.hasOwn(schema, keyword))
    if (shape !== undefined) this.#stop(at, shape, `strict mode has no ${shape}.`)
    if (schema.allOf !== undefined) return this.#allOf(schema, at)
    if (schema.$ref !== undefined) return this.#reference(schema, at)
    if (schema.anyOf !== undefined || schema.oneOf !== undefined) return this.#union(schema, at)
    const types = toTypes(schema)
    if (types.length === 0) this.#stop(at, 'type', 'it names no type.')
    const isSimple = types.length === 1 || !(types.includes('object') || types.includes('array'))
    if (isSimple) return { ...this.#notes(schema, types, at), ...this.#typed(schema, types, at) }
    return { ...this.#notes(schema, types, at), anyOf: types.map((type) => this.#typed(schema, [type], at)) }
  }

  /** One part and no other constraint: how a description is written next to a `$ref`. */
  #allOf({ allOf, ...rest }: JsonObject, at: string): JsonObject {
    const [part, ...others] = allOf as JsonValue[]
    if (others.length > 0 || !isObject(part) || Object.keys(part).some((keyword) => Object.hasOwn(rest, keyword)))
      this.#stop(at, 'allOf', 'strict mode has no allOf.')
    return this.#schema({ ...part, ...rest }, at)
  }

  #reference(schema: JsonObject, at: string): JsonObject {
    const target = findTarget(this.#root, String(schema.$ref))
    if (!target.found) this.#stop(at, '$ref', `it refers to ${schema.$ref}, ${target.fault}.`)
    const beside = Object.keys(schema).find((keyword) => isTaken(keyword, schema))
    if (beside !== undefined) this.#stop(at, beside, `strict mode takes no ${beside} beside $ref.`)
    const reference = { $ref: target.pointer === '' ? '#' : `#/$defs/${this.#define(target.pointer, target.schema)}` }
    const notes = this.#notes(schema, [], at)
    return Object.keys(notes).length === 0 ? reference : { ...notes, anyOf: [reference] }
  }

  #define(pointer: string, schema: JsonValue): string {
    const known = this.#names.get(pointer)
    if (known !== undefined) return known
    const last = pointer.slice(pointer.lastIndexOf('/') + 1).replaceAll(/[^A-Za-z0-9_-]/g, '_')
    const name = new Set(this.#names.values()).has(last) ? `${last}_${this.#names.size}` : last
    this.#names.set(pointer, name)
    this.#definitions[name] = this.#schema(schema, `/input${pointer}`)
    return name
  }

  #union({ anyOf, oneOf, ...rest }: JsonObject, at: string): JsonObject {
    const keyword = anyOf === undefined ? 'oneOf' : 'anyOf'
    const branches = (anyOf ?? oneOf) as JsonValue[]
    if (anyOf !== undefined && oneOf !== undefined) this.#stop(at, 'oneOf', 'it is next to anyOf.')
    const { type, ...others } = rest
    const beside = Object.keys(others).find((name) => isTaken(name, others))
    if (beside !== undefined) {
      // Such as "one of these is required": a condition on values whose shape the rest describes.
      if (!branches.every(isCondition)) this.#stop(at, keyword, `it is next to ${beside}.`)
      this.#lose(at, keyword, 'Moved into the description.')
      return this.#schema(withWords(rest, toWords(keyword, branches)), at)
    }
    if (keyword === 'oneOf')
      this.#lose(at, 'oneOf', 'Written as anyOf; that exactly one matches is checked at the call.')
    const typed = branches.map((branch) => (type === undefined || !isObject(branch) ? branch : withType(branch, type)))
    const written = typed.map((branch, index) => this.#schema(branch, pointerTo(pointerTo(at, keyword), index)))
    return { ...this.#notes(others, [], at), anyOf: written }
  }

  #typed(schema: JsonObject, types: readonly string[], at: string): JsonObject {
    const written: JsonObject = { type: types.length === 1 ? types[0]! : [...types] }
    if (types[0] === 'object') Object.assign(written, this.#object(schema, at))
    if (types[0] === 'array') written.items = this.#schema(schema.items, pointerTo(at, 'items'))
    for (const [keyword, value] of Object.entries(schema)) {
      if (Object.hasOwn(written, keyword) || !isTaken(keyword, schema) || !belongsTo(keyword, types)) continue
      const values = keyword === 'enum' ? (value as JsonValue[]) : keyword === 'const' ? [value] : []
      if (values.some((choice) => typeof choice === 'object' && choice !== null))
        this.#stop(at, keyword, 'it names objects or arrays.')
      written[keyword] = structuredClone(value)
    }
    return written
  }

  #object(schema: JsonObject, at: string): JsonObject {
    const isClosed = schema.additionalProperties === false || schema.unevaluatedProperties === false
    const properties = Object.entries((schema.properties ?? {}) as JsonObject)
    const required = (schema.required ?? []) as string[]
    // Undeclared properties of the root are refused anyway.
    const isMap = schema.additionalProperties !== undefined || (properties.length === 0 && at !== '/input')
    if (!isClosed && isMap) this.#stop(at, 'additionalProperties', 'strict mode has no maps.')
    if (!isClosed) this.#lose(at, 'additionalProperties', 'Closed: the model can send declared properties only.')
    const unknown = required.find((name) => !properties.some(([declared]) => declared === name))
    if (unknown !== undefined) this.#stop(at, 'required', `${JSON.stringify(unknown)} is required and not described.`)
    const written = properties.map(([name, part]): [string, JsonObject] => {
      const where = pointerTo(pointerTo(at, 'properties'), name)
      const property = this.#schema(part, where)
      if (required.includes(name)) return [name, property]
      if (acceptsNull(part, this.#root))
        this.#lose(where, 'required', 'May be left out or null; the model can only send null, which is kept.')
      return [name, toNullable(property)]
    })
    const names = written.map(([name]) => name)
    return { properties: Object.fromEntries(written), required: names, additionalProperties: false }
  }

  /** Title and description, with words for what strict mode does not support. */
  #notes(schema: JsonObject, types: readonly string[], at: string): JsonObject {
    const words = Object.entries(schema).map(([keyword, value]) => {
      const isLost = !isNote(keyword) && !isSilent(keyword) && !isTaken(keyword, schema) && belongsTo(keyword, types)
      const said = isLost ? toWords(keyword, value) : ''
      if (isLost) this.#lose(at, keyword, said === '' ? 'Left out.' : 'Moved into the description.')
      return said
    })
    const noted = withWords(schema, words.filter((said) => said !== '').join(' '))
    return Object.fromEntries(Object.entries(noted).filter(([keyword]) => isNote(keyword)))
  }

  #lose(pointer: string, keyword: string, note: string): void {
    this.losses.push({ pointer, keyword, note })
  }

  #stop(pointer: string, keyword: string, note: string): never {
    throw new Obstacle({ pointer, keyword, note })
  }
}

/** The branch with the type next to its union, unless it has its own. */
function withType(branch: JsonObject, type: JsonValue): JsonObject {
  const says = ['type', '$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'const'].some((keyword) => keyword in branch)
  return says ? branch : { type, ...branch }
}

function isCondition(branch: JsonValue): boolean {
  return isObject(branch) && Object.keys(branch).every((keyword) => keyword === 'required' || isNote(keyword))
}

/** Why a strict schema is too large, or undefined. */
function findExcess(schema: JsonObject): string | undefined {
  const count = { properties: 0, levels: 0, choices: 0, characters: 0 }
  visit(schema, 0)
  const over = (Object.keys(max) as (keyof typeof max)[]).find((what) => count[what] > max[what])
  return over && `it has ${count[over]} ${words[over]}, and strict mode takes ${max[over]}.`

  function visit(part: JsonObject, above: number): void {
    const properties = Object.entries((part.properties ?? {}) as JsonObject)
    const definitions = Object.entries((part.$defs ?? {}) as JsonObject)
    const choices = (part.enum ?? []) as JsonValue[]
    const level = part.type === 'object' ? above + 1 : above
    count.levels = Math.max(count.levels, level)
    count.properties += properties.length
    count.choices += choices.length
    const named = [...properties, ...definitions].map(([name]) => name)
    const fixed = part.const === undefined ? choices : [...choices, part.const]
    for (const text of [...named, ...fixed]) count.characters += String(text).length
    for (const [, property] of properties) visit(property as JsonObject, level)
    for (const [, definition] of definitions) visit(definition as JsonObject, 0)
    for (const branch of (part.anyOf ?? []) as JsonObject[]) visit(branch, level)
    if (part.items !== undefined) visit(part.items as JsonObject, level)
  }
}

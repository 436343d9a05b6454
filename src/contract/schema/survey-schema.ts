import type { JsonObject, JsonValue } from '../json.ts'
import { checkKeyword } from './check-keyword.ts'
import { pointerTo } from './json-pointer.ts'
import { type Dialect, keywordOf, subschemas } from './keywords.ts'
import { findTarget } from './local-reference.ts'
import { type SchemaProblem, type SchemaRule, schemaBounds, toSchemaProblem } from './schema-rules.ts'

/** A schema object in the document. */
export interface Place {
  readonly schema: JsonObject
  readonly pointer: string
  /** The places that apply to the same value: branches, conditions and the target of `$ref`. */
  readonly inPlace: Place[]
}

/** The result of walking a schema: its parts, or its problems. */
export interface Survey {
  readonly dialect: Dialect
  readonly places: readonly Place[]
  /** The target of each `$ref`, by the pointer of the schema that contains it. */
  readonly references: ReadonlyMap<string, string>
  /** The pointer of each pattern. */
  readonly patterns: ReadonlyMap<string, string>
  readonly problems: readonly SchemaProblem[]
}

/**
 * Walks every schema of a document without recursion, and checks each keyword against the table. Expects a copy made by
 * `boundJson`.
 */
export function surveySchema(root: JsonValue, dialect: Dialect): Survey {
  const walk = new Walk(root, dialect)
  walk.run()
  const { places, references, patterns, problems } = walk
  return { dialect, places, references, patterns, problems }
}

class Walk {
  readonly places: Place[] = []
  readonly references = new Map<string, string>()
  readonly patterns = new Map<string, string>()
  readonly problems: SchemaProblem[] = []
  readonly #root: JsonValue
  readonly #dialect: Dialect
  readonly #known = new Map<JsonObject, Place>()
  readonly #targets = new Set<string>()

  constructor(root: JsonValue, dialect: Dialect) {
    this.#root = root
    this.#dialect = dialect
  }

  run(): void {
    this.#enter(this.#root, '')
    // `places` grows during the loop.
    for (let next = 0; next < this.places.length; next++) {
      if (this.problems.length >= schemaBounds.problems) return
      if (this.places.length > schemaBounds.subschemas) {
        const fault = `The schema has more than ${schemaBounds.subschemas} subschemas`
        this.#report('too_many_parts', '', fault)
        return
      }
      this.#visit(this.places[next]!)
    }
  }

  #visit(place: Place): void {
    const { schema, pointer } = place
    for (const [name, value] of Object.entries(schema)) {
      const keyword = keywordOf(name, this.#dialect)
      if (keyword === undefined) continue
      const at = pointerTo(pointer, name)
      const fault = checkKeyword(keyword.shape, value)
      if (fault !== undefined) {
        this.#report('invalid_keyword', at, `"${name}" ${fault}`)
        continue
      }
      this.#checkRules(place, name, value, at)
      // Draft-07 ignores keywords beside `$ref`, so only their shape is checked.
      const isIgnored = this.#dialect === 'draft-07' && name !== '$ref' && '$ref' in schema
      for (const [segments, part] of subschemas(keyword.shape, value)) {
        const child = this.#enter(part, segments.reduce(pointerTo, at))
        if (child && keyword.inPlace && !isIgnored) place.inPlace.push(child)
      }
    }
  }

  #checkRules(place: Place, name: string, value: JsonValue, at: string): void {
    switch (name) {
      case '$schema':
        if (dialectOf(value) !== this.#dialect)
          this.#report('unsupported_dialect', at, '"$schema" differs from the root')
        return
      case '$id':
        if (place.pointer !== '') this.#report('identifier', at, '"$id" inside a schema is not supported')
        else if (!/^[^#]*#?$/.test(value as string)) this.#report('identifier', at, '"$id" has a fragment')
        return
      case '$anchor':
        if (!/^[A-Za-z_][-A-Za-z0-9._]*$/.test(value as string))
          this.#report('invalid_keyword', at, '"$anchor" is not a plain name')
        return
      case '$dynamicAnchor':
      case '$dynamicRef':
      case '$recursiveAnchor':
      case '$recursiveRef':
      case '$vocabulary':
        this.#report('identifier', at, `"${name}" is not supported`)
        return
      case '$ref':
        this.#refer(place, value as string, at)
        return
      case 'pattern':
        this.patterns.set(value as string, at)
        return
      case 'patternProperties':
        this.#boundKeys(value as JsonObject, at)
        for (const pattern of Object.keys(value as JsonObject)) this.patterns.set(pattern, pointerTo(at, pattern))
        return
      case 'items':
        if (Array.isArray(value) && this.#dialect === '2020-12') {
          const fault = '"items" must be one schema; use "prefixItems" for a list, or say "$schema" is draft-07'
          this.#report('invalid_keyword', at, fault)
        }
        return
      case 'enum':
        this.#bound(at, 'values', (value as JsonValue[]).length, schemaBounds.enumValues)
        return
      case 'allOf':
      case 'anyOf':
      case 'oneOf':
      case 'prefixItems':
        this.#bound(at, 'schemas', (value as JsonValue[]).length, schemaBounds.branches)
        return
      case 'properties':
      case 'dependentSchemas':
        this.#boundKeys(value as JsonObject, at)
        return
      case 'required':
        this.#checkNames(value as string[], at)
        return
      case 'dependentRequired':
      case 'dependencies':
        this.#boundKeys(value as JsonObject, at)
        for (const [key, names] of Object.entries(value as JsonObject)) {
          if (Array.isArray(names)) this.#checkNames(names as string[], pointerTo(at, key))
        }
    }
  }

  #checkNames(names: string[], at: string): void {
    this.#bound(at, 'names', names.length, schemaBounds.properties)
    if (names.includes('__proto__')) this.#report('prototype_key', at, 'The property "__proto__" is declared')
  }

  #boundKeys(value: JsonObject, at: string): void {
    this.#bound(at, 'keys', Object.keys(value).length, schemaBounds.properties)
  }

  #bound(at: string, what: string, count: number, max: number): void {
    if (count > max) this.#report('too_many_parts', at, `There are ${count} ${what} here; the limit is ${max}`)
  }

  /** Queues a schema. Booleans need no walk. */
  #enter(schema: unknown, pointer: string): Place | undefined {
    if (typeof schema === 'boolean') return undefined
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
      this.#report('not_a_schema', pointer, pointer === '' ? 'The value is not a schema' : 'This is not a schema')
      return undefined
    }
    const object = schema as JsonObject
    const known = this.#known.get(object)
    if (known) return known
    const place: Place = { schema: object, pointer, inPlace: [] }
    this.#known.set(object, place)
    this.places.push(place)
    return place
  }

  #refer(place: Place, reference: string, at: string): void {
    const target = findTarget(this.#root, reference)
    if (!target.found) {
      this.#report(target.rule, at, `"$ref" is ${JSON.stringify(reference.slice(0, 100))}, ${target.fault}`)
      return
    }
    this.references.set(place.pointer, target.pointer)
    this.#targets.add(target.pointer)
    this.#bound('', 'references', this.references.size, schemaBounds.references)
    this.#bound('', 'schemas referred to', this.#targets.size, schemaBounds.referenceTargets)
    const named = this.#enter(target.schema, target.pointer)
    if (named) place.inPlace.push(named)
  }

  #report(rule: SchemaRule, pointer: string, fault: string): void {
    if (this.problems.length < schemaBounds.problems) this.problems.push(toSchemaProblem(rule, pointer, fault))
  }
}

const dialects: ReadonlyMap<string, Dialect> = new Map([
  ['json-schema.org/draft/2020-12/schema', '2020-12'],
  ['json-schema.org/draft-07/schema', 'draft-07'],
])

/** The dialect of a `$schema`; undefined if unsupported. Default: 2020-12. */
export function dialectOf($schema: unknown): Dialect | undefined {
  if ($schema === undefined) return '2020-12'
  if (typeof $schema !== 'string') return undefined
  return dialects.get($schema.replace(/^https?:\/\//, '').replace(/#$/, ''))
}

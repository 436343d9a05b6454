import { isObject, type JsonObject } from '../json.ts'
import { keywords } from '../schema/keywords.ts'
import { findTarget } from '../schema/local-reference.ts'
import { schemaBounds } from '../schema/schema-rules.ts'
import { pointTo } from './lint-problem.ts'

export type SchemaObject = { readonly [keyword: string]: unknown }

/** A schema object inside a schema. */
export interface SchemaNode {
  readonly schema: SchemaObject
  readonly root: SchemaObject
  /** JSON pointer into the contract. */
  readonly pointer: string
  /** JSON pointer into `root`. */
  readonly path: string
  /** The keyword of `parent` that contains this schema. */
  readonly keyword: string
  /** Its name, if the keyword maps names to schemas. */
  readonly name?: string
  readonly parent?: SchemaNode
}

/** Keywords whose subschemas apply to the same value. */
const branchKeywords = [...keywords].flatMap(([name, { inPlace }]) => (inPlace && name !== '$ref' ? [name] : []))

/**
 * Every schema object in a schema, parents first. Expects a schema of bounded size; skips values that are not schemas.
 */
export function walkSchema(root: SchemaObject, pointer: string): SchemaNode[] {
  const nodes: SchemaNode[] = []
  const waiting: SchemaNode[] = [{ schema: root, root, pointer, path: '', keyword: '' }]
  for (let node = waiting.pop(); node && nodes.length < schemaBounds.subschemas; node = waiting.pop()) {
    nodes.push(node)
    waiting.push(...toChildren(node))
  }
  return nodes
}

function toChildren(parent: SchemaNode): SchemaNode[] {
  return Object.entries(parent.schema)
    .flatMap(([keyword, value]) =>
      partsOf(keyword, value).map(([step, schema]) => ({
        schema,
        root: parent.root,
        pointer: pointTo(parent.pointer, keyword, ...step),
        path: pointTo(parent.path, keyword, ...step),
        keyword,
        ...(typeof step[0] === 'string' && { name: step[0] }),
        parent,
      })),
    )
    .reverse()
}

type Part = [step: [] | [string] | [number], schema: SchemaObject]

/** The schema objects in a keyword's value: one, a list, or a map. */
function partsOf(keyword: string, value: unknown): Part[] {
  const shape = keywords.get(keyword)?.shape
  if (!shape?.includes('schema') || typeof value !== 'object' || value === null) return []
  let parts: [step: [] | [string] | [number], schema: unknown][] = [[[], value]]
  if (Array.isArray(value)) parts = value.map((part, index) => [[index], part])
  else if (shape.endsWith('by key') || shape.endsWith('by pattern')) {
    parts = Object.entries(value).map(([name, part]) => [[name], part])
  }
  return parts.filter((part): part is Part => isSchemaObject(part[1]))
}

/** The node for the same value that is not a branch: the node itself, or the one it is a branch of. */
export function toOwner(node: SchemaNode): SchemaNode {
  let owner = node
  while (owner.parent && branchKeywords.includes(owner.keyword)) owner = owner.parent
  return owner
}

/** Whether the node, or a node that it is a branch of, is under one of these keywords. */
export function isUnder(node: SchemaNode, among: readonly string[]): boolean {
  for (let place: SchemaNode | undefined = node; place; place = place.parent) {
    if (among.includes(place.keyword)) return true
  }
  return false
}

/** The schema and all schemas that apply to the same value: its branches and references. */
export function withBranches(schema: SchemaObject, root: SchemaObject): SchemaObject[] {
  const found = new Set<SchemaObject>()
  const waiting = [schema]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (found.has(next)) continue
    found.add(next)
    const target = typeof next.$ref === 'string' && resolveReference(next.$ref, root)
    if (target) waiting.push(target)
    for (const keyword of branchKeywords) waiting.push(...partsOf(keyword, next[keyword]).map(([, part]) => part))
  }
  return [...found]
}

/** The target of a local reference; undefined if it is not a schema object. */
export function resolveReference(reference: string, root: SchemaObject): SchemaObject | undefined {
  const target = findTarget(root as JsonObject, reference)
  return target.found && isSchemaObject(target.schema) ? target.schema : undefined
}

export function isSchemaObject(value: unknown): value is SchemaObject {
  return isObject(value)
}

/** The names under `properties`. */
export function namesOf(schema: SchemaObject): string[] {
  return isSchemaObject(schema.properties) ? Object.keys(schema.properties) : []
}

/** The names under `required`. */
export function requiredOf(schema: SchemaObject): string[] {
  return Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === 'string') : []
}

/** The types that `type` allows; undefined without `type`. */
export function typesOf(schema: SchemaObject): string[] | undefined {
  if (typeof schema.type === 'string') return [schema.type]
  return Array.isArray(schema.type) ? schema.type.filter((type) => typeof type === 'string') : undefined
}

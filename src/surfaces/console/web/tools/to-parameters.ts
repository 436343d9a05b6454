import type { JsonValue } from '../../../../contract/json.ts'
import { describeField, type Field } from '../form/describe-field.ts'

export interface Parameter {
  /** `path`, `options.depth`, `items[].name`. */
  readonly path: string
  readonly type: string
  readonly isRequired: boolean
  readonly description: string
  readonly hints: readonly string[]
}

const maxDepth = 4
const maxParameters = 200

/** The properties of an input, with those inside of them, as rows of a table. */
export function toParameters(schema: JsonValue): readonly Parameter[] {
  const rows: Parameter[] = []
  addInner(rows, '', describeField(schema, schema), schema, 0)
  return rows
}

function addInner(rows: Parameter[], path: string, field: Field, root: JsonValue, depth: number): void {
  if (depth >= maxDepth) return
  if (field.kind === 'array') addInner(rows, `${path}[]`, describeField(field.itemAt(0), root), root, depth + 1)
  if (field.kind === 'choice')
    for (const branch of field.branches) addInner(rows, path, describeField(branch.schema, root), root, depth + 1)
  if (field.kind !== 'object') return
  for (const { name, schema, isRequired } of field.properties) {
    if (rows.length >= maxParameters) return
    const inner = describeField(schema, root)
    const at = path === '' ? name : `${path}.${name}`
    if (rows.some((row) => row.path === at)) continue
    const hints =
      inner.default === undefined ? inner.hints : [...inner.hints, `default ${JSON.stringify(inner.default)}`]
    rows.push({ path: at, type: toType(inner, root), isRequired, description: inner.description ?? '', hints })
    addInner(rows, at, inner, root, depth + 1)
  }
}

function toType(field: Field, root: JsonValue, depth = 0): string {
  const type = toPlainType(field, root, depth)
  return field.isNullable ? `${type} or null` : type
}

function toPlainType(field: Field, root: JsonValue, depth: number): string {
  switch (field.kind) {
    case 'object':
      return 'object'
    case 'array':
      return depth > 2 ? 'list' : `list of ${toType(describeField(field.itemAt(0), root), root, depth + 1)}`
    case 'choice':
      return field.branches.map((branch) => branch.label).join(' or ')
    case 'options':
      if (field.options.length === 2 && field.options.every((option) => typeof option === 'boolean')) return 'boolean'
      return field.options.map((option) => JSON.stringify(option)).join(' or ')
    case 'text':
      return 'string'
    case 'number':
      return 'number'
    case 'json':
      return 'anything'
  }
}

import { canonicalJson } from '../../../contract/canonical-json.ts'
import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '../../../contract/json.ts'
import { pointerTo } from '../../../contract/schema/json-pointer.ts'

/** A property of a tool's input that a workflow takes from its own input. */
interface Wanted {
  /** The step, for a name that is not taken. */
  readonly step: string
  readonly tool: string
  readonly name: string
  /** The schema of the property, and of the whole input, which its references lead into. */
  readonly schema: JsonValue
  readonly root: JsonSchema
  /** What was given for it in a recorded call. Properties with different values are different fields. */
  readonly value?: JsonValue
  /** Whether the value may be shown as an example of the field. */
  readonly isShown?: boolean
}

/** A longer value says too little about a field. */
const maxExampleCharacters = 200

/** The input of a new workflow, collected from the inputs of its steps. */
export class InputFields {
  readonly #fields = new Map<string, { readonly schema: JsonObject; readonly key: string }>()
  readonly #definitions: JsonObject = {}

  /** Returns the expression for the field. Steps that want the same share one. */
  take({ step, tool, name, schema, root, value, isShown = false }: Wanted): JsonObject {
    const isExample = isShown && value !== undefined && JSON.stringify(value).length <= maxExampleCharacters
    const own = {
      ...this.#toSchema(schema, { step, tool, name, root }),
      ...(isExample && { examples: [value] }),
    }
    const key = canonicalJson([own, value ?? null])
    const isFree = (each: string) => (this.#fields.get(each)?.key ?? key) === key
    let field = isFree(name) ? name : `${step}_${name}`
    for (let count = 2; !isFree(field); count++) field = `${step}_${name}_${count}`
    this.#fields.set(field, { schema: own, key })
    return { $from: pointerTo('/input', field) }
  }

  toSchema(): JsonObject {
    const names = [...this.#fields.keys()]
    return {
      type: 'object',
      additionalProperties: false,
      ...(names.length > 0 && { required: names }),
      properties: Object.fromEntries([...this.#fields].map(([name, { schema }]) => [name, schema])),
      ...(Object.keys(this.#definitions).length > 0 && { $defs: this.#definitions }),
    }
  }

  /** A copy that needs nothing of the tool's schema: what it refers to is copied under a name of the step. */
  #toSchema(schema: JsonValue, { step, tool, name, root }: Omit<Wanted, 'schema' | 'value' | 'isShown'>): JsonObject {
    const copy = (part: JsonValue): JsonValue => {
      if (Array.isArray(part)) return part.map(copy)
      if (!isObject(part)) return part
      const entries = Object.entries(part).map(([key, inner]) => [key, key === '$ref' ? toOwn(inner) : copy(inner)])
      return Object.fromEntries(entries)
    }
    const toOwn = (reference: JsonValue): JsonValue => {
      const [, keyword, target] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(String(reference)) ?? []
      const found = target && (root[keyword!] as JsonObject | undefined)?.[target]
      if (!found) return reference
      const own = `${step}_${target}`
      if (!Object.hasOwn(this.#definitions, own)) {
        this.#definitions[own] = true
        this.#definitions[own] = copy(found)
      }
      return `#/$defs/${own}`
    }
    const own = isObject(schema) ? (copy(schema) as JsonObject) : {}
    // A default would make a required field optional.
    const { default: _, ...kept } = own
    return { ...kept, description: kept.description ?? `${name} of ${tool}` }
  }
}

import type { Contract, Risk } from '../../../contract/contract.ts'
import { isObject, type JsonObject, type JsonValue } from '../../../contract/json.ts'
import { pointerTo } from '../../../contract/schema/json-pointer.ts'
import { InputFields } from './input-fields.ts'

/** A call that a new workflow makes. */
export interface DraftCall {
  /** Full id of the tool. */
  readonly tool: string
  readonly contract: Contract
  /** The input of a recorded call. Without it, every required property is filled in. */
  readonly given?: JsonObject
  /** Properties whose recorded value is a secret. */
  readonly secret?: ReadonlySet<string>
  /** What the recorded call returned, as far as it is known. */
  readonly output?: JsonValue
}

/** Where a property of a step's input comes from. */
export interface Mapping {
  readonly step: string
  readonly tool: string
  readonly name: string
  /** `output`: an earlier step's. `checked`: the same, compared with the schema of the property when it runs. */
  readonly from: 'input' | 'output' | 'checked'
  /** The JSON pointer. */
  readonly source: string
}

export interface Draft {
  readonly document: JsonObject
  readonly mappings: readonly Mapping[]
}

interface Head {
  readonly name: string
  readonly description: string
}

/** References to outputs of earlier steps that may be meant for a property, best first. */
export type FindSources = (wanted: Wanted) => readonly string[]

interface Wanted {
  readonly name: string
  readonly value: JsonValue | undefined
  readonly earlier: readonly { readonly id: string; readonly call: DraftCall }[]
}

/** Finds problems of a document, each with a JSON pointer into it. */
type FindProblems = (document: JsonObject) => Promise<readonly { readonly pointer: string }[]>

interface Options {
  readonly findSources: FindSources
  readonly findProblems: FindProblems
}

/**
 * The document of a workflow that makes calls one after another and returns what the last one returns. A property comes from
 * the first source that the check accepts, if need be with `$check`; otherwise from the input of the workflow.
 */
export async function toDocument(
  head: Head,
  calls: readonly DraftCall[],
  { findSources, findProblems }: Options,
): Promise<Draft> {
  const ids = toStepIds(calls.map(({ contract }) => contract))
  const choices = calls.map((call, index) => {
    const earlier = ids.slice(0, index).map((id, n) => ({ id, call: calls[n]! }))
    const names = call.given ? Object.keys(call.given) : (call.contract.input.required ?? [])
    return names.map((name) => ({ name, at: 0, sources: findSources({ name, value: call.given?.[name], earlier }) }))
  })
  for (;;) {
    const draft = build(head, { ids, calls, choices })
    const problems = await findProblems(draft.document)
    let hasMoved = false
    for (const [index, properties] of choices.entries()) {
      for (const property of properties) {
        const pointer = pointerTo(`/steps/${index}/input`, property.name)
        const isWrong = problems.some((one) => one.pointer === pointer || one.pointer.startsWith(`${pointer}/`))
        if (!isWrong || property.at >= 2 * property.sources.length) continue
        property.at++
        hasMoved = true
      }
    }
    if (!hasMoved) return draft
  }
}

interface Property {
  readonly name: string
  readonly sources: readonly string[]
  /** Which source is used, each first as it is and then with `$check`; after the last, the input of the workflow. */
  at: number
}

interface Parts {
  readonly ids: readonly string[]
  readonly calls: readonly DraftCall[]
  readonly choices: readonly (readonly Property[])[]
}

function build({ name, description }: Head, { ids, calls, choices }: Parts): Draft {
  const fields = new InputFields()
  const mappings: Mapping[] = []
  const steps = calls.map(({ tool, contract, given, secret }, index) => {
    const { properties = {} } = contract.input
    const step = ids[index]!
    const input = choices[index]!.map((property) => {
      const schema = (Object.hasOwn(properties, property.name) ? properties[property.name] : {}) as JsonValue
      const source = property.sources[Math.floor(property.at / 2)]
      const about = { step, tool, name: property.name }
      if (source === undefined) {
        const value = given?.[property.name]
        const isShown = !secret?.has(property.name)
        const field = fields.take({ ...about, schema, root: contract.input, ...(value !== undefined && { value, isShown }) }) // biome-ignore format: one line
        mappings.push({ ...about, from: 'input', source: field.$from as string })
        return [property.name, field]
      }
      const isChecked = property.at % 2 === 1
      mappings.push({ ...about, from: isChecked ? 'checked' : 'output', source })
      const reference = { $from: source }
      return [property.name, isChecked ? { $check: [reference, toOwnSchema(schema, contract)] } : reference]
    })
    return { id: step, tool, input: Object.fromEntries(input) as JsonObject }
  })
  const document = {
    ...{ name, description, risk: findRisk(calls) },
    input: fields.toSchema(),
    output: calls.at(-1)!.contract.output as JsonObject,
    steps,
    result: { $from: `/steps/${ids.at(-1)}/output` },
  }
  return { document, mappings }
}

/** A schema that needs nothing around it. */
function toOwnSchema(schema: JsonValue, { input }: Contract): JsonValue {
  const { $defs, definitions } = input as JsonObject
  if (!isObject(schema)) return schema
  const { description: _description, default: _default, title: _title, examples: _examples, ...kept } = schema
  const isReferring = JSON.stringify(kept).includes('"$ref"')
  return isReferring ? { ...kept, ...($defs && { $defs }), ...(definitions && { definitions }) } : kept
}

const risks: readonly Risk[] = ['read_only', 'safe_write', 'dangerous']

function findRisk(calls: readonly DraftCall[]): Risk {
  return risks[Math.max(...calls.map(({ contract }) => risks.indexOf(contract.risk)))]!
}

/** Ids of steps by their tools: `web.fetch` becomes `web_fetch`, and the second one `web_fetch_2`. */
function toStepIds(contracts: readonly Contract[]): string[] {
  const taken = new Set<string>()
  return contracts.map(({ name }) => {
    const base = `${name.charAt(0).toLowerCase()}${name.slice(1, 60).replaceAll(/[^A-Za-z0-9_]/g, '_')}`
    let id = base
    for (let count = 2; taken.has(id); count++) id = `${base}_${count}`
    taken.add(id)
    return id
  })
}

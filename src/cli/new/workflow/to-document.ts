import type { Contract, Risk } from '../../../contract/contract.ts'
import type { JsonObject, JsonValue } from '../../../contract/json.ts'
import type { InputFields } from './input-fields.ts'

/** A step of a new workflow: a tool with its contract, and how its input is made. */
interface DraftStep {
  readonly id: string
  readonly tool: string
  readonly contract: Contract
  readonly input: JsonObject
}

interface Draft {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly fields: InputFields
  readonly steps: readonly DraftStep[]
}

/** The document of a workflow that calls tools one after another and returns what the last one returns. */
export function toDocument({ name, title, description, fields, steps }: Draft): JsonObject {
  const last = steps.at(-1)!
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    risk: findRisk(steps),
    input: fields.toSchema(),
    output: last.contract.output as JsonObject,
    steps: steps.map(({ id, tool, input }) => ({ id, tool, input })),
    result: { $from: `/steps/${last.id}/output` },
  }
}

const risks: readonly Risk[] = ['read_only', 'safe_write', 'dangerous']

function findRisk(steps: readonly DraftStep[]): Risk {
  return risks[Math.max(...steps.map(({ contract }) => risks.indexOf(contract.risk)))]!
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

/** Steps that take every required property of their tools from the input of the workflow. */
export function toPrefilledSteps(
  tools: readonly { readonly id: string; readonly contract: Contract }[],
  fields: InputFields,
): DraftStep[] {
  const ids = toStepIds(tools.map(({ contract }) => contract))
  return tools.map(({ id: tool, contract }, index) => {
    const { required = [], properties = {} } = contract.input
    const input = required.map((name) => {
      const schema = (Object.hasOwn(properties, name) ? properties[name] : {}) as JsonValue
      return [name, fields.take({ step: ids[index]!, tool, name, schema, root: contract.input })]
    })
    return { id: ids[index]!, tool, contract, input: Object.fromEntries(input) }
  })
}

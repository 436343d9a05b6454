import type { Contract } from '../contract/contract.ts'
import type { JsonObject } from '../contract/json.ts'
import { guardSchema } from '../contract/schema/guard-schema.ts'

/** A tool as listed in the catalog: its contract under its served name. */
export interface Listed {
  readonly name: string
  /** The name that every model provider accepts. */
  readonly functionName: string
  readonly tool: { readonly contract: Contract; readonly workflow?: JsonObject }
}

/** Something in a contract that its projection lacks. Calls are checked against the contract anyway. */
export interface Loss {
  /** The served name of the tool. */
  readonly tool: string
  /** JSON pointer into the contract: the schema with the keyword. */
  readonly pointer: string
  readonly keyword: string
  readonly note: string
}

/** A tool that is omitted so that the consumer accepts the others. */
export interface Withheld {
  readonly tool: string
  readonly reason: string
}

export interface Projection<Result> {
  readonly result: Result
  readonly losses: readonly Loss[]
  readonly withheld: readonly Withheld[]
}

/** Records a loss at a schema of the contract. */
export type NoteLoss = (pointer: string, keyword: string, note: string) => void

export interface ToolToProject {
  /** The name that the consumer uses. */
  readonly name: string
  readonly description: string
  readonly contract: Contract
  readonly note: NoteLoss
}

/**
 * Projects every callable tool separately: a schema that the guard refuses withholds only its own tool, because a
 * consumer would reject the whole list.
 */
export async function projectTools<Projected>(
  entries: readonly Listed[],
  toTool: (tool: ToolToProject) => Projected,
): Promise<Projection<Projected[]>> {
  const projection = { result: [] as Projected[], losses: [] as Loss[], withheld: [] as Withheld[] }
  for (const { name: tool, functionName: name, contract } of toCallable(entries)) {
    const reason = await findFault(contract, 'input')
    if (reason !== undefined) {
      projection.withheld.push({ tool, reason })
      continue
    }
    const note: NoteLoss = (pointer, keyword, note) => projection.losses.push({ tool, pointer, keyword, note })
    projection.result.push(toTool({ name, description: toDescription(contract), contract, note }))
  }
  return projection
}

/** Planned tools are never offered. */
export function toCallable<Entry extends Pick<Listed, 'tool'>>(entries: readonly Entry[]) {
  return entries
    .map(({ tool, ...names }) => ({ ...names, contract: tool.contract }))
    .filter(({ contract }) => contract.status !== 'planned')
}

/** A single sentence is a label, and is written without its full stop. */
function toDescription({ status, description }: Contract): string {
  if (status === 'deprecated') return `Deprecated. ${description}`
  return /^[^.!?]+\.$/.test(description) ? description.slice(0, -1) : description
}

/** Why a contract's schema cannot be projected, or undefined. */
export async function findFault(contract: Contract, side: 'input' | 'output'): Promise<string | undefined> {
  const { type } = contract[side] ?? {}
  const verdict = await guardSchema(contract[side])
  if (!verdict.admitted) {
    const [problem] = verdict.problems
    return `Its ${side} schema is refused at ${JSON.stringify(`/${side}${problem!.pointer}`)}: ${problem!.message}`
  }
  return type === undefined || type === 'object' ? undefined : `Its ${side} is not an object: write type: 'object'.`
}

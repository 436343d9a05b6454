import type { Contract, ContractSource } from '../contract/contract.ts'
import { contractSchema } from '../contract/contract-schema.ts'
import { defineTool } from '../contract/define-tool.ts'
import type { ContractSet } from '../contract/diff/diff-contracts.ts'
import { isObject, type JsonObject, type JsonValue } from '../contract/json.ts'
import { compileSchema } from '../contract/schema/compile-schema.ts'

/** The contracts of tools by full id, in the order of the ids. */
export function toContractSet(entries: readonly { id: string; tool: { contract: Contract } }[]): ContractSet {
  const sorted = entries.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  return Object.fromEntries(sorted.map(({ id, tool }) => [id, tool.contract]))
}

/** No contracts can be read. The message says what was found instead. */
export class NoContracts extends Error {
  override readonly name = 'NoContracts'
}

/**
 * Reads contracts from JSON: by full id, as `toContractSet` writes them; a list, or one contract, under their names.
 * Properties with defaults may be omitted, as in a contract's source.
 */
export async function fromContractSet(value: JsonValue): Promise<ContractSet> {
  const contracts: [id: string, contract: Contract][] = []
  for (const [id, source] of toSources(value)) contracts.push([id, await toContract(id, source)])
  const ids = contracts.map(([id]) => id)
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice !== undefined) throw new NoContracts(`There are two contracts of '${twice}'.`)
  return Object.fromEntries(contracts)
}

function toSources(value: JsonValue): [id: string, source: JsonValue][] {
  if (Array.isArray(value)) return value.map((source, index) => [nameOf(source) ?? String(index), source])
  if (typeof value !== 'object' || value === null) throw new NoContracts('This is neither an object nor a list.')
  const name = nameOf(value)
  return name === undefined ? Object.entries(value) : [[name, value]]
}

async function toContract(id: string, source: JsonValue): Promise<Contract> {
  const [problem] = (await compileSchema(contractSchema)).validate(source)
  if (problem) throw new NoContracts(`The contract of '${id}' is not valid at "${problem.pointer}": ${problem.message}`)
  const { $schema: _, ...fields } = source as JsonObject
  // It sets defaults; the tool is never called.
  return defineTool(fields as unknown as ContractSource, () => ({})).contract
}

function nameOf(source: JsonValue): string | undefined {
  return isObject(source) && typeof source.name === 'string' ? source.name : undefined
}

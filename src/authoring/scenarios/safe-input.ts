import { type Contract, toEffectFields } from '../../contract/contract.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import type { Random } from './values/random.ts'

/**
 * The input with values of examples wherever it names a command, an address, or a path that leads out of the workspace.
 * What is made at random names files of the workspace at most. Undefined where the contract has no such example.
 */
export function toSafeInput(contract: Contract, input: JsonObject, random: Random): JsonObject | undefined {
  const safe = { ...input }
  for (const field of namingFields(contract)) {
    if (isSafeValue(contract, field, safe[field])) continue
    const known = exampleValues(contract, field)
    if (known.length > 0) safe[field] = random.pick(known)
    else if (isPathField(contract, field) && typeof safe[field] === 'string') safe[field] = toPlainPath(safe[field])
    else return undefined
  }
  return safe
}

export function isSafeInput(contract: Contract, input: JsonObject): boolean {
  return namingFields(contract).every((field) => isSafeValue(contract, field, input[field]))
}

function namingFields({ effects }: Contract): string[] {
  return [...new Set(toEffectFields(effects))]
}

function isPathField({ effects }: Contract, field: string): boolean {
  return ![...(effects.fetches ?? []), ...(effects.runs ?? []), ...(effects.sends ?? [])].includes(field)
}

function isSafeValue(contract: Contract, field: string, value: JsonValue | undefined): boolean {
  if (value === undefined || exampleValues(contract, field).some((known) => isSame(known, value))) return true
  return isPathField(contract, field) && [value].flat().every((path) => typeof path !== 'string' || isPlainPath(path))
}

function isPlainPath(path: string): boolean {
  return !/^(?:[/\\~]|[a-z]:)|(?:^|[/\\])\.\.(?:[/\\]|$)/i.test(path.trim())
}

function toPlainPath(path: string): string {
  return path.replaceAll(/[^a-z0-9]/gi, '_')
}

function exampleValues({ examples }: Contract, field: string): JsonValue[] {
  return examples.flatMap(({ input }) => (input[field] === undefined ? [] : [input[field]]))
}

function isSame(one: JsonValue, other: JsonValue): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

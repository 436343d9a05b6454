import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Contract } from '../../contract/contract.ts'
import { toolNameForm } from '../../contract/forms.ts'
import type { JsonValue } from '../../contract/json.ts'
import { toFaults } from '../../contract/lint/faults.ts'
import { lintContract } from '../../contract/lint-contract.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'
import { fromContractSet } from '../../projections/contracts.ts'

/** As much as a config may be: a contract is for people to read. */
const limits = { maxBytes: 1_048_576, maxDepth: 128 }

/** Reads and lints a contract file. A list says why its contract cannot be relied on. */
export async function loadContract(folder: string, stem: string): Promise<Contract | readonly string[]> {
  const path = join(folder, `${stem}.contract.json`)
  // A pipe that nobody writes to would be read for ever.
  if (!(await stat(path).catch(() => undefined))?.isFile()) return ['It is no regular file']
  const parsed = parseJson(await readFile(path), limits)
  if (!parsed.ok) return [`It is not valid JSON. ${withoutStop(parsed.message)}`]
  if (!hasName(parsed.value)) return ['It is no contract: an object with a name, a description, a risk, an input and an output'] // biome-ignore format: one line
  const { name } = parsed.value
  if (name !== stem && toolNameForm.test(name))
    return [`The contract in ${stem}.contract.json is named '${name}'. Give both the same name`]
  try {
    const contract = (await fromContractSet(parsed.value))[name]!
    const faults = toFaults(await lintContract(contract))
    return faults.length > 0 ? faults : contract
  } catch (cause) {
    return [withoutStop((cause as Error).message)]
  }
}

function hasName(value: JsonValue): value is { name: string } {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
}

/** Reasons are joined to sentences by whoever tells them. */
function withoutStop(text: string): string {
  return text.replace(/\.$/, '')
}

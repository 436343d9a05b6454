import type { Contract } from '../../contract/contract.ts'
import type { JsonSchema } from '../../contract/json.ts'
import { type LoadedValidator, loadValidator } from '../../contract/schema/load-validator.ts'
import type { Problem } from '../../contract/tool-error.ts'
import { toolFailureSchema } from './tool-failure.ts'

/** Cached by schema. Input validators set defaults, so they are cached separately. */
type Loaded = WeakMap<JsonSchema, LoadedValidator>
const ofInputs: Loaded = new WeakMap()
const ofOutputs: Loaded = new WeakMap()

/** Returns a promise only if the validator is not loaded yet. */
export function findInputProblems({ input }: Contract, value: unknown): Problem[] | Promise<Problem[]> {
  return ofInputs.get(input)?.validate(value) ?? loadAndFind(ofInputs, input, value)
}

export function findOutputProblems({ output }: Contract, value: unknown): Problem[] | Promise<Problem[]> {
  return ofOutputs.get(output)?.validate(value) ?? loadAndFind(ofOutputs, output, value)
}

/** An error of a tool is checked like an output. */
export function findFailureProblems(value: unknown): Problem[] | Promise<Problem[]> {
  return ofOutputs.get(toolFailureSchema)?.validate(value) ?? loadAndFind(ofOutputs, toolFailureSchema, value)
}

async function loadAndFind(loaded: Loaded, schema: JsonSchema, value: unknown): Promise<Problem[]> {
  const validator = await loadValidator(schema, { useDefaults: loaded === ofInputs })
  loaded.set(schema, validator)
  return validator.validate(value)
}

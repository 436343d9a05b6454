import type { Contract } from '../../contract/contract.ts'
import type { JsonSchema } from '../../contract/json.ts'
import { type LoadedValidator, loadValidator } from '../../contract/schema/load-validator.ts'
import type { Problem } from '../../contract/tool-error.ts'
import { toolFailureSchema } from './tool-failure.ts'

/** By schema. Those of inputs set defaults, so that they are kept apart. */
type Loaded = WeakMap<JsonSchema, LoadedValidator>
const ofInputs: Loaded = new WeakMap()
const ofOutputs: Loaded = new WeakMap()

/** What is wrong with an input. A promise only where something is still to be loaded: nearly every call need not wait. */
export function findInputProblems({ input }: Contract, value: unknown): Problem[] | Promise<Problem[]> {
  return ofInputs.get(input)?.validate(value) ?? loadAndFind(ofInputs, input, value)
}

export function findOutputProblems({ output }: Contract, value: unknown): Problem[] | Promise<Problem[]> {
  return ofOutputs.get(output)?.validate(value) ?? loadAndFind(ofOutputs, output, value)
}

/** Of what a tool says in a failure, which is checked like an output. */
export function findFailureProblems(value: unknown): Problem[] | Promise<Problem[]> {
  return ofOutputs.get(toolFailureSchema)?.validate(value) ?? loadAndFind(ofOutputs, toolFailureSchema, value)
}

async function loadAndFind(loaded: Loaded, schema: JsonSchema, value: unknown): Promise<Problem[]> {
  const validator = await loadValidator(schema, { useDefaults: loaded === ofInputs })
  loaded.set(schema, validator)
  return validator.validate(value)
}

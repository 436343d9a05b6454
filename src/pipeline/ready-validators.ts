import type { Contract } from '../contract/contract.ts'
import type { JsonSchema } from '../contract/json.ts'
import { compileSchema, type Validator } from '../contract/schema/compile-schema.ts'
import { toolFailureSchema } from './tool-failure.ts'

/** By schema. Those of inputs set defaults, so that they are kept apart. */
type Ready = WeakMap<JsonSchema, Validator>
const ofInputs: Ready = new WeakMap()
const ofOutputs: Ready = new WeakMap()

/** A promise only where the schema is not compiled yet: nearly every call finds it ready, and need not wait. */
export function toInputValidator({ input }: Contract): Validator | Promise<Validator> {
  return ofInputs.get(input) ?? keep(ofInputs, input, compileSchema(input, { useDefaults: true }))
}

export function toOutputValidator({ output }: Contract): Validator | Promise<Validator> {
  return ofOutputs.get(output) ?? keep(ofOutputs, output, compileSchema(output))
}

/** For what a tool says in a failure, which is checked like an output. */
export function toFailureValidator(): Validator | Promise<Validator> {
  return ofOutputs.get(toolFailureSchema) ?? keep(ofOutputs, toolFailureSchema, compileSchema(toolFailureSchema))
}

async function keep(ready: Ready, schema: JsonSchema, compiling: Promise<Validator>): Promise<Validator> {
  const validator = await compiling
  ready.set(schema, validator)
  return validator
}

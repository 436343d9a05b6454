import { makeValue } from '../../src/authoring/scenarios/values/make-value.ts'
import { createRandom } from '../../src/authoring/scenarios/values/random.ts'
import type { Contract } from '../../src/contract/contract.ts'
import type { JsonObject, JsonSchema, JsonValue } from '../../src/contract/json.ts'
import { compileSchema, SchemaRefused, type Validator } from '../../src/contract/schema/compile-schema.ts'
import { checkWorkflow } from '../../src/workflow/check/check-workflow.ts'
import { readWorkflow } from '../../src/workflow/document/read-workflow.ts'
import { isCall, type Step, type Workflow } from '../../src/workflow/document/workflow.ts'
import { evaluate, type Scope } from '../../src/workflow/expression/evaluate.ts'
import type { RandomWorkflow } from './random-workflows.ts'

type Plain = Record<string, unknown>

export interface Tried {
  readonly outcome: 'passed' | 'refused' | 'unmade'
  /** Inputs that a tool would have got. */
  readonly inputs: number
  /** References in what was left of the mappings. */
  readonly references: number
  readonly faults: readonly unknown[]
}

/** Checks a workflow without the parts that are refused, and runs what is left with random values and no tools. */
export async function tryWorkflow(made: RandomWorkflow): Promise<Tried> {
  const { document, contracts, pool, seed } = structuredClone(made)
  const all = Object.values(contracts).flatMap(({ input, output }) => [input, output])
  if (!(await areAdmitted(all))) return nothing('unmade')
  for (let turn = 0; turn < 12; turn++) {
    const read = await readWorkflow(JSON.stringify(document), 'json')
    if (!read.ok) return nothing('unmade')
    const findContract = (id: string) => ({ ...structuredClone(contracts[id]), risk: 'read_only' }) as unknown as Contract // biome-ignore format: one line
    const problems = await checkWorkflow(read.workflow, { findContract })
    const errors = problems.filter(({ severity }) => severity === 'error')
    if (errors.length === 0) {
      const run = new TrialRun(read.workflow, structuredClone(contracts), pool)
      for (let again = 0; again < 8; again++) await run.try(`${seed} ${again}`)
      const references = JSON.stringify([document.steps, document.result]).split('"$from"').length - 1
      return { outcome: 'passed', inputs: run.inputs, references, faults: run.faults }
    }
    for (const { pointer } of errors) leaveOut(pointer, { document: document as unknown as Draft, contracts, turn })
  }
  return nothing('refused')
}

function nothing(outcome: Tried['outcome']): Tried {
  return { outcome, inputs: 0, references: 0, faults: [] }
}

interface Draft {
  readonly output: JsonSchema
  readonly steps: { tool: string; input: Plain; when?: unknown; forEach?: unknown }[]
  result: Plain
}

/** Changes what is refused, so that the rest can be tried: first the least, then more. */
function leaveOut(pointer: string, { document, contracts, turn }: Attempt): void {
  const [top, ...path] = pointer.slice(1).split('/')
  if (top === 'result') document.result = changed(document.result, path, { schema: document.output, turn })
  const step = top === 'steps' ? document.steps[Number(path[0])] : undefined
  if (!step) return
  if (path[1] === 'when' || path[1] === 'forEach') delete step[path[1]]
  if (path[1] === 'input')
    step.input = changed(step.input, path.slice(2), { schema: contracts[step.tool]!.input, turn })
}

interface Attempt {
  readonly document: Draft
  readonly contracts: RandomWorkflow['contracts']
  readonly turn: number
}

function changed(
  mapping: Plain,
  [name, ...rest]: readonly string[],
  { schema, turn }: { schema: JsonSchema; turn: number },
): Plain {
  // biome-ignore format: one line
  const draft = schema as { required: string[]; properties: Plain }
  if (name === undefined || name.startsWith('$')) {
    draft.required = []
    return {}
  }
  const wanted = draft.properties[name]
  const isPlain = wanted !== undefined && !JSON.stringify(wanted).includes('$ref')
  if (rest.length === 0 && turn < 2 && isPlain && name in mapping) return { ...mapping, [name]: { $check: [mapping[name], wanted] } } // biome-ignore format: one line
  if (rest.length === 0 && turn < 4) {
    draft.properties[name] = {}
    draft.required = draft.required.filter((one) => one !== name)
    return mapping
  }
  draft.required = draft.required.filter((one) => one !== name)
  return Object.fromEntries(Object.entries(mapping).filter(([key]) => key !== name))
}

async function areAdmitted(schemas: readonly JsonSchema[]): Promise<boolean> {
  try {
    await Promise.all(schemas.map((schema) => compileSchema(schema)))
    return true
  } catch (cause) {
    if (cause instanceof SchemaRefused) return false
    throw cause
  }
}

type Steps = { [id: string]: Scope['steps'][string] }

class TrialRun {
  inputs = 0
  readonly faults: unknown[] = []
  readonly #workflow: Workflow
  readonly #contracts: RandomWorkflow['contracts']
  readonly #pool: readonly unknown[]

  constructor(workflow: Workflow, contracts: RandomWorkflow['contracts'], pool: readonly unknown[]) {
    this.#workflow = workflow
    this.#contracts = contracts
    this.#pool = pool
  }

  /** Runs it once. Ends early if no value for a schema is found, or a `$check` fails. */
  async try(seed: string): Promise<void> {
    const { input: schema, steps: all, output, result } = this.#workflow
    const input = await this.#make(schema, seed, true)
    if (input === undefined) return
    const steps: Steps = {}
    const scope = { input: input as JsonObject, steps, run: { id: 'r', startedAt: '2026-01-02T03:04:05Z' } }
    for (const step of all) {
      const outcome = await this.#step(step, scope, `${seed} ${step.id}`)
      if (!outcome) return
      steps[step.id] = outcome
    }
    const returned = await this.#evaluate(result, scope, 'result')
    if (returned !== undefined) await this.#validate(output, returned, { what: 'result', scope })
  }

  async #step(step: Step, scope: Scope, seed: string): Promise<Steps[string] | undefined> {
    if (!isCall(step)) return { skipped: false }
    if (step.when !== undefined) {
      const runs = await this.#evaluate(step.when, scope, `${step.id} when`)
      if (runs === undefined) return undefined
      if (!runs) return { skipped: true }
    }
    if (!step.forEach) return this.#call(step.tool, step, { scope, seed })
    const list = await this.#evaluate(step.forEach.in, scope, `${step.id} forEach`)
    if (list === undefined) return undefined
    if (!Array.isArray(list) || list.length > step.forEach.max) {
      this.faults.push({ what: `${step.id} forEach`, list })
      return undefined
    }
    const outputs: JsonValue[] = []
    for (const [index, item] of list.entries()) {
      const outcome = await this.#call(step.tool, step, { scope: { ...scope, item, index }, seed: `${seed} ${index}` })
      if (!outcome) return undefined
      if (outcome.output !== undefined) outputs.push(outcome.output)
    }
    return { skipped: false, output: outputs }
  }

  async #call(tool: string, step: Extract<Step, { tool: string }>, { scope, seed }: { scope: Scope; seed: string }) {
    const { input, output } = this.#contracts[tool]!
    const made = await this.#evaluate(step.input, scope, `${step.id} input`)
    if (made === undefined) return undefined
    this.inputs++
    if (!(await this.#validate(input, made, { what: `${step.id} input`, scope, defaults: true }))) return undefined
    if (step.onError === 'continue' && createRandom(seed).chance(0.3))
      return { skipped: false, error: { code: 'timeout', message: 'Too slow.' } }
    const returned = await this.#make(output, seed, false)
    return returned === undefined ? undefined : { skipped: false, output: returned }
  }

  async #evaluate(value: JsonValue, scope: Scope, what: string): Promise<JsonValue | undefined> {
    const found = await evaluate(value, scope)
    if (found.ok) return structuredClone(found.value)
    if (!/does not match its \$check|too much data/.test(found.message)) this.faults.push({ what, scope, ...found })
    return undefined
  }

  async #validate(
    schema: JsonSchema,
    value: JsonValue,
    { what, scope, defaults = false }: { what: string; scope: Scope; defaults?: boolean },
  ) {
    // biome-ignore format: one line
    const problems = (await compileSchema(schema, { useDefaults: defaults })).validate(structuredClone(value))
    if (problems.length > 0) this.faults.push({ what, scope, value, problems })
    return problems.length === 0
  }

  /** A valid value, if one is found. */
  async #make(schema: JsonSchema, seed: string, useDefaults: boolean): Promise<JsonValue | undefined> {
    const random = createRandom(seed)
    const validator: Validator = await compileSchema(schema, { useDefaults })
    for (let turn = 0; turn < 12; turn++) {
      const size = random.pick(['small', 'large', 'any'] as const)
      const made = random.chance(0.5) ? makeValue(schema, { random, size, maxBytes: 500 }) : this.#compose(schema, random) // biome-ignore format: one line
      const value = structuredClone(made) as JsonValue | undefined
      if (value !== undefined && validator.validate(value).length === 0) return value
    }
    return undefined
  }

  /** An object whose properties are from the pool. */
  #compose({ properties = {}, required = [] }: JsonSchema, random: ReturnType<typeof createRandom>): JsonObject {
    const made: JsonObject = {}
    for (const [name, part] of Object.entries(properties)) {
      if (!required.includes(name) && random.chance(0.4)) continue
      const value = random.chance(0.5) ? makeValue(part as JsonSchema, { random, size: 'any', maxBytes: 200 }) : random.pick(this.#pool) // biome-ignore format: one line
      if (value !== undefined) made[name] = value as JsonValue
    }
    return made
  }
}

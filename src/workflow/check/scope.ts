import { canonicalJson } from '../../contract/canonical-json.ts'
import { composed, embed, type Place } from '../../contract/diff/document.ts'
import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import type { Step } from '../document/workflow.ts'
import { type Scope, unclearItem } from './infer.ts'
import { type Type, typeOf } from './type.ts'

/** What is known of a step that comes earlier. */
export interface StepFacts {
  readonly id: string
  readonly when?: JsonValue
  /** Absent: it waits. */
  readonly output?: Type
  /** The run goes on if it fails. */
  readonly continues?: boolean
}

interface ScopeParts {
  readonly input: Place
  readonly ended: readonly StepFacts[]
  readonly steps: readonly Step[]
  readonly self?: string
  /** The condition of the step itself: earlier steps with the same one have run too. */
  readonly when?: JsonValue
  /** The step whose failure is compensated. */
  readonly failed?: string
  readonly item?: Type
}

/** What expressions can refer to, as a type of the scope that `evaluate` gets. */
export function scopeOf({ input, ended, steps, self, when, failed, item }: ScopeParts): Scope {
  const held = when === undefined ? [] : conjuncts(when)
  const states = ended.map((step) => [step.id, stateOf(step, held)] as const)
  if (failed !== undefined) states.push([failed, failedState])
  const earlier = states.map(([id]) => id)
  const properties: JsonObject = {
    input: embed(input),
    steps: closed(Object.fromEntries(states)),
    run: closed({ id: { type: 'string', minLength: 1 }, startedAt: { type: 'string', format: 'date-time' } }),
    ...(item && { item: embed(item.place), index: { type: 'integer', minimum: 0, maximum: 999 } }),
  }
  const later = steps.map(({ id }) => id).filter((id) => !earlier.includes(id))
  const unclear = ended.filter(({ output }) => output?.isWrong).map(({ id }) => id)
  if (item?.isWrong) unclear.push(unclearItem)
  return { place: composed(closed(properties)), earlier, later, unclear, ...(self !== undefined && { self }) }
}

const code = { type: 'string', minLength: 1, maxLength: 64 }
const errorSchema = closed({ code, message: { type: 'string' } })
const failedState = closed({ skipped: { const: false }, error: errorSchema })

function stateOf({ when, output, continues }: StepFacts, held: readonly string[]): JsonObject {
  const isSure = when === undefined || conjuncts(when).every((one) => held.includes(one))
  const states = [
    closed({ skipped: { const: false }, ...(output && { output: embed(output.place) }) }),
    ...(isSure ? [] : [closed({ skipped: { const: true } })]),
    ...(continues ? [failedState] : []),
  ]
  return states.length === 1 ? states[0]! : { anyOf: states }
}

/** Conditions that all hold if the condition does, as text. */
function conjuncts(condition: JsonValue): string[] {
  const isAll = isObject(condition) && Array.isArray(condition.$and) && Object.keys(condition).length === 1
  return isAll ? (condition.$and as JsonValue[]).flatMap(conjuncts) : [canonicalJson(condition)]
}

/** What a step with `forEach` returns. */
export function listOfOutputs(each: Type, { min, max }: { min: number; max: number }): Type {
  const list = typeOf({ type: 'array', items: embed(each.place), minItems: min, maxItems: max })
  return { ...list, ...(each.isWrong && { isWrong: true }) }
}

function closed(properties: JsonObject): JsonObject {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

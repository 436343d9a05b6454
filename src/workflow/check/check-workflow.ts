import type { Contract, Risk } from '../../contract/contract.ts'
import { composed, openDocument, type Place } from '../../contract/diff/document.ts'
import { createPartsOf, type TextTest } from '../../contract/diff/part.ts'
import { digest } from '../../contract/digest.ts'
import type { JsonObject, JsonSchema, JsonValue } from '../../contract/json.ts'
import { compileSchema, SchemaRefused } from '../../contract/schema/compile-schema.ts'
import { nearest } from '../../contract/text/nearest.ts'
import { showText } from '../../contract/text/show-value.ts'
import type { WorkflowProblem } from '../document/read-workflow.ts'
import { type CallStep, type Compensation, isCall, type Step, type Workflow } from '../document/workflow.ts'
import { findChecks } from '../expression/evaluate.ts'
import { describeMissing } from './describe-missing.ts'
import { fitValue } from './fit-value.ts'
import { Inference, type Scope } from './infer.ts'
import { openInput } from './open-input.ts'
import { findOrderProblems } from './order.ts'
import { listOfOutputs, type StepFacts, scopeOf } from './scope.ts'
import { describeSource } from './source.ts'
import { openTextTest } from './text-test.ts'
import { type Type, Types, unclear } from './type.ts'

/** What a workflow is checked against. */
export interface CheckOptions {
  /** The contract of a tool that may be called, by its full id. */
  findContract(id: string): Contract | undefined | Promise<Contract | undefined>
  /** Why a tool is withheld, if it is. */
  findWithheld?(id: string): string | undefined | Promise<string | undefined>
  /** The ids of all tools, to suggest one. */
  readonly toolIds?: readonly string[]
}

/**
 * Finds what is wrong with a workflow before it can run: references, order, risk, and the type of every mapping. A
 * workflow without errors never fails because an input that it makes does not match the contract of its tool.
 */
export async function checkWorkflow(workflow: Workflow, options: CheckOptions): Promise<WorkflowProblem[]> {
  return new Check(workflow, options, await openTextTest()).run()
}

class Check {
  readonly #workflow: Workflow
  readonly #options: CheckOptions
  readonly #test: TextTest
  readonly #types: Types
  readonly #schemas = new Map<JsonSchema, Place>()
  readonly #problems: WorkflowProblem[] = []
  readonly #inference: Inference

  constructor(workflow: Workflow, options: CheckOptions, test: TextTest) {
    this.#workflow = workflow
    this.#options = options
    this.#test = test
    this.#types = new Types(createPartsOf(test))
    this.#inference = new Inference(this.#types, (pointer, message) => this.#report(pointer, message))
  }

  async run(): Promise<WorkflowProblem[]> {
    const { steps, result } = this.#workflow
    for (const { pointer, message } of findOrderProblems(steps)) this.#report(pointer, message)
    const [input, accepted] = [await this.#open('/input'), await this.#open('/output')]
    for (const { schema, pointer } of findChecks(this.#expressions(), ''))
      await this.#compile(schema, `${pointer}/$check/1`)
    const ended: StepFacts[] = []
    for (const [index, step] of steps.entries()) {
      const scope = scopeOf({ input, ended, steps, self: step.id })
      ended.push(await this.#step(step, `/steps/${index}`, { scope, input, ended }))
    }
    const scope = scopeOf({ input, ended, steps })
    const taker = 'the output of the workflow'
    const target = { place: accepted, taker, setsDefaults: false }
    fitValue({ value: result, at: '/result', scope }, target, this.#inference)
    await this.#checkRisk()
    return sorted(this.#problems)
  }

  #report(pointer: string, message: string, severity: WorkflowProblem['severity'] = 'error'): void {
    const sentence = message.replace(/^th(?=e output|is \$)/, 'Th')
    if (this.#problems.some((one) => one.pointer === pointer && one.message === sentence)) return
    this.#problems.push({ pointer, message: sentence, severity })
  }

  /** Everything in which expressions may occur, by its place in the document. */
  #expressions(): JsonObject {
    const { steps, result } = this.#workflow
    return { steps: steps as unknown as JsonValue, result }
  }

  /** A schema of the workflow itself. One that is refused is reported, and accepts anything. */
  async #open(pointer: '/input' | '/output'): Promise<Place> {
    const schema = this.#workflow[pointer === '/input' ? 'input' : 'output']
    if (!(await this.#compile(schema as JsonObject, pointer))) return composed(true)
    const opened = openDocument(schema, pointer)
    if (typeof opened === 'string') return composed(true)
    if (!this.#types.isImpossible(opened)) return opened
    this.#report(pointer, 'No value matches this schema. Correct it.')
    return composed(true)
  }

  async #compile(schema: JsonObject | boolean, pointer: string): Promise<boolean> {
    try {
      await compileSchema(schema)
      return true
    } catch (cause) {
      if (!(cause instanceof SchemaRefused)) throw cause
      for (const problem of cause.problems) this.#report(pointer + problem.pointer, problem.message)
      return false
    }
  }

  async #step(step: Step, at: string, { scope: outer, input, ended }: Surroundings): Promise<StepFacts> {
    const { steps } = this.#workflow
    let scope = outer
    if (step.when !== undefined) {
      const known = this.#inference.condition({ value: step.when, at: '/when' }, at, scope)
      if (known === false)
        this.#report(
          `${at}/when`,
          `This is never true, so the step '${step.id}' never runs. Correct the condition, or remove the step.`,
        )
      if (known === true)
        this.#report(
          `${at}/when`,
          `This is always true, so the step '${step.id}' always runs. Remove the condition.`,
          'warning',
        )
      scope = this.#inference.assume(scopeOf({ input, ended, steps, self: step.id, when: step.when }), step.when, true)
    }
    const facts = { id: step.id, ...(step.when !== undefined && { when: step.when }) }
    if (!isCall(step)) {
      if ('until' in step.wait) this.#fitUntil(step.wait.until, `${at}/wait/until`, scope)
      return facts
    }
    const contract = await this.#contract(step, at)
    const list = step.forEach && this.#forEach(step, at, scope)
    const item = list && this.#item(list)
    const inner = item ? scopeOf({ input, ended, steps, self: step.id, ...(step.when !== undefined && { when: step.when }), item }) : scope // biome-ignore format: one line
    const narrowed = item && step.when !== undefined ? this.#inference.assume(inner, step.when, true) : inner
    this.#input(step, at, { contract, scope: narrowed })
    if (typeof step.onError === 'object')
      await this.#compensation(step.onError, `${at}/onError`, { step, input, ended })
    const continues =
      step.onError === 'continue' || (typeof step.onError === 'object' && step.onError.then === 'continue')
    // Items that fail are left out, and only the list itself can fail.
    const isKept =
      continues && step.forEach && step.onError === 'continue' && findChecks(step.forEach.in, '').length === 0
    return { ...facts, output: this.#output(contract, { step, list, at }), continues: continues && !isKept }
  }

  /** A wait ends at a date-time. */
  #fitUntil(value: JsonValue, at: string, scope: Scope): void {
    const place = composed({ type: 'string', format: 'date-time' })
    const found = fitValue({ value, at, scope }, { place, taker: 'wait', setsDefaults: false }, this.#inference)
    if (found.missing !== 'never' && !found.isWrong)
      this.#report(at, describeMissing(value, { missing: found.missing, scope, types: this.#types, need: 'the step must know until when it waits' })) // biome-ignore format: one line
  }

  async #contract({ tool, contract: pinned }: CallStep | Compensation, at: string): Promise<Contract | undefined> {
    const withheld = await this.#options.findWithheld?.(tool)
    const contract = await this.#options.findContract(tool)
    if (!contract || withheld !== undefined) {
      this.#report(`${at}/tool`, withheld === undefined ? this.#toUnknown(tool) : `${tool} is withheld: ${withheld}`)
      return undefined
    }
    if (pinned !== undefined && pinned !== digest(contract))
      this.#report(`${at}/contract`, `The contract of ${tool} changed: it is now ${digest(contract)}. Review the change with toolpact show ${tool}, and write the new digest here.`) // biome-ignore format: one line
    return contract
  }

  #toUnknown(tool: string): string {
    const near = nearest(tool, this.#options.toolIds ?? [])
    return `There is no tool '${showText(tool)}'. ${near ? `Did you mean '${near}'?` : 'Run toolpact list to see the tools.'}`
  }

  /** The type of the list; anything if it is wrong. */
  #forEach({ forEach, id }: CallStep, at: string, scope: Scope): Type {
    const { in: list, max } = forEach!
    const operand = { value: list, at: '/in' }
    const found = this.#inference.present(operand, `${at}/forEach`, scope)
    if (found.isWrong) return unclear
    if (!this.#inference.isOf(found, ['array'], { operand, base: `${at}/forEach`, wanted: 'forEach takes a list' }))
      return unclear
    if (this.#types.bound(found.place, 'array', 'maxItems') > max)
      this.#report(`${at}/forEach/in`, `${describeSource(list)} may have more than ${max} ${max === 1 ? 'item' : 'items'}, the max of this forEach. Shorten it: {"$truncate": [VALUE, ${max}]}.`) // biome-ignore format: one line
    if (this.#types.item(found).missing === 'always')
      this.#report(`${at}/forEach/in`, `${describeSource(list)} is always empty, so the step '${id}' never calls its tool. Correct the list, or remove the step.`) // biome-ignore format: one line
    return found
  }

  #item(list: Type): Type {
    const item = this.#types.item(list)
    return item.missing === 'always' || list.isWrong ? unclear : item
  }

  #input({ input, tool }: CallStep | Compensation, at: string, { contract, scope }: InputOf): void {
    const place = contract ? this.#opened(contract, 'input', { tool, at }) : composed(true)
    fitValue({ value: input, at: `${at}/input`, scope }, { place, taker: tool, setsDefaults: true }, this.#inference)
  }

  /** A schema of a contract, opened once for all steps that call the tool. */
  #opened(contract: Contract, side: 'input' | 'output', { tool, at }: { tool: string; at: string }): Place {
    const known = this.#schemas.get(contract[side])
    if (known) return known
    const opened = side === 'input' ? openInput(contract.input, this.#test) : openDocument(contract.output, '/output')
    const place = typeof opened === 'object' ? opened : composed(true)
    if (place !== opened)
      this.#report(`${at}/tool`, `The ${side} schema of ${tool} cannot be read, so nothing is known of it. Correct its contract.`) // biome-ignore format: one line
    this.#schemas.set(contract[side], place)
    return place
  }

  async #compensation(onError: Compensation, at: string, around: Around): Promise<void> {
    const { step, input, ended } = around
    const contract = await this.#contract(onError, at)
    const scope = scopeOf({ input, ended, steps: this.#workflow.steps, failed: step.id })
    this.#input(onError, at, { contract, scope })
  }

  #output(contract: Contract | undefined, { step, list, at }: OutputOf): Type {
    const { tool } = step
    const each: Type = contract ? { place: this.#opened(contract, 'output', { tool, at }), missing: 'never' } : unclear
    if (!step.forEach) return each
    const isComplete = step.onError === 'stop' && list && !list.isWrong
    const min = isComplete ? this.#types.bound(list.place, 'array', 'minItems') : 0
    return listOfOutputs(each, { min, max: step.forEach.max })
  }

  /** The workflow is at least as risky as each of its steps. */
  async #checkRisk(): Promise<void> {
    const risks: readonly Risk[] = ['read_only', 'safe_write', 'dangerous']
    const { steps, risk } = this.#workflow
    let highest: { tool: string; risk: Risk } | undefined
    for (const tool of steps.filter(isCall).flatMap(toolsOf)) {
      const found = (await this.#options.findContract(tool))?.risk
      if (found && risks.indexOf(found) > risks.indexOf(highest?.risk ?? risk)) highest = { tool, risk: found }
    }
    if (highest)
      this.#report('/risk', `The workflow says ${risk}, but ${highest.tool} is ${highest.risk}. Write "risk": "${highest.risk}".`) // biome-ignore format: one line
  }
}

interface Surroundings {
  readonly scope: Scope
  readonly input: Place
  readonly ended: readonly StepFacts[]
}

interface Around {
  readonly step: CallStep
  readonly input: Place
  readonly ended: readonly StepFacts[]
}

interface InputOf {
  readonly contract: Contract | undefined
  readonly scope: Scope
}

interface OutputOf {
  readonly step: CallStep
  /** The list of `forEach`. */
  readonly list: Type | undefined
  readonly at: string
}

function toolsOf({ tool, onError }: CallStep): string[] {
  return typeof onError === 'object' ? [tool, onError.tool] : [tool]
}

/** In the order of the document. */
function sorted(problems: readonly WorkflowProblem[]): WorkflowProblem[] {
  const rank = ({ pointer }: WorkflowProblem) => ['/risk', '/input', '/output', '/steps', '/result'].findIndex((top) => pointer === top || pointer.startsWith(`${top}/`)) // biome-ignore format: one line
  const step = ({ pointer }: WorkflowProblem) => Number(/^\/steps\/(\d+)/.exec(pointer)?.[1] ?? 0)
  return problems.toSorted((one, other) => rank(one) - rank(other) || step(one) - step(other))
}

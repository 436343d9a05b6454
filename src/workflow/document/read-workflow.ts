import { type ContractSource, defaultLimits } from '../../contract/contract.ts'
import { toTitle } from '../../contract/define-tool.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { boundJson } from '../../contract/schema/bound-json.ts'
import { compileSchema } from '../../contract/schema/compile-schema.ts'
import { pointerTo } from '../../contract/schema/json-pointer.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'
import { shorten } from '../../contract/text/shorten.ts'
import { isCall, type Step, type Workflow } from './workflow.ts'
import { workflowSchema } from './workflow-schema.ts'

/** A problem of a workflow document: a JSON pointer into it, and what is wrong and what to do as sentences. */
export interface WorkflowProblem {
  readonly pointer: string
  readonly message: string
  /** `warning`: the workflow is served anyway. */
  readonly severity: 'error' | 'warning'
}

export type ReadWorkflow =
  | { readonly ok: true; readonly workflow: Workflow; readonly document: JsonObject }
  | { readonly ok: false; readonly problems: readonly WorkflowProblem[] }

export type Format = 'json' | 'yaml'

/** The same limits as for a contract. */
const limits = { maxBytes: 1_048_576, maxDepth: 64 }

/** Reads a workflow document and sets its defaults. The references and types in it are checked by `checkWorkflow`. */
export async function readWorkflow(text: string | Uint8Array, format: Format): Promise<ReadWorkflow> {
  const parsed = format === 'json' ? parseJson(text, limits) : await parseYaml(text)
  if (!parsed.ok) return refuse([{ pointer: parsed.pointer, message: parsed.message }])
  return toWorkflow(parsed.value)
}

/** How long a call waits for its run, which may wait for a person. */
const defaultTimeoutMs = 3_600_000

/** Makes a workflow of a parsed document. */
export async function toWorkflow(value: JsonValue): Promise<ReadWorkflow> {
  const problems = (await compileSchema(workflowSchema)).validate(value)
  if (problems.length > 0) return refuse(problems)
  const document = value as JsonObject
  const kinds = (document.steps as JsonObject[]).flatMap(findKindProblems)
  if (kinds.length > 0) return refuse(kinds)
  const { $schema: _, ...source } = document
  return { ok: true, workflow: withDefaults(source), document }
}

function refuse(problems: readonly { pointer: string; message: string }[]): ReadWorkflow {
  const toProblem = ({ pointer, message }: { pointer: string; message: string }) => ({ pointer, message })
  return { ok: false, problems: problems.map((problem) => ({ ...toProblem(problem), severity: 'error' })) }
}

const callKeys = ['tool', 'contract', 'input', 'forEach', 'onError', 'timeoutMs', 'approval']

/** A step either calls a tool or waits. */
function findKindProblems(step: JsonObject, index: number): { pointer: string; message: string }[] {
  const pointer = `/steps/${index}`
  if ('wait' in step) {
    return callKeys
      .filter((key) => key in step)
      .map((key) => ({
        pointer: pointerTo(pointer, key),
        message: `The step waits, so it has no ${key}. Put the call into a step of its own.`,
      }))
  }
  if (!('tool' in step))
    return [{ pointer, message: 'The step neither calls a tool nor waits. Add tool and input, or wait.' }]
  if ('input' in step) return []
  return [{ pointer, message: 'The step has no input for its tool. Add input, which may be an empty object.' }]
}

function withDefaults(source: JsonObject): Workflow {
  const given = source as unknown as Partial<Workflow> & Pick<ContractSource, 'name'>
  return {
    ...(given as Workflow),
    title: given.title ?? toTitle(given.name),
    version: given.version ?? '1.0.0',
    steps: given.steps!.map(toStep),
    parallel: given.parallel ?? 1,
    approval: given.approval ?? 'steps',
    limits: { ...defaultLimits, timeoutMs: defaultTimeoutMs, ...given.limits },
    examples: given.examples ?? [],
  }
}

function toStep(step: Step): Step {
  const after = step.after ?? []
  if (!isCall(step)) return { ...step, after }
  const { forEach, ...call } = step
  return {
    ...call,
    after,
    onError: call.onError ?? 'stop',
    ...(forEach && { forEach: { ...forEach, parallel: forEach.parallel ?? 1 } }),
  }
}

type Parsed =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly pointer: string; readonly message: string }

/** YAML 1.2 without aliases, tags and duplicate keys: what JSON could say too. */
async function parseYaml(text: string | Uint8Array): Promise<Parsed> {
  if (text.length > limits.maxBytes)
    return { ok: false, pointer: '', message: `The text has more than ${limits.maxBytes} bytes. Write less.` }
  const { parseDocument } = await import('yaml')
  try {
    const decoded = typeof text === 'string' ? text : new TextDecoder('utf-8', { fatal: true }).decode(text)
    const document = parseDocument(decoded, { version: '1.2', schema: 'core', uniqueKeys: true, stringKeys: true })
    const [fault] = [...document.errors, ...document.warnings]
    if (fault) return notYaml(fault)
    const bounded = boundJson(document.toJS({ maxAliasCount: 0 }), limits)
    return bounded.ok ? bounded : { ok: false, pointer: bounded.pointer, message: bounded.message }
  } catch (cause) {
    return notYaml(cause as Error)
  }
}

function notYaml({ message }: Error): Parsed {
  const reason = shorten(message.split('\n')[0]!.replace(/[.:]$/, ''), 300)
  return { ok: false, pointer: '', message: `It is not valid YAML: ${reason}. Correct it.` }
}

import type { CallFailure, CallResult } from '../../contract/call-result.ts'
import { defaultLimits } from '../../contract/contract.ts'
import { pipelineErrors, toPipelineError } from '../../contract/error-codes.ts'
import type { JsonValue } from '../../contract/json.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'
import type { Caller } from '../../contract/tool.ts'
import { ToolpactError } from '../../contract/toolpact-error.ts'
import { withoutNulls } from '../../projections/strict/without-nulls.ts'
import type { Call } from '../../runtime/pipeline/call.ts'
import type { CatalogEntry } from '../../runtime/pipeline/catalog.ts'
import type { Served } from '../served.ts'

/** The part of an open Toolpact that function calling needs. */
export type Callable = Pick<Served, 'call' | 'catalog'>

/** Options for the calls of a model. */
export interface HandleOptions extends Pick<Call, 'query' | 'approver' | 'signal' | 'onProgress' | 'run'> {
  /** Default: `{ name: 'library' }`. */
  readonly caller?: Caller
}

/** A call as a model wrote it. Nothing in it is trusted, not even the types. */
export interface Asked {
  readonly name: unknown
  /** JSON text, or a value that was parsed already. */
  readonly arguments: unknown
}

/** Reports what a type checker would have found. */
export function requireOpened(toolpact: unknown, name: string): void {
  if (typeof (toolpact as Callable | undefined)?.catalog?.all === 'function') return
  throw new ToolpactError(
    'invalid_option',
    `${name} takes what openToolpact resolves with as its first argument: await it.`,
  )
}

export const library: Caller = { name: 'library' }

/**
 * Runs the calls of one message and answers each of them, in order. Never rejects. Read-only calls run concurrently. Any
 * other waits for those before it, and those after it wait for it: a model that writes a file and reads it in one message
 * means them in that order.
 */
export async function answerCalls(
  toolpact: Callable,
  asked: readonly Asked[],
  { caller = library, ...options }: HandleOptions,
): Promise<CallResult[]> {
  const entries = await Promise.all(asked.map(findEntry))
  let changes: Promise<unknown> = Promise.resolve()
  let reads: Promise<CallResult>[] = []
  return Promise.all(
    asked.map((one, index) => {
      const entry = entries[index]
      if (entry?.tool.contract.risk === 'read_only') {
        const result = changes.then(() => answer(one, entry))
        reads.push(result)
        return result
      }
      const result = Promise.all([changes, ...reads]).then(() => answer(one, entry))
      changes = result
      reads = []
      return result
    }),
  )

  /** Failures are ignored here: the pipeline reports them for each call. */
  async function findEntry(one: Asked): Promise<CatalogEntry<never> | undefined> {
    const found = await toolpact.catalog.find(toName(one), caller).catch(() => undefined)
    return found?.kind === 'found' ? found : undefined
  }

  async function answer(one: Asked, entry: CatalogEntry<never> | undefined): Promise<CallResult> {
    const name = toName(one)
    const input = toInput(one.arguments, entry)
    // Invalid JSON never becomes a call: there is nothing for the pipeline to check.
    if (!input.ok) return { ...input.failure, tool: entry?.id ?? name }
    return withReachableAdvice(await toolpact.call(name, input.value, { ...options, caller, forModel: true }))
  }
}

/** A model cannot list tools. */
function withReachableAdvice(result: CallResult): CallResult {
  if (result.success || result.error.suggestion !== pipelineErrors.tool_not_found.suggestion) return result
  return { ...result, error: { ...result.error, suggestion: 'Call one of the tools that you were given.' } }
}

function toName({ name }: Asked): string {
  return typeof name === 'string' ? name : ''
}

type Input =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly failure: Omit<CallFailure, 'tool'> }

const maxDepth = 64

function toInput(given: unknown, entry: CatalogEntry<never> | undefined): Input {
  const { limits, input: schema } = entry?.tool.contract ?? { limits: defaultLimits, input: undefined }
  // Some models send nothing if there are no parameters. The pipeline limits values that were parsed already.
  if (typeof given !== 'string') return { ok: true, value: given ?? {} }
  if (given.trim() === '') return { ok: true, value: {} }
  const parsed = parseJson(given, { maxBytes: limits.inputBytes, maxDepth })
  if (parsed.ok) return { ok: true, value: schema ? withoutNulls(parsed.value, schema as JsonValue) : parsed.value }
  const { reason, pointer, message } = parsed
  const isSize = reason === 'too_large' || reason === 'too_deep'
  const error = isSize
    ? toPipelineError('input_too_large', `The arguments are too large: ${message}`)
    : toPipelineError('invalid_input', 'The arguments are not valid JSON.', {
        problems: [{ pointer, keyword: reason, expected: 'JSON', message }],
      })
  return { ok: false, failure: { success: false, callId: '', error, ran: false, durationMs: 0 } }
}

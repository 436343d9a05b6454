import type { CallFailure, CallResult } from '../../contract/call-result.ts'
import { defaultLimits } from '../../contract/contract.ts'
import { toPipelineError } from '../../contract/error-codes.ts'
import type { JsonValue } from '../../contract/json.ts'
import { nearest } from '../../contract/nearest.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'
import type { Caller } from '../../contract/tool.ts'
import type { Call } from '../../pipeline/call.ts'
import type { CatalogEntry } from '../../pipeline/catalog.ts'
import { type Consumer, type ConsumerNames, toConsumerNames } from '../../projections/names.ts'
import { withoutNulls } from '../../projections/strict/without-nulls.ts'
import type { Served } from '../served.ts'

/** What function calling needs of an opened Toolpact. */
export type Callable = Pick<Served, 'call' | 'catalog'>

export interface HandleOptions extends Pick<Call, 'query' | 'approver' | 'signal' | 'onProgress'> {
  /** Default: `{ name: 'library' }`. */
  readonly caller?: Caller
}

/** A call as a model wrote it. Nothing in it is trusted, not even its shape. */
export interface Asked {
  readonly name: unknown
  /** JSON text, or what a server has parsed already. */
  readonly arguments: unknown
}

export const library: Caller = { name: 'library' }

/**
 * Runs calls of one message through the pipeline and answers each of them, in order; it never rejects. Calls that only
 * read run at once. Any other waits for those before it, and those after it wait for it: a model that writes a file and
 * reads it in one message means them in that order.
 */
export async function answerCalls(
  toolpact: Callable,
  asked: readonly Asked[],
  { consumer, caller = library, ...options }: HandleOptions & { readonly consumer: Consumer },
): Promise<CallResult[]> {
  // A list that cannot be had is no reason to leave calls unanswered: the pipeline says what is wrong with each.
  const entries = await toolpact.catalog.all(caller).catch((): readonly CatalogEntry<never>[] => [])
  const names = toConsumerNames(
    entries.map(({ name }) => name),
    consumer,
  )
  const byName = new Map(entries.map((entry) => [entry.name, entry]))
  let changes: Promise<unknown> = Promise.resolve()
  let reads: Promise<CallResult>[] = []
  return Promise.all(
    asked.map((one) => {
      const entry = byName.get(names.from(toName(one)) ?? '')
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

  async function answer(one: Asked, entry: CatalogEntry<never> | undefined): Promise<CallResult> {
    const name = toName(one)
    const input = toInput(one.arguments, entry)
    // Text that is no JSON never becomes a call: there is nothing that the pipeline could check.
    if (!input.ok) return { ...input.failure, tool: entry?.id ?? name }
    const result = await toolpact.call(entry?.id ?? name, input.value, { ...options, caller })
    return entry ? result : withKnownNames(result, { name, names, entries })
  }
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
  // Some models send nothing where there are no parameters. What a server parsed is bounded by the pipeline.
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

interface Known {
  readonly name: string
  readonly names: ConsumerNames
  readonly entries: readonly CatalogEntry<never>[]
}

/** The model knows the tools by the names that it was given, and is told of no others. */
function withKnownNames(result: CallResult, { name, names, entries }: Known): CallResult {
  if (result.success || !['tool_not_found', 'tool_ambiguous'].includes(result.error.code)) return result
  const sharing = entries.filter(({ tool }) => tool.contract.name === name).map((entry) => names.to(entry.name))
  const close = nearest(
    name,
    entries.map((entry) => names.to(entry.name)),
  )
  const suggestion =
    sharing.length > 0
      ? `Use one of ${sharing.join(', ')}.`
      : close
        ? `Did you mean ${close}?`
        : 'Call one of the tools that you were given.'
  return { ...result, error: { ...result.error, suggestion } }
}

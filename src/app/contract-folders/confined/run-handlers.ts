/**
 * The process of a confined contract folder: loads its modules and calls their functions, as the parent asks. Nothing here
 * checks anything for the parent's sake, since the code of the folder could do without this file.
 */
import { Socket } from 'node:net'
import { isObject, type JsonObject, type JsonValue } from '../../../contract/json.ts'
import type { ToolContext } from '../../../contract/tool.ts'
import { ToolError, type ToolErrorOptions } from '../../../contract/tool-error.ts'
import { LineReader } from '../../../protocol/line-reader.ts'
import { importModule } from '../import-module.ts'
import { type Asked, type CallContext, type CallRequest, type DescribedModule, encodeBytes, type FailureData, type FromHandlers, type OpenRequest, shapes, type ThrownData, type ToHandlers } from './messages.ts' // biome-ignore format: one line

/** Where `to-process.ts` puts them: standard output belongs to the handlers. */
const descriptors = { input: 6, output: 7 }
const maxLineBytes = 64 * 1024 * 1024

const input = new Socket({ fd: descriptors.input, readable: true, writable: false })
const output = new Socket({ fd: descriptors.output, readable: false, writable: true })
const running = new Map<number, AbortController>()
const waiting = new Map<number, PromiseWithResolvers<JsonValue | undefined>>()
const modules = new Map<string, { readonly [name: string]: unknown }>()
const opened = new Map<number, Promise<{ readonly [name: string]: unknown }>>()
let asked = 0

const lines = new LineReader(maxLineBytes, {
  onLine: (line) => take(JSON.parse(line.toString()) as ToHandlers),
  onTooLong: () => process.exit(1),
})
input.on('data', (chunk: Buffer) => lines.push(chunk))
// Toolpact has closed it, or has ended.
for (const event of ['end', 'error', 'close']) input.on(event, () => process.exit(0))
output.on('error', () => process.exit(0))

function take(message: ToHandlers): void {
  if ('abort' in message) {
    running.get(message.abort)?.abort(new DOMException('The call was cancelled', 'AbortError'))
    send({ aborted: message.abort })
  } else if ('answer' in message) {
    const { promise: _, resolve, reject } = waiting.get(message.answer)!
    waiting.delete(message.answer)
    if (message.failed === undefined) resolve(message.value)
    else reject(new Error(message.failed))
  } else answer(message)
}

async function answer(message: Extract<ToHandlers, { id: number }>): Promise<void> {
  const { id } = message
  const controller = new AbortController()
  running.set(id, controller)
  try {
    const value = 'load' in message ? await describe(message.load) : 'open' in message ? await open(message.open) : await call(id, message.call, controller.signal) // biome-ignore format: one line
    if (isFailure(value)) send({ id, failure: toFailure(value) })
    else send({ id, ...(value !== undefined && { value: encodeBytes(value) }) })
  } catch (cause) {
    if (isFailure(cause)) send({ id, failure: toFailure(cause) })
    else send({ id, thrown: toThrown(cause) })
  } finally {
    running.delete(id)
  }
}

async function describe(path: string): Promise<DescribedModule | string> {
  const loaded = await importModule(path)
  if (typeof loaded === 'string') return loaded
  modules.set(path, loaded)
  return Object.fromEntries(Object.entries(loaded).map(([name, value]) => [name, describeExport(name, value)]))
}

function describeExport(name: string, value: unknown): DescribedModule[string] {
  if (typeof value === 'function') return { parameters: value.length }
  if (name === 'complete' && isObject(value)) return { functions: Object.keys(value) }
  return { value: name === 'needs' ? (value as JsonValue) : typeof value }
}

/** Opens what the toolset provides, and returns the names. */
function open({ opening, module, context }: OpenRequest): Promise<string[]> {
  const ask = (about: Asked, ...values: JsonValue[]) => askParent(about, opening, values)
  const own = (async () => {
    const loaded = module === undefined ? {} : await toModule(module)
    const { settings, workspace, protectedPaths } = context as { settings: JsonObject; workspace: string; protectedPaths: string[] } // biome-ignore format: one line
    const provided = await (loaded.open as ((context: object) => unknown) | undefined)?.({
      ...context,
      environment: process.env,
      // Its home is its own, and stays.
      stateDirectory: process.env.HOME,
      notes: { get: (key: string) => ask('notes.get', key), set: (key: string, value: JsonValue) => ask('notes.set', key, value) }, // biome-ignore format: one line
      changed: () => send({ changed: opening }),
      keep: () => {},
    })
    return { settings, ...(await openCommon(workspace, protectedPaths)), ...(provided as object) }
  })()
  opened.set(opening, own)
  return own.then((all) => Object.keys(all))
}

/** The common capabilities that a sandbox can bound. Others are refused before anything is called. */
async function openCommon(workspace: string, protectedPaths: readonly string[]): Promise<object> {
  const { toProtectedPaths } = await import('../../../capabilities/files/protected-paths.ts')
  const { openFiles } = await import('../../../capabilities/files.ts')
  const { openSearch } = await import('../../../capabilities/search.ts')
  try {
    return {
      files: openFiles({ root: workspace, protectedPaths: toProtectedPaths(protectedPaths) }),
      search: openSearch({ root: workspace }),
    }
  } catch {
    // It cannot see the workspace. The parent has withheld what needs that.
    return {}
  }
}

async function toModule(path: string): Promise<{ readonly [name: string]: unknown }> {
  // After a crash, this process was not asked to load it.
  if (!modules.has(path)) await describe(path)
  return modules.get(path) ?? {}
}

async function call(
  id: number,
  { module, name, argument, values, context, opening }: CallRequest,
  signal: AbortSignal,
) {
  const loaded = await toModule(module)
  const found = argument === undefined ? loaded[name] : (loaded[name] as { [name: string]: unknown })[argument]
  const needs = (loaded.needs ?? []) as readonly string[]
  const all = opening === undefined ? {} : await opened.get(opening)!
  const rest = [...values]
  const given = shapes[name]!.map((kind) => {
    if (kind === 'value') return rest.shift() ?? undefined
    if (kind === 'signal') return signal
    if (kind === 'context') return toContext(id, context!, signal)
    return Object.fromEntries(needs.map((need) => [need, all[need]]))
  })
  return (found as (...given: unknown[]) => unknown)(...given)
}

function toContext(id: number, context: CallContext, signal: AbortSignal): ToolContext {
  return {
    ...(context as Pick<ToolContext, 'callId' | 'caller'>),
    signal,
    progress: (progress) => send({ id, progress }),
    note: (note) => send({ id, note }),
    attach: (attach, meta) => send({ id, attach, ...(meta !== undefined && { meta }) }),
    callOwn: (name, input) => askParent('callOwn', id, [name, input]) as never,
    fail: (code: string, message: string, options?: ToolErrorOptions) => new ToolError(code, message, options),
  }
}

function askParent(about: Asked, of: number, values: readonly JsonValue[]): Promise<JsonValue | undefined> {
  const ask = ++asked
  const pending = Promise.withResolvers<JsonValue | undefined>()
  waiting.set(ask, pending)
  send({ ask, about, of, values })
  return pending.promise
}

/** A handler may have the class from another copy of the package. */
function isFailure(value: unknown): value is ToolError {
  return value instanceof ToolError || (value instanceof Error && value.name === 'ToolError' && 'code' in value)
}

function toFailure({ code, message, suggestion, retryAfterMs, problems }: ToolError): FailureData {
  return {
    code,
    message,
    ...(suggestion !== undefined && { suggestion }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(problems !== undefined && { problems: problems as unknown as JsonValue[] }),
  }
}

function toThrown(cause: unknown): ThrownData {
  if (!(cause instanceof Error)) return { name: 'Error', message: String(cause) }
  const { name, stack } = cause
  // The reason of a failed fetch is its cause.
  const why = cause.cause instanceof Error ? `${cause.message}: ${cause.cause.message}` : cause.message
  return { name, message: why, ...(stack !== undefined && { stack }) }
}

function send(message: FromHandlers): void {
  output.write(`${JSON.stringify(message)}\n`)
}

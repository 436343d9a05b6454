import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { isObject, type JsonObject, type JsonValue } from '../../../contract/json.ts'
import type { ToolContext, ToolsetContext } from '../../../contract/tool.ts'
import { ToolError } from '../../../contract/tool-error.ts'
import { createQuote } from '../../../host/connect/quote.ts'
import { findCause } from '../../../host/connect/stdio/find-cause.ts'
import { InputWriter } from '../../../host/connect/stdio/input-writer.ts'
import { NoiseReader } from '../../../host/connect/stdio/noise-reader.ts'
import { signalGroup } from '../../../host/connect/stdio/start-process.ts'
import { LineReader } from '../../../protocol/line-reader.ts'
import type { Asked, CallRequest, FromHandlers, OpenRequest, ToHandlers } from './messages.ts'

/** Larger outputs exceed the limit of every contract. */
const maxLineBytes = 64 * 1024 * 1024
/** A process that does not answer for this long after a call was aborted is busy with it, and is ended. */
const abortMs = 2000
/** How long a toolset may take to open what it provides. */
const openMs = 30_000
const maxCause = 300

/** One opening of what its toolset provides. A process that was started again opens it again. */
export interface Opening {
  readonly request: Omit<OpenRequest, 'opening'>
  readonly context: Pick<ToolsetContext, 'notes' | 'changed'>
}

/** The process ended, or was ended, before it answered. */
export class FolderProcessEnded extends Error {
  override readonly name = 'FolderProcessEnded'
}

interface RunningOptions {
  /** The name of the toolset. */
  readonly name: string
  readonly env: { readonly [name: string]: string }
}

interface Pending {
  readonly resolve: (value: JsonValue | undefined) => void
  readonly reject: (cause: unknown) => void
  readonly context: ToolContext | undefined
}

type Request = { readonly load: string } | { readonly open: OpenRequest } | { readonly call: CallRequest }

/** A process while it runs. */
export class RunningFolder {
  readonly #child: ChildProcess
  readonly #options: RunningOptions
  readonly #openings: ReadonlyMap<number, Opening>
  readonly #writer: InputWriter
  readonly #noise = new NoiseReader(() => {})
  readonly #pending = new Map<number, Pending>()
  readonly #opened = new Map<number, Promise<readonly string[]>>()
  readonly #aborting = new Map<number, NodeJS.Timeout>()
  readonly #exited: Promise<void>
  #lastId = 0
  #why: string | undefined
  #isOver = false

  constructor(
    child: ChildProcess,
    options: RunningOptions,
    openings: ReadonlyMap<number, Opening>,
    onExit: () => void,
  ) {
    this.#child = child
    this.#options = options
    this.#openings = openings
    this.#writer = new InputWriter(child.stdin!)
    const lines = new LineReader(maxLineBytes, {
      onLine: (line) => this.#take(line),
      onTooLong: () => this.kill(`it sent more than ${maxLineBytes} bytes at once`),
    })
    child.stdout!.on('data', (chunk: Buffer) => lines.push(chunk))
    child.stderr!.on('data', (chunk: Buffer) => this.#noise.push(chunk))
    child.stdio[3]?.on('error', () => {})
    child.on('error', () => {})
    this.#exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        onExit()
        this.#isOver = true
        // What it wrote before is still to be read.
        setImmediate(() => {
          this.#fail(this.#why ?? (signal ? `it was ended by ${signal}` : `it ended with code ${code}`))
          // What it has started ends with it.
          signalGroup(child.pid!, 'SIGKILL')
          for (const stream of child.stdio) stream?.destroy()
          resolve()
        })
      })
    })
    this.#hold()
  }

  /** Only a request that waits keeps this program running. */
  #hold() {
    if (this.#isOver) return
    const isHeld = this.#pending.size > 0
    this.#child[isHeld ? 'ref' : 'unref']()
    for (const stream of this.#child.stdio as (Socket | null)[]) if (stream && !stream.destroyed) stream[isHeld ? 'ref' : 'unref']() // biome-ignore format: one line
  }

  /** Once per process. */
  open(opening: number): Promise<readonly string[]> {
    const { request } = this.#openings.get(opening)!
    const known = this.#opened.get(opening) ?? this.request({ open: { ...request, opening } }, { signal: AbortSignal.timeout(openMs) }).then((names) => (Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [])) // biome-ignore format: one line
    this.#opened.set(opening, known)
    return known
  }

  request(
    request: Request,
    { signal, context }: { readonly signal?: AbortSignal | undefined; readonly context?: ToolContext | undefined } = {},
  ): Promise<JsonValue | undefined> {
    signal?.throwIfAborted()
    const id = ++this.#lastId
    const abort = () => this.#abort(id, signal!.reason)
    signal?.addEventListener('abort', abort, { once: true })
    const answered = new Promise<JsonValue | undefined>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, context })
    })
    this.#hold()
    this.#send({ id, ...request })
    return answered.finally(() => {
      signal?.removeEventListener('abort', abort)
      this.#hold()
    })
  }

  kill(why: string) {
    this.#why ??= why
    signalGroup(this.#child.pid!, 'SIGKILL')
  }

  end(): Promise<void> {
    if (!this.#isOver) this.#child.ref()
    this.kill('Toolpact is closed')
    return this.#exited
  }

  #abort(id: number, reason: unknown) {
    this.#settle(id)?.reject(reason)
    this.#send({ abort: id })
    const timer = setTimeout(() => this.kill('a call that was cancelled did not let it answer'), abortMs).unref()
    this.#aborting.set(id, timer)
  }

  #settle(id: unknown): Pending | undefined {
    const pending = this.#pending.get(id as number)
    this.#pending.delete(id as number)
    return pending
  }

  #fail(why: string) {
    const words = createQuote({ kind: 'stdio', command: '', args: [], env: this.#options.env })(findCause(this.#noise.lastLines), maxCause) // biome-ignore format: one line
    const message = `The process of the contract folder ${this.#options.name} ended before it answered: ${why}${words === '' ? '' : `. It said: ${words}`}`
    for (const timer of this.#aborting.values()) clearTimeout(timer)
    for (const [id] of [...this.#pending]) this.#settle(id)!.reject(new FolderProcessEnded(message))
  }

  #send(message: ToHandlers) {
    const fault = this.#writer.write(JSON.stringify(message))
    if (fault !== undefined) this.kill('it does not read its input')
  }

  #take(line: Buffer) {
    let message: FromHandlers
    try {
      message = JSON.parse(line.toString())
    } catch {
      return this.kill('it sent something that is not a message')
    }
    if (typeof message !== 'object' || message === null) return
    if ('aborted' in message) return clearTimeout(this.#aborting.get(message.aborted))
    if ('changed' in message) return this.#openings.get(message.changed)?.context.changed()
    if ('ask' in message) return void this.#answer(message)
    if ('progress' in message || 'note' in message || 'attach' in message) return this.#report(message)
    const pending = this.#settle(message.id)
    if ('failure' in message) pending?.reject(toToolError(message.failure))
    else if ('thrown' in message) pending?.reject(toError(message.thrown))
    else pending?.resolve(message.value)
  }

  /** What a call reports while it runs. The pipeline bounds and cleans it. */
  #report(message: Extract<FromHandlers, { progress: unknown } | { note: unknown } | { attach: unknown }>) {
    const context = this.#pending.get(message.id)?.context
    if (!context) return
    if ('progress' in message) {
      const { progress, total, message: words } = Object(message.progress) as { [key: string]: unknown }
      if (typeof progress === 'number') context.progress?.({ progress, ...(typeof total === 'number' && { total }), ...(typeof words === 'string' && { message: words }) }) // biome-ignore format: one line
    } else if ('note' in message) {
      if (isObject(message.note)) context.note?.(message.note)
    } else if (Array.isArray(message.attach)) context.attach?.(message.attach, message.meta)
  }

  async #answer({ ask, about, of, values }: Extract<FromHandlers, { ask: number }>) {
    try {
      const value = await this.#do(about, of, Array.isArray(values) ? values : [])
      this.#send({ answer: ask, ...(value !== undefined && { value }) })
    } catch (cause) {
      this.#send({ answer: ask, failed: cause instanceof Error ? cause.message : String(cause) })
    }
  }

  async #do(about: Asked, of: number, [first, second]: readonly JsonValue[]): Promise<JsonValue | undefined> {
    if (about === 'callOwn') {
      const { callOwn } = this.#pending.get(of)?.context ?? {}
      if (!callOwn || typeof first !== 'string' || !isObject(second)) throw new Error('This call cannot make others')
      return (await callOwn(first, second)) as unknown as JsonObject
    }
    const notes = this.#openings.get(of)?.context.notes
    const { name } = this.#options
    // Notes are shared by all toolsets.
    if (typeof first !== 'string' || !new RegExp(`^${name}(?![A-Za-z0-9_-])`).test(first)) throw new Error(`A confined folder keeps notes under its own name only: begin the key with '${name}.'`) // biome-ignore format: one line
    if (about === 'notes.get') return notes?.get(first)
    await notes?.set(first, second ?? null)
    return undefined
  }
}

function toToolError(given: unknown): ToolError {
  const { code, message, suggestion, retryAfterMs, problems } = Object(given) as { [key: string]: unknown }
  return new ToolError(String(code), String(message), {
    ...(typeof suggestion === 'string' && { suggestion }),
    ...(typeof retryAfterMs === 'number' && { retryAfterMs }),
    // Their form is checked by the pipeline, as for any tool.
    ...(Array.isArray(problems) && { problems: problems as never }),
  })
}

function toError(given: unknown): Error {
  const { name, message, stack } = Object(given) as { [key: string]: unknown }
  return Object.assign(new Error(String(message)), { name: String(name), ...(typeof stack === 'string' && { stack }) })
}

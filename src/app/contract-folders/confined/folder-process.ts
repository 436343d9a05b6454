import type { JsonValue } from '../../../contract/json.ts'
import type { ToolContext } from '../../../contract/tool.ts'
import type { Confinement } from '../../../host/connect/confinement.ts'
import { startProcess } from '../../../host/connect/stdio/start-process.ts'
import type { CallRequest } from './messages.ts'
import { FolderProcessEnded, type Opening, RunningFolder } from './running-folder.ts'
import { toProcess } from './to-process.ts'

export interface FolderProcessOptions {
  /** The name of the toolset. */
  readonly name: string
  /** Real path of the folder. */
  readonly folder: string
  readonly env: { readonly [name: string]: string }
  readonly confinement: Confinement
}

/**
 * Runs the handlers of one contract folder in one confined process. It is started by the first request and, if it has ended,
 * by the next one. What it sends is checked here, since its code is not trusted with anything but its own results.
 */
export class FolderProcess {
  readonly #options: FolderProcessOptions
  readonly #openings = new Map<number, Opening>()
  #running: Promise<RunningFolder> | undefined
  #isClosed = false

  constructor(options: FolderProcessOptions) {
    this.#options = options
  }

  /** Starts it. Resolves to false if it runs unconfined; rejects if it must not run at all. */
  async start(): Promise<boolean> {
    try {
      await this.#ensure()
      return true
    } catch (cause) {
      if (cause instanceof Unconfined) return false
      throw cause
    }
  }

  async load(path: string, maxMs: number): Promise<JsonValue | undefined> {
    return (await this.#ensure()).request({ load: path }, { signal: AbortSignal.timeout(maxMs) })
  }

  /** Opens what the toolset provides. Resolves to the names. */
  async open(opening: Opening): Promise<{ readonly id: number; readonly names: readonly string[] }> {
    const id = this.#openings.size
    this.#openings.set(id, opening)
    const names = await (await this.#ensure()).open(id)
    return { id, names }
  }

  async call(
    request: CallRequest,
    { signal, context }: { readonly signal?: AbortSignal | undefined; readonly context?: ToolContext | undefined },
  ) {
    const running = await this.#ensure()
    if (request.opening !== undefined) await running.open(request.opening)
    return running.request({ call: request }, { signal, context })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#running?.then(
      (running) => running.end(),
      () => {},
    )
  }

  #ensure(): Promise<RunningFolder> {
    if (this.#isClosed) return Promise.reject(new FolderProcessEnded('Toolpact is closed'))
    this.#running ??= this.#start().catch((cause) => {
      this.#running = undefined
      throw cause
    })
    return this.#running
  }

  async #start(): Promise<RunningFolder> {
    const { confinement } = this.#options
    const command = toProcess(this.#options)
    const prepared = await confinement.prepare(command, {
      signal: new AbortController().signal,
      onInstalling: () => {},
    })
    if (!prepared) throw new Unconfined()
    const child = await startProcess(command, prepared)
    const running = new RunningFolder(child, this.#options, this.#openings, () => {
      this.#running = undefined
    })
    prepared.watch(child, (why) => running.kill(why))
    return running
  }
}

class Unconfined extends Error {}

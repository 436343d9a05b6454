import type { Worker } from 'node:worker_threads'
import type { WriteTurns } from './write-turns.ts'

/** What the thread of `upkeep-thread.ts` is told. */
export interface UpkeepPlace {
  readonly directory: string
  /** The journal of this process. */
  readonly owner: string
  readonly lockTimeoutMs: number
  /** Of the journals, if it is kept outside of the directory. */
  readonly secret: Uint8Array | undefined
  readonly turns: WriteTurns['shared']
}

/** The number of records of this process that the ledger has now imported. */
export interface UpkeepAnswer {
  readonly taken: number
}

/**
 * A thread that imports what this process wrote to its journal, indexes it and adds it to the tree, so that calls do not wait
 * for it. To the ledger, it is another process that imports journals. If it fails, this process goes on alone.
 */
export interface Upkeep {
  /** Whether the thread imports what is written. */
  isActive(): boolean
  /** Counts records that were written; with many, starts the thread. They are imported soon. */
  wrote(records: number): void
  /** Resolves once everything written so far is imported, or the thread has failed. */
  catchUp(): Promise<void>
  /** It is asked no more. */
  stop(): void
  /** Resolves when the thread has ended. */
  end(): Promise<void>
}

export interface UpkeepOptions {
  readonly place: () => UpkeepPlace
  readonly turns: Pick<WriteTurns, 'release'>
  readonly onTaken: (taken: number) => void
  /** Whoever waited is told afterwards. */
  readonly onFailed: () => void
}

/** A thread costs 20 ms of processor time and 10 MB, which a process with fewer records does not regain. */
const recordsBeforeStart = 1000
/** Records share an import if they are written within this time. */
const gatherMs = 50

export function createUpkeep({ place, turns, onTaken, onFailed }: UpkeepOptions): Upkeep {
  let written = 0
  let worker: Worker | undefined
  let isReady = false
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  /** Those who wait for the import that runs; undefined if none does. */
  let running: (() => void)[] | undefined
  /** Those who asked since it began. What they wrote may not be part of it, so they wait for the next. */
  let asking: (() => void)[] = []

  function wrote(records: number) {
    written += records
    if (isReady) timer ??= setTimeout(ask, gatherMs)
    else if (written >= recordsBeforeStart && !worker && !isOver) start()
  }

  function start() {
    const isSource = import.meta.url.endsWith('.ts')
    const entry = new URL(isSource ? './upkeep-thread.ts' : '../processes/keep-ledger.js', import.meta.url)
    // Loaded here, because most processes start no thread, and it is a fortieth of Node's own start.
    const threads = process.getBuiltinModule('node:worker_threads')
    worker = new threads.Worker(entry, {
      workerData: place(),
      env: {},
      execArgv: [],
      // It prints nothing. Otherwise Node would open the streams of this process, which may change how they block.
      stdout: true,
      stderr: true,
      // What it reads is soon garbage, which would otherwise take twice the memory.
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    })
    // It must not keep the process alive, except while it is asked.
    worker.unref()
    worker.on('message', answer)
    worker.on('error', fail)
    worker.on('exit', fail)
  }

  function ask(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (!isReady) return Promise.resolve()
    return new Promise((resolve) => {
      asking.push(resolve)
      if (!running) begin()
    })
  }

  function begin() {
    running = asking
    asking = []
    worker!.ref()
    worker!.postMessage('import')
  }

  /** The first answer says that it is ready. */
  function answer({ taken }: UpkeepAnswer) {
    if (isOver) return
    isReady = true
    onTaken(taken)
    for (const resolve of running ?? []) resolve()
    running = undefined
    if (asking.length > 0) begin()
    else worker!.unref()
  }

  function fail() {
    if (isOver) return
    stop()
    turns.release()
    onFailed()
  }

  function stop() {
    isOver = true
    isReady = false
    clearTimeout(timer)
    for (const resolve of [...(running ?? []), ...asking]) resolve()
    running = undefined
    asking = []
  }

  async function end() {
    stop()
    await worker?.terminate()
  }

  return { isActive: () => isReady, wrote, catchUp: ask, stop, end }
}

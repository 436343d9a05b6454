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
/** An import begins when this many records are written, or after this time. Fewer cost more each, more take more memory. */
const recordsPerImport = 1024
const gatherMs = 250

export function createUpkeep({ place, turns, onTaken, onFailed }: UpkeepOptions): Upkeep {
  let written = 0
  /** `written` when the last import began. */
  let imported = 0
  let worker: Worker | undefined
  let isReady = false
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  let soon: NodeJS.Immediate | undefined
  /** Those who wait for the import that runs; undefined if none does. */
  let running: (() => void)[] | undefined
  /** Those who asked since it began. What they wrote may not be part of it, so they wait for the next. */
  let asking: (() => void)[] = []

  function wrote(records: number) {
    written += records
    if (!isReady) {
      if (written >= recordsBeforeStart && !worker && !isOver) start()
    } else if (isEnough() && !running) {
      // After the commits of this turn, so that records that wait for the disk keep their place.
      soon ??= setImmediate(ask)
    } else timer ??= setTimeout(ask, gatherMs)
  }

  function isEnough(): boolean {
    return written - imported >= recordsPerImport
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
    clearTimers()
    if (!isReady) return Promise.resolve()
    return new Promise((resolve) => {
      asking.push(resolve)
      if (!running) begin()
    })
  }

  function clearTimers() {
    clearTimeout(timer)
    clearImmediate(soon)
    timer = undefined
    soon = undefined
  }

  function begin() {
    running = asking
    asking = []
    imported = written
    worker!.ref()
    worker!.postMessage('import')
  }

  /** The first answer says that it is ready. */
  function answer({ taken }: UpkeepAnswer) {
    if (isOver) return
    // This process imports what it wrote before.
    if (!isReady) imported = written
    isReady = true
    onTaken(taken)
    for (const resolve of running ?? []) resolve()
    running = undefined
    if (asking.length > 0) begin()
    else {
      worker!.unref()
      // Otherwise an idle process would go on asking, which would also keep it alive.
      if (written > imported) wrote(0)
    }
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
    clearTimers()
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

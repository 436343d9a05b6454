import { steadyMs } from '../../../contract/steady-time.ts'

/**
 * Lets the threads of one process take turns at writing. SQLite would do so as well, but a thread that finds the database
 * locked sleeps for a millisecond or more at each try; here it wakes as soon as the other has committed.
 */
export interface WriteTurns {
  /** Runs `job` while no other thread of this process runs one. */
  take<Result>(job: () => Result): Result
  /** What another thread needs for `shareWriteTurns`. */
  readonly shared: Int32Array<SharedArrayBuffer>
  /** After another thread ended, whatever it was doing. */
  release(): void
}

/** Then SQLite decides: the other thread may have ended in its turn. */
const maxWaitMs = 1000

/** `shared` is that of the first thread. */
export function shareWriteTurns(shared = new Int32Array(new SharedArrayBuffer(4))): WriteTurns {
  let depth = 0

  function take<Result>(job: () => Result): Result {
    if (depth === 0) wait()
    depth += 1
    try {
      return job()
    } finally {
      depth -= 1
      if (depth === 0) release()
    }
  }

  function wait() {
    const end = steadyMs() + maxWaitMs
    while (Atomics.compareExchange(shared, 0, 0, 1) !== 0 && steadyMs() < end) Atomics.wait(shared, 0, 1, maxWaitMs)
  }

  function release() {
    Atomics.store(shared, 0, 0)
    Atomics.notify(shared, 0)
  }

  return { take, shared, release }
}

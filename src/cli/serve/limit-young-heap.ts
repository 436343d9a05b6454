import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** V8 lets it grow to 134 MB on a machine with much memory. With 16 MB, 64 calls at once over stdio take half as long again. */
const maxBytes = 32 * 1024 ** 2
/** Loading the observer takes 1 ms, and no process reaches the limit while it starts. */
const startAfterMs = 500

/**
 * Keeps the young generation of this process small. It has to be limited while it grows: its maximum is fixed when the process
 * starts, and a command cannot choose the options of its own Node. It grows at collections alone, and V8 reads the growth
 * factor then. For a process that is ours alone: the flag is global.
 */
export function limitYoungHeap(): void {
  let factor = 2
  function adapt() {
    const { space_size: size = 0 } = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space') ?? {}
    // V8 shrinks it when the process idles; then it may grow again.
    const wanted = size < maxBytes ? 2 : 1
    if (wanted === factor) return
    factor = wanted
    setFlagsFromString(`--semi-space-growth-factor=${factor}`)
  }
  setTimeout(() => new PerformanceObserver(adapt).observe({ entryTypes: ['gc'] }), startAfterMs).unref()
}

import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** V8 lets it grow to 134 MB on a machine with much memory. With 16 MB, 64 calls at once over stdio take half as long again. */
const maxBytes = 32 * 1024 ** 2
const checkEveryMs = 250

/**
 * Keeps the young generation of this process small. It has to be limited while it grows: its maximum is fixed when the process
 * starts, and a command cannot choose the options of its own Node. V8 reads the growth factor whenever it grows. For a
 * process that is ours alone: the flag is global.
 */
export function limitYoungHeap(): void {
  let factor = 2
  setInterval(() => {
    const { space_size: size = 0 } = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space') ?? {}
    // V8 shrinks it when the process idles; then it may grow again.
    const wanted = size < maxBytes ? 2 : 1
    if (wanted === factor) return
    factor = wanted
    setFlagsFromString(`--semi-space-growth-factor=${factor}`)
  }, checkEveryMs).unref()
}

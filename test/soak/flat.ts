/** What a process held at a moment. */
export interface Sample {
  /** Resident memory, in MB. */
  readonly memory: number
  /** Open files, sockets and pipes; NaN where the system does not tell. */
  readonly handles: number
}

export interface Flatness {
  /** Medians of the first and the last third after the warm-up. */
  readonly memory: readonly [number, number]
  readonly handles: readonly [number, number]
  readonly faults: readonly string[]
}

/** Generous: a collector that takes its time is no leak, and neither is a server that is being started again. */
const most = { memoryRatio: 1.35, memoryMb: 48, handles: 24 }

/** Compares the thirds of what is left without the first quarter, in which caches fill. */
export function decideFlat(samples: readonly Sample[]): Flatness {
  const warm = samples.slice(Math.floor(samples.length / 4))
  const third = Math.max(1, Math.floor(warm.length / 3))
  const [first, last] = [warm.slice(0, third), warm.slice(-third)]
  const memory = [median(first.map((one) => one.memory)), median(last.map((one) => one.memory))] as const
  const handles = [median(first.map((one) => one.handles)), median(last.map((one) => one.handles))] as const
  const faults: string[] = []
  if (memory[1] > Math.max(memory[0] * most.memoryRatio, memory[0] + most.memoryMb))
    faults.push(`memory grew from ${Math.round(memory[0])} to ${Math.round(memory[1])} MB`)
  if (handles[1] > handles[0] + most.handles) faults.push(`open handles grew from ${handles[0]} to ${handles[1]}`)
  return { memory, handles, faults }
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}

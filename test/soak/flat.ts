/** What a process held at a moment. */
export interface Sample {
  /** What a collection leaves, in MB: it tells a leak. */
  readonly heap: number
  /** Resident memory, in MB. */
  readonly memory: number
  /** Open files, sockets and pipes; NaN where the system does not tell. */
  readonly handles: number
}

export interface Flatness {
  /** Medians of the first and the last third after the warm-up. */
  readonly heap: readonly [number, number]
  readonly memory: readonly [number, number]
  readonly handles: readonly [number, number]
  readonly faults: readonly string[]
}

/** Generous: an allocator that gives nothing back is no leak, and neither is a server that is being started again. */
const most = { heap: { ratio: 1.3, more: 6 }, memory: { ratio: 2, more: 128 }, handles: 24 }

/** Compares the thirds of what is left without the first quarter, in which caches fill. */
export function decideFlat(samples: readonly Sample[]): Flatness {
  const warm = samples.slice(Math.floor(samples.length / 4))
  const third = Math.max(1, Math.floor(warm.length / 3))
  const medians = (name: keyof Sample) =>
    [warm.slice(0, third), warm.slice(-third)].map((part) => median(part.map((one) => one[name]))) as [number, number]
  const [heap, memory, handles] = [medians('heap'), medians('memory'), medians('handles')]
  const faults: string[] = []
  for (const [name, [first, last]] of [
    ['heap', heap],
    ['memory', memory],
  ] as const)
    if (last > Math.max(first * most[name].ratio, first + most[name].more))
      faults.push(`${name} grew from ${Math.round(first)} to ${Math.round(last)} MB`)
  if (handles[1] > handles[0] + most.handles) faults.push(`open handles grew from ${handles[0]} to ${handles[1]}`)
  return { heap, memory, handles, faults }
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}

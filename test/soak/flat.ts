/** The resources of a process at one moment. */
export interface Sample {
  /** Number of calls so far. */
  readonly calls: number
  /** Live heap after garbage collection, in MB: growth means a leak. */
  readonly objects: number
  /** Compiled code, in MB. V8 keeps optimizing, so it grows up to a limit. */
  readonly code: number
  /** Resident memory, in MB. */
  readonly memory: number
  /** Open files, sockets and pipes; NaN if unknown. */
  readonly handles: number
}

/** The middle and the last third of a run. */
type Thirds = readonly [middle: number, last: number]

export interface Flatness {
  /** Medians; for handles the minimum, which is independent of restarting servers and active callers. */
  readonly objects: Thirds
  readonly code: Thirds
  readonly memory: Thirds
  readonly handles: Thirds
  /** Growth of the live heap per call between the two, in bytes. */
  readonly perCall: number
  /** The smallest leak per call that would be detected, in bytes. */
  readonly wouldTell: number
  readonly faults: readonly string[]
}

/** The live heap fluctuates by half a megabyte. The memory limit is generous, because allocators do not return memory. */
const most = { objects: 0.5, code: 4, memory: { ratio: 1.25, more: 48 }, handles: 6 }

/** Compares the last third with the middle one; the first is warm-up. */
export function decideFlat(samples: readonly Sample[]): Flatness {
  const third = Math.floor(samples.length / 3)
  const parts = [samples.slice(third, -third), samples.slice(-third)]
  const toThirds = (name: keyof Sample, choose: (values: readonly number[]) => number) =>
    parts.map((part) => choose(part.map((one) => one[name]))) as unknown as Thirds
  const [calls, objects, code, memory] = (['calls', 'objects', 'code', 'memory'] as const).map((name) => toThirds(name, median)) as [Thirds, Thirds, Thirds, Thirds] // biome-ignore format: one line
  const handles = toThirds('handles', (values) => Math.min(...values))
  const bearable = Math.max(most.objects, 2 * Math.max(...toThirds('objects', swing)))
  const between = Math.max(1, calls[1] - calls[0])
  const perCall = ((objects[1] - objects[0]) * megabyte) / between
  const wouldTell = (bearable * megabyte) / between

  const faults: string[] = []
  if (third === 0) faults.push('too few samples to tell a leak')
  if (objects[1] > objects[0] + bearable)
    faults.push(`objects grew: ${toText(objects)}, ${Math.round(perCall)} bytes a call`)
  if (code[1] > code[0] + most.code) faults.push(`code grew: ${toText(code)}`)
  if (memory[1] > Math.max(memory[0] * most.memory.ratio, memory[0] + most.memory.more))
    faults.push(`memory grew: ${toText(memory)}`)
  if (handles[1] > handles[0] + most.handles) faults.push(`open handles grew: ${handles.join(' → ')}`)
  return { objects, code, memory, handles, perCall, wouldTell, faults }
}

const megabyte = 1024 ** 2

function toText(sizes: Thirds): string {
  return `${sizes.map((size) => size.toFixed(1)).join(' → ')} MB`
}

/** The typical difference between successive values: fluctuation without growth. */
function swing(values: readonly number[]): number {
  return median(values.slice(1).map((value, at) => Math.abs(value - values[at]!))) || 0
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}

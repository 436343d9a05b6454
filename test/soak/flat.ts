/** What a process held at a moment. */
export interface Sample {
  /** Calls that were made until then. */
  readonly calls: number
  /** Objects that a collection leaves, in MB: they tell a leak. */
  readonly objects: number
  /** What V8 has compiled, in MB: the longer functions run, the more of them, up to all. */
  readonly code: number
  /** Resident memory, in MB. */
  readonly memory: number
  /** Open files, sockets and pipes; NaN where the system does not tell. */
  readonly handles: number
}

/** Of the middle and the last third of a run. */
type Thirds = readonly [middle: number, last: number]

export interface Flatness {
  /** Medians; of the handles the least, which no server that is being started again and no caller raises. */
  readonly objects: Thirds
  readonly code: Thirds
  readonly memory: Thirds
  readonly handles: Thirds
  /** By which objects grew for each call between the two, in bytes. */
  readonly perCall: number
  /** A leak of so many bytes in each call would have been told. */
  readonly wouldTell: number
  readonly faults: readonly string[]
}

/** Of objects, half a megabyte comes and goes. Memory is generous: an allocator that gives nothing back is no leak. */
const most = { objects: 0.5, code: 4, memory: { ratio: 1.25, more: 48 }, handles: 6 }

/** Compares the last third with the middle one: in the first, caches fill. */
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

/** How far one value mostly is from the next: what swings, without what grows. */
function swing(values: readonly number[]): number {
  return median(values.slice(1).map((value, at) => Math.abs(value - values[at]!))) || 0
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}

/**
 * Calls `exceed` when more than `maxBytes` have been allocated for binary data. pdf.js does not limit the decoded size of
 * streams, and its decoders are not accessible; but the output of every stream and filter goes into a typed array. All
 * allocations count, not only those still in use, so that many small streams have the same limit as a large one.
 */
export function limitDecodedBytes(maxBytes: number, exceed: () => never): void {
  let bytes = 0
  function count(more: number): void {
    bytes += more
    if (bytes > maxBytes) exceed()
  }
  for (const name of binaryTypes) {
    const type = globalThis[name]
    const size = 'BYTES_PER_ELEMENT' in type ? type.BYTES_PER_ELEMENT : 1
    const counting: typeof type = new Proxy<typeof type>(type, {
      construct(target, values, newTarget) {
        count(lengthOf(values[0]) * size)
        return Reflect.construct(target, values, newTarget === counting ? target : newTarget)
      },
    })
    Object.assign(globalThis, { [name]: counting })
  }
  Object.assign(globalThis, { DecompressionStream: toCounting(count) })
}

/** Node's own decompression does not use the constructors above. */
function toCounting(count: (bytes: number) => void) {
  const Decompression = DecompressionStream
  return class {
    readonly writable: WritableStream
    readonly readable: ReadableStream<Uint8Array>
    constructor(...format: ConstructorParameters<typeof DecompressionStream>) {
      const { writable, readable } = new Decompression(...format)
      this.writable = writable
      this.readable = readable.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(chunk, controller) {
            count(chunk.byteLength)
            controller.enqueue(chunk)
          },
        }),
      )
    }
  }
}

/** A number, or the length of the copied data. A view of a buffer allocates nothing. */
function lengthOf(value: unknown): number {
  const length = typeof value === 'number' ? value : (value as ArrayLike<unknown> | undefined)?.length
  // NaN would disable the limit.
  return length !== undefined && length > 0 ? length : 0
}

const binaryTypes = [
  'ArrayBuffer',
  'Int8Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'Int16Array',
  'Uint16Array',
  'Int32Array',
  'Uint32Array',
  'Float32Array',
  'Float64Array',
  'BigInt64Array',
  'BigUint64Array',
] as const

/**
 * Calls `exceed` once more than `maxBytes` have been allocated for binary data. pdf.js has no limit for what streams decode
 * to, and its decoders cannot be reached from outside; but whatever a stream decodes to, and each step of a chain of
 * filters, goes into a typed array. Counted are all that were ever made, not those still in use, so that many streams
 * one after another are bounded like one.
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

/** What Node decompresses does not go through the constructors above. */
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

/** A number, or the length of what is copied. A view of a buffer takes no memory of its own. */
function lengthOf(value: unknown): number {
  const length = typeof value === 'number' ? value : (value as ArrayLike<unknown> | undefined)?.length
  // NaN would switch the limit off.
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

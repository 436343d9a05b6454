import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { toFetchFailed } from './web-error.ts'

export interface Body {
  readonly bytes: Uint8Array
  readonly truncated: boolean
}

/** One encoding is normal, two happen by mistake, a chain is an attack. */
const maxEncodings = 2

/** Reads a body up to a limit after decompression, and not much more before it. */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Body> {
  const encodings = toEncodings(response.headers['content-encoding'])
  const kept: Buffer[] = []
  let size = 0
  const limit = { encoded: maxBytes + 65_536, reached: false }
  try {
    for await (const chunk of decode(response, encodings, limit) as AsyncIterable<Buffer>) {
      const room = maxBytes - size
      kept.push(chunk.length > room ? chunk.subarray(0, room) : chunk)
      size += chunk.length
      if (size > maxBytes) break
    }
  } catch (error) {
    if (!limit.reached) throw error
  }
  return { bytes: Buffer.concat(kept), truncated: size > maxBytes || limit.reached }
}

function decode(
  response: IncomingMessage,
  encodings: string[],
  limit: { encoded: number; reached: boolean },
): Readable {
  if (encodings.length === 0) return response
  // The encoding applied last comes off first.
  const decoders = encodings.toReversed().map(toDecoder)
  async function* bound(chunks: AsyncIterable<Buffer>) {
    let size = 0
    for await (const chunk of chunks) {
      size += chunk.length
      limit.reached = size > limit.encoded
      if (limit.reached) throw toFetchFailed('the compressed response is far larger than its content')
      yield chunk
    }
  }
  // Errors reach the reader through the last stream.
  return pipeline([response, bound, ...decoders] as never, () => {}) as unknown as Readable
}

function toEncodings(header: string | undefined): string[] {
  const encodings = (header ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
  if (encodings.length > maxEncodings) throw toFetchFailed('the response is compressed too many times')
  return encodings
}

/** A truncated stream gives what it has, as in browsers. */
const lenient = { finishFlush: constants.Z_SYNC_FLUSH }

function toDecoder(encoding: string) {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip(lenient)
    case 'br':
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })
    case 'deflate':
      return inflateEither
    default:
      throw toFetchFailed(`the answer is compressed with '${encoding.slice(0, 20)}', which is not supported`)
  }
}

/** `deflate` means zlib; some servers send it without the header. */
async function* inflateEither(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const iterator = chunks[Symbol.asyncIterator]()
  const first = await iterator.next()
  if (first.done) return
  const isZlib = (first.value[0]! & 0x0f) === 8
  const whole = async function* () {
    yield first.value
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
  }
  yield* pipeline(whole, isZlib ? createInflate(lenient) : createInflateRaw(lenient), () => {})
}

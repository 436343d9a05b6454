import type { IncomingMessage } from 'node:http'

export type ReadBody =
  | { readonly kind: 'body'; readonly body: Buffer }
  | { readonly kind: 'too_large' }
  /** The limit of all bodies together is reached. */
  | { readonly kind: 'no_room' }
  /** The client disconnected. */
  | { readonly kind: 'gone' }

export interface BodyBounds {
  readonly maxBytes: number
  /** Reserves bytes of the shared limit; false if it is reached. */
  readonly take: (bytes: number) => boolean
}

/** Reads the whole body within its limits. The server limits the time. */
export function readBody(request: IncomingMessage, { maxBytes, take }: BodyBounds): Promise<ReadBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0

    function onData(chunk: Buffer) {
      bytes += chunk.length
      if (bytes > maxBytes) stop({ kind: 'too_large' })
      else if (!take(chunk.length)) stop({ kind: 'no_room' })
      else chunks.push(chunk)
    }
    function stop(result: ReadBody) {
      request.off('data', onData)
      chunks.length = 0
      resolve(result)
    }
    // Only the first call of `resolve` counts.
    function onEnd() {
      resolve({ kind: 'body', body: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, bytes) })
    }
    function onClose() {
      resolve({ kind: 'gone' })
    }

    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
  })
}

/** What is wrong with the media type, as the end of a sentence; undefined if it is JSON. */
export function findMediaFault({ headers }: IncomingMessage): string | undefined {
  const { 'content-type': type = '', 'content-encoding': encoding } = headers
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return 'is compressed'
  if (type === 'application/json') return undefined
  const [, media, charset] = /^([\w.+-]+\/[\w.+-]+)\s*(?:;\s*charset="?([\w-]+)"?\s*)?$/i.exec(type) ?? []
  if (media?.toLowerCase() !== 'application/json') return 'is not declared as application/json'
  return charset === undefined || /^utf-?8$/i.test(charset) ? undefined : 'is not in UTF-8'
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

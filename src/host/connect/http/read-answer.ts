import type { IncomingMessage } from 'node:http'
import { toTooLong, type UpstreamFailure } from '../client.ts'
import { EventReader, type ServerEvent } from './event-reader.ts'

/** Reads a whole response. `undefined` if it exceeds the limit or is interrupted. */
export function readWhole(response: IncomingMessage, maxBytes: number, onEnd: (body: Buffer | undefined) => void) {
  const chunks: Buffer[] = []
  let length = 0
  let isOver = false
  const end = (body: Buffer | undefined) => {
    if (isOver) return
    isOver = true
    onEnd(body)
  }
  response.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > maxBytes) {
      end(undefined)
      response.destroy()
    } else chunks.push(chunk)
  })
  response.on('end', () => end(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
  response.on('error', () => end(undefined))
  response.on('close', () => end(undefined))
}

/** Reads an event stream. `onEnd` is called once, with the reader, which knows how to resume. */
export function readEvents(
  response: IncomingMessage,
  maxBytes: number,
  onEvent: (event: ServerEvent) => void,
  onEnd: (reader: EventReader, failure?: UpstreamFailure) => void,
) {
  let isOver = false
  const end = (failure?: UpstreamFailure) => {
    if (isOver) return
    isOver = true
    onEnd(reader, failure)
  }
  const reader = new EventReader(maxBytes, {
    onEvent,
    onTooLong() {
      end(toTooLong(maxBytes))
      response.destroy()
    },
  })
  response.on('data', (chunk: Buffer) => reader.push(chunk))
  response.on('end', () => end())
  response.on('error', () => end())
  response.on('close', () => end())
}

export function isGood({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300
}

type AnswerKind = 'json' | 'events' | 'other'

export function kindOf({ headers }: IncomingMessage): AnswerKind {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity') return 'other'
  return type === 'application/json' ? 'json' : type === 'text/event-stream' ? 'events' : 'other'
}

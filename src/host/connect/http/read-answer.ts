import type { IncomingMessage } from 'node:http'
import { toTooLong, type UpstreamFailure } from '../client.ts'
import { EventReader, type ServerEvent } from './event-reader.ts'

/** Reads an answer whole. What is longer than it may be is an `undefined`, and so is one that breaks off. */
export function readWhole(response: IncomingMessage, most: number, onEnd: (body: Buffer | undefined) => void) {
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
    if (length > most) {
      end(undefined)
      response.destroy()
    } else chunks.push(chunk)
  })
  response.on('end', () => end(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
  response.on('error', () => end(undefined))
  response.on('close', () => end(undefined))
}

/** Reads an answer event by event. Told once: how it ended, and what of it to take up again. */
export function readEvents(
  response: IncomingMessage,
  most: number,
  onEvent: (event: ServerEvent) => void,
  onEnd: (reader: EventReader, failure?: UpstreamFailure) => void,
) {
  let isOver = false
  const end = (failure?: UpstreamFailure) => {
    if (isOver) return
    isOver = true
    onEnd(reader, failure)
  }
  const reader = new EventReader(most, {
    onEvent,
    onTooLong() {
      end(toTooLong(most))
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

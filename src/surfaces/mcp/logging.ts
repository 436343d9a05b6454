import { type LogLevel, logLevels } from '../../contract/call-client.ts'
import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { stripHidden } from '../../contract/text/hidden-characters.ts'
import { shorten } from '../../contract/text/shorten.ts'
import type { Request } from '../../protocol/message.ts'
import { type Reply, refuse, toNotification, toReply } from '../../protocol/reply.ts'
import { metaKeys } from '../../protocol/revisions.ts'
import type { Exchange } from './connection.ts'
import type { Client } from './server.ts'

interface LogMessage {
  readonly level: LogLevel
  readonly data: JsonValue
  readonly logger?: string | undefined
}

const maxCharacters = 16_384

/** Answers `logging/setLevel`, before 2026-07-28. */
export function setLogLevel({ id, params }: Request, { connection }: Exchange): Reply {
  if (!isLogLevel(params.level)) return refuse(id, `level must be one of ${logLevels.join(', ')}.`)
  connection!.logLevel = params.level
  return toReply(id, {})
}

/** What is wrong with the level that a modern request asks for. */
export function findLevelFault({ _meta }: JsonObject): string | undefined {
  const level = isObject(_meta) ? _meta[metaKeys.logLevel] : undefined
  if (level === undefined || isLogLevel(level)) return undefined
  return `_meta["${metaKeys.logLevel}"] must be one of ${logLevels.join(', ')}.`
}

/** The lowest level of messages that the client of a call wants; undefined if it wants none, or cannot get them. */
export function findLogLevel(
  { _meta }: JsonObject,
  { connection, canSend }: Exchange,
  { isModern }: Pick<Client, 'isModern'>,
): LogLevel | undefined {
  const asked = isModern ? isObject(_meta) && _meta[metaKeys.logLevel] : connection?.logLevel
  return isLogLevel(asked) && canSend ? asked : undefined
}

/** Sends log messages of a call, sanitized, to a client that asked for them. Undefined if it did not. */
export function toLogger(
  params: JsonObject,
  exchange: Exchange,
  client: Client,
): ((message: LogMessage) => void) | undefined {
  const asked = findLogLevel(params, exchange, client)
  if (asked === undefined) return undefined
  const least = logLevels.indexOf(asked)
  return ({ level, data, logger }) => {
    // A client that reads too slowly loses messages, so that a flood of them costs no memory.
    if (logLevels.indexOf(level) < least || exchange.isCongested || exchange.controller.signal.aborted) return
    exchange.send(
      toNotification('notifications/message', { level, ...(logger !== undefined && { logger }), data: toClean(data) }),
    )
  }
}

/** Data that has hidden characters, or is too long, becomes text. */
function toClean(data: JsonValue): JsonValue {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  const clean = shorten(stripHidden(text, 'prose'), maxCharacters)
  return clean === text ? data : clean
}

function isLogLevel(value: unknown): value is LogLevel {
  return (logLevels as readonly unknown[]).includes(value)
}

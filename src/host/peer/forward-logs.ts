import type { CallClient, LogLevel } from '../../contract/call-client.ts'
import type { JsonValue } from '../../contract/json.ts'
import { shorten } from '../../contract/text/shorten.ts'
import type { Peer } from '../connect/client.ts'

/** For one call: this much at once, and so much again per second. */
const messages = { burst: 100, perSecond: 20 }
const bytes = { burst: 262_144, perSecond: 65_536 }
const maxLogger = 100

/** Passes log messages of a server on to the client of a call, under the name of the server. Floods are dropped and counted. */
export function toLogger(
  client: CallClient | undefined,
  { server }: { readonly server: string },
): Pick<Peer, 'log' | 'logLevel' | 'endLogs'> {
  const logLevel = client?.logLevel
  if (!client?.log || logLevel === undefined) return {}
  const log = (...message: [LogLevel, JsonValue, string]) => client.log!(...message)
  const [count, size] = [new Allowance(messages), new Allowance(bytes)]
  let dropped = 0
  const tellDropped = () => {
    if (dropped === 0) return
    log('warning', `${dropped} log messages of the MCP server ${server} were dropped, because it sends too many.`, server) // biome-ignore format: one line
    dropped = 0
  }
  return {
    logLevel,
    log(level: LogLevel, data: JsonValue, logger?: string) {
      const hasRoom = count.has(1) && size.has(1)
      if (!hasRoom) return void dropped++
      tellDropped()
      count.take(1)
      size.take(Buffer.byteLength(JSON.stringify(data)))
      log(level, data, logger === undefined ? server : shorten(`${server}/${logger}`, maxLogger))
    },
    endLogs: tellDropped,
  }
}

/** A token bucket. */
class Allowance {
  readonly #limit: typeof messages
  #left: number
  #at = performance.now()

  constructor(limit: typeof messages) {
    this.#limit = limit
    this.#left = limit.burst
  }

  has(amount: number): boolean {
    const { burst, perSecond } = this.#limit
    const now = performance.now()
    this.#left = Math.min(burst, this.#left + ((now - this.#at) / 1000) * perSecond)
    this.#at = now
    return this.#left >= amount
  }

  /** The last message may be larger than what is left. */
  take(amount: number) {
    this.#left -= amount
  }
}

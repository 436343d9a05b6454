import { type LogLevel, logLevels } from '../../contract/call-client.ts'

/** How long a level stays after the last call that wanted it, so that a series of calls sets it once. */
const lingerMs = 10_000

/**
 * Keeps the log level of a server, up to 2025-11-25, at the lowest that a call in flight wants: it applies to the whole
 * connection. Nothing is set before the first call that wants messages.
 */
export class LogLevels {
  readonly #set: (level: LogLevel) => Promise<unknown>
  /** The level if no call wants messages. */
  readonly #idle: LogLevel
  readonly #wanted = new Map<LogLevel, number>()
  #current: LogLevel | undefined
  #setting: Promise<unknown> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

  /** `set` sends the level to the server. */
  constructor(set: (level: LogLevel) => Promise<unknown>, idle: LogLevel = 'warning') {
    this.#set = set
    this.#idle = idle
  }

  /** Resolves once the server sends such messages, or has refused to. Never rejects. Call the result when they are no longer wanted. */
  async want(level: LogLevel): Promise<() => void> {
    this.#wanted.set(level, (this.#wanted.get(level) ?? 0) + 1)
    if (this.#current === undefined || isLower(level, this.#current)) this.#apply(level)
    await this.#setting
    return () => {
      const left = this.#wanted.get(level)! - 1
      if (left > 0) this.#wanted.set(level, left)
      else this.#wanted.delete(level)
      this.#timer ??= setTimeout(() => this.#settle(), lingerMs).unref()
    }
  }

  #settle() {
    this.#timer = undefined
    const lowest = logLevels.find((level) => this.#wanted.has(level)) ?? this.#idle
    if (lowest !== this.#current) this.#apply(lowest)
  }

  /** One at a time, so that the last one counts. */
  #apply(level: LogLevel) {
    this.#current = level
    this.#setting = this.#setting.then(() => this.#set(level)).catch(() => {})
  }
}

function isLower(one: LogLevel, other: LogLevel): boolean {
  return logLevels.indexOf(one) < logLevels.indexOf(other)
}

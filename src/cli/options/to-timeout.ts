import { type Options, UsageError } from './command.ts'

const maxSeconds = 3600

/** Timeout of model requests; undefined if not given. */
export function toTimeoutMs(text: Options['timeout']): number | undefined {
  if (text === undefined) return undefined
  const seconds = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : 0
  if (seconds > 0 && seconds <= maxSeconds) return Math.max(1, Math.round(seconds * 1000))
  throw new UsageError(`--timeout cannot be '${text}'.`, `Use a number of seconds, up to ${maxSeconds}.`)
}

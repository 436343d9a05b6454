import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { type Options, UsageError } from './command.ts'

/** Puts `--set TOOLSET.KEY=VALUE` over settings of toolsets. A value is JSON, else text. Dots in the key lead into objects. */
export function toSettings(
  words: readonly string[] = [],
  base: { readonly [toolset: string]: JsonObject } = {},
): { [toolset: string]: JsonObject } {
  const settings: { [toolset: string]: JsonObject } = structuredClone(base)
  for (const word of words) {
    const [, path = '', text = ''] = /^([^=]*)=(.*)$/s.exec(word) ?? []
    const names = path.split('.')
    if (names.length < 2 || names.includes('')) throw toUsage(word)
    if (names.includes('__proto__')) throw new UsageError(`--set ${word}: '__proto__' cannot be a setting.`)
    place(settings, names, toValue(text), word)
  }
  return settings
}

function place(settings: JsonObject, names: readonly string[], value: JsonValue, word: string): void {
  let at = settings
  for (const name of names.slice(0, -1)) {
    if (!Object.hasOwn(at, name)) at[name] = {}
    const next = at[name]
    if (typeof next !== 'object' || next === null || Array.isArray(next))
      throw new UsageError(`--set ${word}: another --set has given '${name}' a value that is no object.`)
    at = next
  }
  at[names.at(-1)!] = value
}

function toValue(text: string): JsonValue {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function toUsage(word: string): UsageError {
  return new UsageError(
    `--set ${word} is not of the form TOOLSET.KEY=VALUE.`,
    'Write a toolset, a setting and its value, such as --set web-fetch.robots=false.',
  )
}

export function toPort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= 65_535)) throw new UsageError(`--port cannot be '${text}'.`, 'Use a number from 0 to 65535.')
  return port
}

const maxSeconds = 3600

/** Timeout of model requests; undefined if not given. */
export function toTimeoutMs(text: Options['timeout']): number | undefined {
  if (text === undefined) return undefined
  const seconds = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : 0
  if (seconds > 0 && seconds <= maxSeconds) return Math.max(1, Math.round(seconds * 1000))
  throw new UsageError(`--timeout cannot be '${text}'.`, `Use a number of seconds, up to ${maxSeconds}.`)
}

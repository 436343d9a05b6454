import { Refusal } from './endpoint.ts'

type Given<Values> = { [Name in keyof Values]?: NonNullable<Values[Name]> }

export function pickGiven<Values extends object>(values: Values): Given<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<Values>
}

export function readText(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name)
  if (text !== null && text.length > maxTextCharacters)
    throw new Refusal('invalid_request', `'${name}' must have at most ${maxTextCharacters} characters.`)
  return text || undefined
}

const maxTextCharacters = 1000

export function readTime(query: URLSearchParams, name: string): Date | undefined {
  const text = readText(query, name)
  const time = text === undefined ? undefined : new Date(text)
  if (time && Number.isNaN(time.getTime()))
    throw new Refusal('invalid_request', `'${name}' must be a time such as 2026-01-31T12:00:00Z.`)
  return time
}

interface NumberOptions {
  /** Default: 1. */
  readonly min?: number
  /** Larger numbers count as this. */
  readonly max: number
}

export function readNumber(query: URLSearchParams, name: string, { min = 1, max }: NumberOptions): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min) return Math.min(value, max)
  throw new Refusal('invalid_request', `'${name}' must be a whole number from ${min}.`)
}

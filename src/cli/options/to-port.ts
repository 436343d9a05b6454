import { UsageError } from './command.ts'

export function toPort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= 65_535)) throw new UsageError(`--port cannot be '${text}'.`, 'Use a number from 0 to 65535.')
  return port
}

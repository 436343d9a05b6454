import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { shorten } from '../../contract/text/shorten.ts'

export type Exports = { readonly [name: string]: unknown }

/** Loads a module, or says why that is not possible. */
export type LoadModule = (path: string, maxMs?: number) => Promise<Exports | string>

/** A module whose top-level await never resolves must not block the others. */
const loadMs = 10_000

/** Loads a module into this process. */
export async function importModule(path: string, maxMs = loadMs): Promise<Exports | string> {
  const done = new AbortController()
  const tooLong = sleep(maxMs, `it was not ready after ${maxMs} ms`, { signal: done.signal })
  try {
    return await Promise.race([import(pathToFileURL(path).href) as Promise<Exports>, tooLong])
  } catch (cause) {
    return toWords(cause)
  } finally {
    tooLong.catch(() => {})
    done.abort()
  }
}

const maxCharacters = 300

/** Formats anything that a module may throw, in one line. */
export function toWords(cause: unknown): string {
  const text = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
  return shorten(text.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, ''), maxCharacters)
}

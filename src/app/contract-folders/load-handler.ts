import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { shorten } from '../../contract/text/shorten.ts'
import type { Toolset } from '../../contract/tool.ts'
import type { Handling } from './handler.ts'

const extensions = ['.ts', '.mts', '.js', '.mjs']

export interface HandlerPlace {
  readonly folder: string
  /** All file names in the folder. */
  readonly names: readonly string[]
  /** The file name without `.contract.json`. */
  readonly stem: string
  /** A module whose top-level await never resolves must not block the others. */
  readonly maxMs?: number
}

/** Loads the handler of a contract. Resolves to a message if there is none, or it is invalid. */
export async function loadHandler({ folder, names, stem, maxMs }: HandlerPlace): Promise<Handling | string> {
  const found = await loadModule({ folder, names, stem, ...(maxMs !== undefined && { maxMs }) })
  if (found === undefined) return `It has no handler. Write ${stem}.ts beside it, which exports a function named run`
  if (typeof found === 'string') return found
  const { file, exports: loaded } = found
  const run = loaded.run ?? loaded.default
  if (typeof run !== 'function') return `Its handler ${file} exports no function. Export one as run, or as default`
  const { validate, preview } = loaded
  for (const [name, value] of Object.entries({ validate, preview })) {
    if (value !== undefined && typeof value !== 'function') return `The ${name} in ${file} is not a function`
  }
  const needs = readNeeds(loaded)
  if (!needs) return toNeedsReason(file)
  if (needs.length === 0 && takesCapabilities({ run, validate, preview }))
    return `${file} takes capabilities and lists none. Write: export const needs = ['files']`
  return {
    ...(needs.length > 0 && { needs }),
    ...(validate !== undefined && { validate }),
    run,
    ...(preview !== undefined && { preview }),
  } as Handling
}

/** Loads the one module with this name. Undefined if there is none; a message if there are two, or it cannot be loaded. */
export async function loadModule({
  folder,
  names,
  stem,
  maxMs,
}: HandlerPlace): Promise<HandlerModule | string | undefined> {
  const [file, other] = findModules(names, stem)
  if (file === undefined) return undefined
  if (other !== undefined) return `It has two handlers, ${file} and ${other}. Remove one of them`
  const exports = await load(join(folder, file), maxMs)
  return typeof exports === 'string' ? `Its handler ${file} cannot be loaded: ${exports}` : { file, exports }
}

interface HandlerModule {
  readonly file: string
  readonly exports: Exports
}

/** The capabilities that a module lists. Undefined if that is not a list of names. */
export function readNeeds({ needs = [] }: Exports): readonly string[] | undefined {
  return Array.isArray(needs) && needs.every((need) => typeof need === 'string') ? needs : undefined
}

export function toNeedsReason(file: string): string {
  return `The needs in ${file} are not a list of names. Write: export const needs = ['files']`
}

/** Loads the `open` of a folder's toolset, from the module `toolset` in it; undefined where there is none. Resolves to a message if it is invalid. */
export async function loadOpen({
  folder,
  names,
  maxMs,
}: Omit<HandlerPlace, 'stem'>): Promise<Toolset['open'] | string> {
  // The tool of that name has its handler there.
  if (names.includes('toolset.contract.json')) return undefined
  const [file, other] = findModules(names, 'toolset')
  if (file === undefined) return undefined
  if (other !== undefined) return `Its toolset has two modules, ${file} and ${other}. Remove one of them`
  const loaded = await load(join(folder, file), maxMs)
  if (typeof loaded === 'string') return `The module ${file} of its toolset cannot be loaded: ${loaded}`
  if (typeof loaded.open !== 'function') return `The module ${file} of its toolset exports no function named open`
  return loaded.open as Toolset['open']
}

function findModules(names: readonly string[], stem: string): string[] {
  return extensions.map((extension) => stem + extension).filter((name) => names.includes(name))
}

function takesCapabilities({ run, validate, preview }: Exports): boolean {
  const takes = (part: unknown, parameters: number) => typeof part === 'function' && part.length >= parameters
  return takes(run, 3) || takes(validate, 3) || takes(preview, 2)
}

type Exports = { readonly [name: string]: unknown }

async function load(path: string, maxMs = 10_000): Promise<Exports | string> {
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

import { join } from 'node:path'
import type { Toolset } from '../../contract/tool.ts'
import type { Handling } from './handler.ts'
import { type Exports, importModule, type LoadModule } from './import-module.ts'

const extensions = ['.ts', '.mts', '.js', '.mjs']

export interface HandlerPlace {
  readonly folder: string
  /** All file names in the folder. */
  readonly names: readonly string[]
  /** The file name without `.contract.json`. */
  readonly stem: string
  readonly maxMs?: number
  /** Default: into this process. */
  readonly load?: LoadModule
}

/** Loads the handler of a contract. Resolves to a message if there is none, or it is invalid. */
export async function loadHandler(place: HandlerPlace): Promise<Handling | string> {
  const { stem } = place
  const found = await loadModule(place)
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
  load = importModule,
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
  load = importModule,
}: Omit<HandlerPlace, 'stem'>): Promise<
  { readonly module: string; readonly open: NonNullable<Toolset['open']> } | string | undefined
> {
  // The tool of that name has its handler there.
  if (names.includes('toolset.contract.json')) return undefined
  const [file, other] = findModules(names, 'toolset')
  if (file === undefined) return undefined
  if (other !== undefined) return `Its toolset has two modules, ${file} and ${other}. Remove one of them`
  const module = join(folder, file)
  const loaded = await load(module, maxMs)
  if (typeof loaded === 'string') return `The module ${file} of its toolset cannot be loaded: ${loaded}`
  if (typeof loaded.open !== 'function') return `The module ${file} of its toolset exports no function named open`
  return { module, open: loaded.open as NonNullable<Toolset['open']> }
}

function findModules(names: readonly string[], stem: string): string[] {
  return extensions.map((extension) => stem + extension).filter((name) => names.includes(name))
}

function takesCapabilities({ run, validate, preview }: Exports): boolean {
  const takes = (part: unknown, parameters: number) => typeof part === 'function' && part.length >= parameters
  return takes(run, 3) || takes(validate, 3) || takes(preview, 2)
}

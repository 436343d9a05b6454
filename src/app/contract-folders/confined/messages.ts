import type { JsonObject, JsonValue } from '../../../contract/json.ts'
import type { Caller, Progress } from '../../../contract/tool.ts'

/** What is sent to the process of a confined folder, a line of JSON each. */
export type ToHandlers =
  | { readonly id: number; readonly load: string }
  | { readonly id: number; readonly open: OpenRequest }
  | { readonly id: number; readonly call: CallRequest }
  | { readonly abort: number }
  | { readonly answer: number; readonly value?: JsonValue; readonly failed?: string }

/** What its toolset opens, and for which opening. */
export interface OpenRequest {
  readonly opening: number
  readonly module: string | undefined
  readonly context: JsonObject
}

/** A function of a module. Its last arguments are added there, by its name: see `shapes`. */
export interface CallRequest {
  readonly module: string
  readonly name: string
  /** Of `complete`: whose values. */
  readonly argument?: string
  readonly values: readonly JsonValue[]
  readonly context?: CallContext
  /** Which opened capabilities it gets. */
  readonly opening?: number
}

export interface CallContext {
  readonly callId: string
  readonly caller: Caller
  readonly trace?: JsonObject
  readonly idempotencyKey?: string
}

/** What the process sends. It is not trusted: the parent checks every part. */
export type FromHandlers =
  | { readonly id: number; readonly value?: JsonValue }
  | { readonly id: number; readonly failure: FailureData }
  | { readonly id: number; readonly thrown: ThrownData }
  | { readonly aborted: number }
  | { readonly id: number; readonly progress: Progress }
  | { readonly id: number; readonly note: JsonObject }
  | { readonly id: number; readonly attach: readonly JsonValue[]; readonly meta?: JsonValue }
  | { readonly ask: number; readonly about: Asked; readonly of: number; readonly values: readonly JsonValue[] }
  | { readonly changed: number }

/** What a handler may ask of the parent: `of` is a call, or an opening. */
export type Asked = 'callOwn' | 'notes.get' | 'notes.set'

export interface FailureData {
  readonly code: string
  readonly message: string
  readonly suggestion?: string
  readonly retryAfterMs?: number
  readonly problems?: readonly JsonValue[]
}

export interface ThrownData {
  readonly name: string
  readonly message: string
  readonly stack?: string
}

/** The exports of a module, as the parent is told about them: how many parameters a function has, or a value. */
export interface DescribedModule {
  readonly [name: string]: { readonly parameters: number } | { readonly functions: readonly string[] } | { readonly value: JsonValue } // biome-ignore format: one line
}

/** What follows the values of a call. */
export const shapes: { readonly [name: string]: readonly ('value' | 'context' | 'capabilities' | 'signal')[] } = {
  run: ['value', 'context', 'capabilities'],
  default: ['value', 'context', 'capabilities'],
  get: ['value', 'context', 'capabilities'],
  read: ['value', 'context', 'capabilities'],
  list: ['value', 'context', 'capabilities'],
  validate: ['value', 'context', 'capabilities'],
  preview: ['value', 'capabilities', 'signal'],
  complete: ['value', 'value', 'capabilities', 'signal'],
}

/** JSON has no bytes. Only what `read` returns may contain them. */
export function encodeBytes(value: unknown): JsonValue {
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString('base64') }
  if (Array.isArray(value)) return value.map(encodeBytes)
  if (typeof value !== 'object' || value === null) return value as JsonValue
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, encodeBytes(part)]))
}

export function decodeBytes(value: JsonValue | undefined): unknown {
  if (Array.isArray(value)) return value.map(decodeBytes)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const [only] = entries
  if (entries.length === 1 && only![0] === '$bytes' && typeof only![1] === 'string') return new Uint8Array(Buffer.from(only![1], 'base64')) // biome-ignore format: one line
  return Object.fromEntries(entries.map(([key, part]) => [key, decodeBytes(part)]))
}

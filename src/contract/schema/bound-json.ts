import type { JsonObject, JsonValue } from '../json.ts'
import { shorten } from '../text/shorten.ts'
import { pointerTo } from './json-pointer.ts'
import { type JsonRefusal, toRefusal } from './json-refusal.ts'

export interface JsonLimits {
  /** Bytes of the value's JSON text in UTF-8, without whitespace. */
  readonly maxBytes: number
  /** The maximum nesting of arrays and objects. */
  readonly maxDepth: number
}

export interface BoundedJson {
  readonly ok: true
  readonly value: JsonValue
  readonly bytes: number
}

/**
 * Copies a value from memory, so that later changes to the original have no effect. Refuses values that JSON cannot
 * express or that exceed the limits, and stops as soon as one is found.
 *
 * `boundJson({ a: [1, undefined] }, limits)` is refused at `/a/1`.
 */
export function boundJson(value: unknown, limits: JsonLimits): BoundedJson | JsonRefusal {
  const copy = new Copy(limits)
  try {
    const root = copy.take(value)
    copy.fill()
    return { ok: true, value: root, bytes: copy.bytes }
  } catch (error) {
    if (error instanceof Stop) return copy.refusal(error)
    // A proxy may throw anything while it is read.
    return copy.refusal(new Stop('not_json', 'could not be read'))
  }
}

interface Frame {
  readonly source: object
  readonly target: JsonValue[] | JsonObject
  /** The keys of an object; undefined for an array. */
  readonly keys: readonly string[] | undefined
  readonly length: number
  /** The index of the next entry. */
  next: number
  /** Whether no key has been copied yet; the first one needs no comma. */
  isEmpty: boolean
}

/** Uses an explicit stack, because recursion could overflow on a deep value. */
class Copy {
  bytes = 0
  readonly #limits: JsonLimits
  readonly #frames: Frame[] = []

  constructor(limits: JsonLimits) {
    this.#limits = limits
  }

  fill(): void {
    const frames = this.#frames
    while (frames.length > 0) {
      const frame = frames[frames.length - 1]!
      if (frame.next === frame.length) {
        frames.pop()
        continue
      }
      const index = frame.next++
      if (frame.keys === undefined) {
        ;(frame.target as JsonValue[]).push(this.take(itemOf(frame.source as unknown[], index)))
      } else {
        const key = frame.keys[index]!
        if (key === '__proto__') throw new Stop('not_json', 'is a key that would change the object itself')
        const value = propertyOf(frame.source, key)
        if (value === undefined) continue
        this.#count(textBytes(key) + (frame.isEmpty ? 1 : 2))
        frame.isEmpty = false
        ;(frame.target as JsonObject)[key] = this.take(value)
      }
    }
  }

  take(value: unknown): JsonValue {
    switch (typeof value) {
      case 'string':
        this.#count(textBytes(value))
        return value
      case 'number':
        if (!Number.isFinite(value)) throw new Stop('not_json', `is ${value}, which JSON cannot say`)
        this.#count(numberBytes(value))
        return value === 0 ? 0 : value
      case 'boolean':
        this.#count(value ? 4 : 5)
        return value
      case 'object':
        if (value === null) {
          this.#count(4)
          return null
        }
        return this.#open(value)
      default:
        throw new Stop('not_json', `is ${named[typeof value]}, which JSON cannot say`)
    }
  }

  #open(source: object): JsonValue {
    if (this.#frames.length >= this.#limits.maxDepth) throw new Stop('too_deep', '')
    const prototype = Object.getPrototypeOf(source)
    if (Array.isArray(source)) {
      if (prototype !== Array.prototype) throw new Stop('not_json', 'is an object of a class, not a plain array')
      const { length } = source
      this.#count(length > 1 ? length + 1 : 2)
      const target: JsonValue[] = []
      this.#frames.push({ source, target, keys: undefined, length, next: 0, isEmpty: true })
      return target
    }
    if (prototype !== Object.prototype && prototype !== null) {
      throw new Stop('not_json', 'is an object of a class (such as Date or Map), not a plain object')
    }
    const keys = Object.keys(source)
    this.#count(2)
    const target: JsonObject = {}
    this.#frames.push({ source, target, keys, length: keys.length, next: 0, isEmpty: true })
    return target
  }

  #count(bytes: number): void {
    this.bytes += bytes
    if (this.bytes > this.#limits.maxBytes) throw new Stop('too_large', '')
  }

  refusal({ reason, what }: Stop): JsonRefusal {
    const pointer = this.#pointer()
    const where = pointer === '' ? 'The value' : JSON.stringify(shorten(pointer, 200))
    if (reason === 'too_large') {
      const fault = `The value has more than ${this.#limits.maxBytes} bytes as JSON`
      return toRefusal(reason, pointer, { fault, advice: 'Send less.' })
    }
    if (reason === 'too_deep' && !this.#isCycle()) {
      const fault = `${where} is nested more than ${this.#limits.maxDepth} levels deep`
      return toRefusal(reason, pointer, { fault, advice: 'Send a flatter value.' })
    }
    const fault = `${where} ${reason === 'too_deep' ? 'contains itself, which JSON cannot express' : what}`
    return toRefusal('not_json', pointer, { fault, advice: 'Send plain JSON.' })
  }

  #pointer(): string {
    let pointer = ''
    for (const { keys, next } of this.#frames) {
      if (next > 0) pointer = pointerTo(pointer, keys?.[next - 1] ?? next - 1)
    }
    return pointer
  }

  #isCycle(): boolean {
    const sources = this.#frames.map(({ source }) => source)
    return new Set(sources).size < sources.length
  }
}

/** Thrown to end the walk. Not an Error: a stack trace would cost time and is not needed. */
class Stop {
  readonly reason: JsonRefusal['reason']
  readonly what: string

  constructor(reason: JsonRefusal['reason'], what: string) {
    this.reason = reason
    this.what = what
  }
}

/** The value of an own property. Getters are refused, because they can return something else the next time. */
function propertyOf(source: object, key: string): unknown {
  const descriptor = Object.getOwnPropertyDescriptor(source, key)
  if (descriptor === undefined) return undefined
  if (!('value' in descriptor)) throw new Stop('not_json', 'is computed by a getter or setter')
  return descriptor.value
}

/** Three times as fast as a descriptor, which matters for long arrays. */
const getterOf = Reflect.get(Object.prototype, '__lookupGetter__') as (this: object, key: number) => unknown

function itemOf(source: unknown[], index: number): unknown {
  if (getterOf.call(source, index) !== undefined) throw new Stop('not_json', 'is computed by a getter or setter')
  return source[index]
}

const plainText = /^[\x20\x21\x23-\x5b\x5d-\x7f]*$/

/** Bytes of a string as JSON text, including the quotes. */
function textBytes(text: string): number {
  if (plainText.test(text)) return text.length + 2
  if (!text.isWellFormed()) throw new Stop('not_json', 'has half of a character (a lone surrogate)')
  return Buffer.byteLength(JSON.stringify(text))
}

function numberBytes(value: number): number {
  if (value >= 0 && value < 1000 && Number.isInteger(value)) return value < 10 ? 1 : value < 100 ? 2 : 3
  return String(value).length
}

const named: Record<string, string> = {
  undefined: 'undefined',
  function: 'a function',
  symbol: 'a symbol',
  bigint: 'a BigInt',
}

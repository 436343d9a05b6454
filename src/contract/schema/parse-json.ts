import type { JsonValue } from '../json.ts'
import type { BoundedJson, JsonLimits, JsonRefusal } from './bound-json.ts'
import { pointerTo } from './json-pointer.ts'

type TextRefusal = JsonRefusal<JsonRefusal['reason'] | 'syntax' | 'duplicate_key'>

/**
 * Parses JSON text from outside. Its bytes are bounded before anything else; one linear scan then checks grammar,
 * depth and keys, so that no two readers of the text can see different values in it.
 *
 * `parseJson('{"a":1,"\\u0061":2}', limits)` is refused as `duplicate_key` at `/a`.
 */
export function parseJson(text: string | Uint8Array, limits: JsonLimits): BoundedJson | TextRefusal {
  const bytes = bytesOf(text, limits.maxBytes)
  if (bytes > limits.maxBytes) {
    return refuse('too_large', '', `The text has more than ${limits.maxBytes} bytes. Send less.`)
  }
  const decoded = typeof text === 'string' ? text : decode(text)
  if (decoded === undefined) return refuse('syntax', '', 'The text is not valid UTF-8. Encode it as UTF-8.')
  if (!decoded.isWellFormed()) return refuse('not_json', '', `The text ${loneSurrogate}`)
  return new Scan(decoded, limits.maxDepth).run() ?? { ok: true, value: JSON.parse(decoded) as JsonValue, bytes }
}

function bytesOf(text: string | Uint8Array, maxBytes: number): number {
  if (typeof text !== 'string') return text.byteLength
  return text.length > maxBytes ? text.length : Buffer.byteLength(text)
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decode(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

const loneSurrogate = 'has half of a character (a lone surrogate). Send whole characters.'

/** What a part of the scan came to, or why the text is refused. */
type Step = 'value next' | 'value read' | 'done' | TextRefusal

interface Open {
  readonly isArray: boolean
  /** The key or index of the entry being read. */
  at: string | number
  /** Made for the second key, as most objects of a list are small. */
  seen: Set<string> | undefined
}

const whiteSpace = /[ \t\n\r]*/y
const literals = /true|false|null/y
const numbers = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
/** A run of characters that stand for themselves. */
const plainRun = /[^"\\\x00-\x1f]*/y
const escapes = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** A scanner with its own stack. Every expression is sticky and without backtracking, so the scan is linear. */
class Scan {
  readonly #text: string
  readonly #maxDepth: number
  readonly #open: Open[] = []
  #at = 0

  constructor(text: string, maxDepth: number) {
    this.#text = text
    this.#maxDepth = maxDepth
  }

  run(): TextRefusal | undefined {
    let wantsValue = true
    for (;;) {
      this.#skipSpace()
      const step: Step = wantsValue ? this.#value() : this.#afterValue()
      if (step === 'done') return undefined
      if (typeof step === 'object') return step
      wantsValue = step === 'value next'
    }
  }

  #value(): Step {
    const character = this.#text[this.#at]
    if (character === '{' || character === '[') return this.#enter(character === '[')
    if (character === '"') return this.#string() ?? 'value read'
    const start = this.#at
    if (this.#take(numbers)) {
      const number = this.#text.slice(start, this.#at)
      if (Number.isFinite(Number(number))) return 'value read'
      return this.#refuse('not_json', `is the number ${number.slice(0, 40)}, which is too large. Send a smaller one.`)
    }
    return this.#take(literals) ? 'value read' : this.#syntax('a value was expected')
  }

  #enter(isArray: boolean): Step {
    if (this.#open.length >= this.#maxDepth) {
      return this.#refuse('too_deep', `is nested more than ${this.#maxDepth} levels deep. Send a flatter value.`)
    }
    this.#at++
    this.#skipSpace()
    if (this.#text[this.#at] === (isArray ? ']' : '}')) {
      this.#at++
      return 'value read'
    }
    this.#open.push({ isArray, at: isArray ? 0 : '', seen: undefined })
    return isArray ? 'value next' : this.#key(true)
  }

  #afterValue(): Step {
    const open = this.#open.at(-1)
    const character = this.#text[this.#at]
    if (open === undefined) return character === undefined ? 'done' : this.#syntax('the text should end here')
    if (character === (open.isArray ? ']' : '}')) {
      this.#at++
      this.#open.pop()
      return 'value read'
    }
    if (character !== ',') return this.#syntax(open.isArray ? '"," or "]" was expected' : '"," or "}" was expected')
    this.#at++
    this.#skipSpace()
    if (!open.isArray) return this.#key(false)
    open.at = (open.at as number) + 1
    return 'value next'
  }

  #key(isFirst: boolean): Step {
    const open = this.#open.at(-1)!
    const start = this.#at
    if (this.#text[start] !== '"') return this.#syntax('a key in double quotes was expected')
    const previous = open.at as string
    const refusal = this.#string()
    if (refusal) return refusal
    const raw = this.#text.slice(start, this.#at)
    const key = raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1)
    open.at = key
    if (key === '__proto__') {
      return this.#refuse('not_json', 'is a key that would change the object itself. Leave it out.')
    }
    if (!isFirst) {
      open.seen ??= new Set([previous])
      if (open.seen.has(key)) return this.#refuse('duplicate_key', 'is there twice. Send each key once.')
      open.seen.add(key)
    }
    this.#skipSpace()
    if (this.#text[this.#at] !== ':') return this.#syntax('":" was expected')
    this.#at++
    return 'value next'
  }

  #string(): TextRefusal | undefined {
    const start = this.#at
    this.#at++
    for (;;) {
      this.#take(plainRun)
      const character = this.#text[this.#at]
      if (character === '"') {
        this.#at++
        return undefined
      }
      if (character === undefined) {
        this.#at = start
        return this.#syntax('the string that starts here never ends', false)
      }
      if (character !== '\\') return this.#syntax('a control character in a string must be escaped', false)
      const escaped = this.#at
      if (!this.#take(escapes)) return this.#syntax('JSON has no such escape', false)
      if (this.#isLone(escaped)) return this.#refuse('not_json', loneSurrogate)
    }
  }

  /** Is the escape at `start` half of a pair, with the other half missing? Steps over the second half of a whole one. */
  #isLone(start: number): boolean {
    if (this.#text[start + 1] !== 'u') return false
    const unit = Number.parseInt(this.#text.slice(start + 2, start + 6), 16)
    if (unit < 0xd800 || unit > 0xdfff) return false
    const next = this.#text.slice(this.#at, this.#at + 6)
    if (unit > 0xdbff || !/^\\u[dD][c-fC-F]/.test(next) || !this.#take(escapes)) return true
    return false
  }

  /** Most text has none, and then a look at one character is enough. */
  #skipSpace() {
    if (this.#text.charCodeAt(this.#at) <= 0x20) this.#take(whiteSpace)
  }

  #take(expression: RegExp): boolean {
    expression.lastIndex = this.#at
    if (!expression.test(this.#text)) return false
    this.#at = expression.lastIndex
    return true
  }

  #refuse(reason: TextRefusal['reason'], what: string): TextRefusal {
    const pointer = this.#open.reduce((parent, { at }) => pointerTo(parent, at), '')
    const where = pointer === '' ? 'The value' : JSON.stringify(pointer.slice(0, 200))
    return refuse(reason, pointer, `${where} ${what}`)
  }

  #syntax(fault: string, showsFound = true): TextRefusal {
    const before = this.#text.slice(0, this.#at)
    const line = before.split('\n').length
    const column = this.#at - (before.lastIndexOf('\n') + 1) + 1
    const found = this.#text.codePointAt(this.#at)
    const but =
      found === undefined ? ', but the text ends' : `, but there is ${JSON.stringify(String.fromCodePoint(found))}`
    const place = `line ${line}, column ${column}`
    const message = `Not valid JSON at ${place}: ${fault}${showsFound ? but : ''}. Correct the text there.`
    return refuse('syntax', '', message)
  }
}

function refuse(reason: TextRefusal['reason'], pointer: string, message: string): TextRefusal {
  return { ok: false, reason, pointer, message }
}

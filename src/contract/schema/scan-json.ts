import type { JsonObject, JsonValue } from '../json.ts'
import { shorten } from '../text/shorten.ts'
import { pointerTo } from './json-pointer.ts'
import { type JsonRefusal, toRefusal } from './json-refusal.ts'

export interface TextRefusal extends JsonRefusal<JsonRefusal['reason'] | 'syntax' | 'duplicate_key'> {
  /** Where and why the text is not JSON. */
  readonly syntax?: SyntaxFault
}

interface SyntaxFault {
  readonly line: number
  readonly column: number
  readonly fault: string
  /** A complete value is followed by more text. */
  readonly isAfterValue: boolean
}

/** Parses well-formed text strictly, as `parseJson` describes. */
export function scanJson(
  text: string,
  maxDepth: number,
): { readonly ok: true; readonly value: JsonValue } | TextRefusal {
  const scan = new Scan(text, maxDepth)
  return scan.run() ?? { ok: true, value: scan.value! }
}

const afterValue = 'the text should end here'
export const loneSurrogate = { fault: 'has half of a character (a lone surrogate)', advice: 'Send whole characters.' }

/** The outcome of a step, or the refusal. */
type Step = 'value next' | 'value read' | 'done' | TextRefusal

interface Open {
  readonly isArray: boolean
  readonly value: JsonValue[] | JsonObject
  /** The key or index of the entry being read. */
  at: string | number
}

const whiteSpace = /[ \t\n\r]*/y
const literals = /true|false|null/y
const numbers = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
/** Characters that need no escape. */
const plainRun = /[^"\\\x00-\x1f]*/y
const escapes = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/**
 * A parser with an explicit stack. Every regular expression is sticky and free of backtracking, so parsing is linear.
 * `JSON.parse` is used for single strings only: V8 confuses keys that contain escapes with keys it has seen before
 * (nodejs/node#63785).
 */
class Scan {
  value: JsonValue | undefined
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
    if (character === '"') {
      const text = this.#string()
      return typeof text === 'string' ? this.#put(text) : text
    }
    const start = this.#at
    if (this.#take(numbers)) {
      const number = this.#text.slice(start, this.#at)
      if (Number.isFinite(Number(number))) return this.#put(Number(number))
      const fault = `is the number ${number.slice(0, 40)}, which is too large`
      return this.#refuse('not_json', { fault, advice: 'Send a smaller one.' })
    }
    if (!this.#take(literals)) return this.#syntax('a value was expected')
    return this.#put(character === 'n' ? null : character === 't')
  }

  #put(value: JsonValue): Step {
    const open = this.#open.at(-1)
    if (open === undefined) this.value = value
    else if (open.isArray) (open.value as JsonValue[]).push(value)
    else (open.value as JsonObject)[open.at] = value
    return 'value read'
  }

  #enter(isArray: boolean): Step {
    if (this.#open.length >= this.#maxDepth) {
      const fault = `is nested more than ${this.#maxDepth} levels deep`
      return this.#refuse('too_deep', { fault, advice: 'Send a flatter value.' })
    }
    this.#at++
    this.#skipSpace()
    const value = isArray ? [] : {}
    this.#put(value)
    if (this.#text[this.#at] === (isArray ? ']' : '}')) {
      this.#at++
      return 'value read'
    }
    this.#open.push({ isArray, value, at: isArray ? 0 : '' })
    return isArray ? 'value next' : this.#key()
  }

  #afterValue(): Step {
    const open = this.#open.at(-1)
    const character = this.#text[this.#at]
    if (open === undefined) return character === undefined ? 'done' : this.#syntax(afterValue)
    if (character === (open.isArray ? ']' : '}')) {
      this.#at++
      this.#open.pop()
      return 'value read'
    }
    if (character !== ',') return this.#syntax(open.isArray ? '"," or "]" was expected' : '"," or "}" was expected')
    this.#at++
    this.#skipSpace()
    if (!open.isArray) return this.#key()
    open.at = (open.at as number) + 1
    return 'value next'
  }

  #key(): Step {
    const open = this.#open.at(-1)!
    if (this.#text[this.#at] !== '"') return this.#syntax('a key in double quotes was expected')
    const key = this.#string()
    if (typeof key !== 'string') return key
    open.at = key
    if (key === '__proto__') {
      return this.#refuse('not_json', {
        fault: 'is a key that would change the object itself',
        advice: 'Leave it out.',
      })
    }
    if (Object.hasOwn(open.value, key))
      return this.#refuse('duplicate_key', { fault: 'occurs twice', advice: 'Send each key once.' })
    this.#skipSpace()
    if (this.#text[this.#at] !== ':') return this.#syntax('":" was expected')
    this.#at++
    return 'value next'
  }

  #string(): string | TextRefusal {
    const start = this.#at
    let hasEscape = false
    this.#at++
    for (;;) {
      this.#take(plainRun)
      const character = this.#text[this.#at]
      if (character === '"') {
        this.#at++
        return hasEscape
          ? (JSON.parse(this.#text.slice(start, this.#at)) as string)
          : this.#text.slice(start + 1, this.#at - 1)
      }
      if (character === undefined) {
        this.#at = start
        return this.#syntax('the string that starts here never ends', false)
      }
      if (character !== '\\') return this.#syntax('a control character in a string must be escaped', false)
      const escaped = this.#at
      if (!this.#take(escapes)) return this.#syntax('JSON has no such escape', false)
      hasEscape = true
      if (this.#isLone(escaped)) return this.#refuse('not_json', loneSurrogate)
    }
  }

  /** Whether the escape at `start` is a lone surrogate. Skips the second half of a complete pair. */
  #isLone(start: number): boolean {
    if (this.#text[start + 1] !== 'u') return false
    const unit = Number.parseInt(this.#text.slice(start + 2, start + 6), 16)
    if (unit < 0xd800 || unit > 0xdfff) return false
    const next = this.#text.slice(this.#at, this.#at + 6)
    if (unit > 0xdbff || !/^\\u[dD][c-fC-F]/.test(next) || !this.#take(escapes)) return true
    return false
  }

  /** Most text has no whitespace here, so one comparison is enough. */
  #skipSpace() {
    if (this.#text.charCodeAt(this.#at) <= 0x20) this.#take(whiteSpace)
  }

  #take(expression: RegExp): boolean {
    expression.lastIndex = this.#at
    if (!expression.test(this.#text)) return false
    this.#at = expression.lastIndex
    return true
  }

  #refuse(reason: TextRefusal['reason'], { fault, advice }: typeof loneSurrogate): TextRefusal {
    const pointer = this.#open.reduce((parent, { at }) => pointerTo(parent, at), '')
    const where = pointer === '' ? 'The value' : JSON.stringify(shorten(pointer, 200))
    return toRefusal(reason, pointer, { fault: `${where} ${fault}`, advice })
  }

  #syntax(fault: string, showsFound = true): TextRefusal {
    const before = this.#text.slice(0, this.#at)
    const line = before.split('\n').length
    const column = this.#at - (before.lastIndexOf('\n') + 1) + 1
    const found = this.#text.codePointAt(this.#at)
    const but =
      found === undefined ? ', but the text ends' : `, but there is ${JSON.stringify(String.fromCodePoint(found))}`
    const syntax = { line, column, fault: `${fault}${showsFound ? but : ''}`, isAfterValue: fault === afterValue }
    const at = `Not valid JSON at line ${line}, column ${column}: ${syntax.fault}`
    return { ...toRefusal('syntax', '', { fault: at, advice: 'Correct the text there.' }), syntax }
  }
}

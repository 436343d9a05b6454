import type { FuncKeywordDefinition } from 'ajv'
import { canonicalJson } from '../canonical-json.ts'
import type { JsonValue } from '../json.ts'
import { spendSteps } from './step-budget.ts'

/** Our implementations of four keywords: functions that test a value. */
export const exactChecks = {
  const: (value: JsonValue) => isOneOf([value]),
  enum: isOneOf,
  uniqueItems: (isWanted: boolean) => (items: JsonValue[]) => !isWanted || firstRepeat(items) === undefined,
  multipleOf: (divisor: number) => (value: number) => {
    if (!Number.isSafeInteger(value) || !Number.isSafeInteger(divisor)) spendSteps(20)
    return isMultiple(value, divisor)
  },
} as const

/**
 * The keywords. ajv compares objects with a method that a key such as `valueOf` in the data breaks, compares every pair
 * of items, and rejects 19.99 as a multiple of 0.01.
 */
export const exactKeywords: FuncKeywordDefinition[] = [
  { keyword: 'const', errors: false, compile: exactChecks.const },
  { keyword: 'enum', errors: false, schemaType: 'array', compile: exactChecks.enum },
  {
    keyword: 'uniqueItems',
    type: 'array',
    before: 'prefixItems',
    schemaType: 'boolean',
    errors: false,
    compile: exactChecks.uniqueItems,
  },
  { keyword: 'multipleOf', type: 'number', schemaType: 'number', errors: false, compile: exactChecks.multipleOf },
]

function isOneOf(values: JsonValue[]): (value: JsonValue) => boolean {
  const simple = new Set(values.filter((value) => !isCompound(value)))
  // Not `textOf`: compiling has no step budget.
  const compound = new Set(values.filter(isCompound).map(canonicalJson))
  return (value) => (isCompound(value) ? compound.size > 0 && compound.has(textOf(value)) : simple.has(value))
}

/** The indexes of the first two equal items, in linear time. */
export function firstRepeat(items: JsonValue[]): [number, number] | undefined {
  const seen = new Map<JsonValue, number>()
  const seenCompound = new Map<string, number>()
  for (const [index, item] of items.entries()) {
    spendSteps(1)
    const isSeenBefore = isCompound(item) ? remember(seenCompound, textOf(item), index) : remember(seen, item, index)
    if (isSeenBefore !== undefined) return [isSeenBefore, index]
  }
  return undefined
}

function remember<Key>(seen: Map<Key, number>, key: Key, index: number): number | undefined {
  const before = seen.get(key)
  if (before === undefined) seen.set(key, index)
  return before
}

/** Equal values have equal text, and only those. */
function textOf(value: JsonValue): string {
  const text = canonicalJson(value)
  spendSteps(text.length / 8)
  return text
}

function isCompound(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null
}

/** Exact for decimal numbers, unlike floating-point division. */
export function isMultiple(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0
  if (!Number.isFinite(value)) return false
  const [digits, exponent] = toDecimal(value)
  const [divisorDigits, divisorExponent] = toDecimal(divisor)
  const common = Math.min(exponent, divisorExponent)
  const whole = digits * 10n ** BigInt(exponent - common)
  return whole % (divisorDigits * 10n ** BigInt(divisorExponent - common)) === 0n
}

/** A number as integer digits and a power of ten. */
function toDecimal(value: number): [digits: bigint, exponent: number] {
  const [mantissa, exponent = '0'] = String(value).split('e')
  const [whole, fraction = ''] = mantissa!.split('.')
  return [BigInt(whole + fraction), Number(exponent) - fraction.length]
}

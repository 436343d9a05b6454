import type { DateFound } from './dates.ts'
import { readTokens, type Token } from './read-tokens.ts'
import { numberWords, ordinalWords, scales, units } from './units.ts'
import { toContentWords, toWords } from './words.ts'

/** A number with its unit, if it has one. */
export interface Quantity {
  /** Canonical: the same for each way to write it. */
  readonly value: string
  readonly unit?: string
  readonly at: number
  readonly end: number
}

/** The numbers of a text outside its dates, in digits and in words. */
export function readQuantities(tokens: readonly Token[], dates: readonly DateFound[]): Quantity[] {
  const quantities: Quantity[] = []
  const isPortuguese = tokens.some(({ lower }) => /^(?:não|são|uma|um|da|ao|foi|pela|pelo)$|ções?$|ção$/u.test(lower))
  for (let at = 0; at < tokens.length; ) {
    const date = dates.find((one) => one.at <= at && at < one.end)
    const isArticle = tokens[at]!.lower === 'dos' && isPortuguese
    const found = date || isArticle ? undefined : (readRatio(tokens, at) ?? readAt(tokens, at))
    if (found) quantities.push(found)
    at = Math.max(at + 1, date?.end ?? 0, found?.end ?? 0)
  }
  const ranged = quantities.map((one, index) => withUnitOfRange(one, quantities[index + 1], tokens))
  return ranged.map((one, index) => withCurrencyOfRange(one, ranged[index - 1], tokens))
}

/** "From 42 to 9 seconds": the first number has the unit of the second. */
function withUnitOfRange(one: Quantity, next: Quantity | undefined, tokens: readonly Token[]): Quantity {
  if (one.unit !== undefined || next?.unit === undefined || next.unit === 'th' || next.at !== one.end + 1) return one
  const { lower } = tokens[one.end]!
  const isRange = /^(?:to|or|-|by|x|×)$/.test(lower) || (lower === 'and' && tokens[one.at - 1]?.lower === 'between')
  return isRange ? { ...one, unit: next.unit } : one
}

/** "$100-150": the second number has the currency of the first. */
function withCurrencyOfRange(one: Quantity, before: Quantity | undefined, tokens: readonly Token[]): Quantity {
  if (one.unit !== undefined || before?.unit === undefined || one.at !== before.end + 1) return one
  const isRange = /^(?:to|-)$/.test(tokens[before.end]!.lower) && toCurrency(tokens, before.at) === before.unit
  return isRange ? { ...one, unit: before.unit } : one
}

/** Whether the evidence states a number of the claim with the same unit: neither a different one nor none. */
export function isSameQuantity(
  claim: Quantity,
  evidence: Quantity,
  tokens: readonly Token[],
  said: readonly Token[],
): boolean {
  if (claim.value !== evidence.value) return false
  if (claim.unit === evidence.unit) return true
  // Pounds are money, or a weight.
  if (isPounds(claim, evidence) || isPounds(evidence, claim)) return true
  // The unit is further away: "6.6 unhealthy days".
  const isNear = (text: readonly Token[], { at, end }: Quantity, unit: string | undefined) => text.slice(Math.max(0, at - 6), end + 4).some(({ lower }) => unit !== undefined && units.get(lower) === unit) // biome-ignore format: one line
  if (claim.unit === undefined && isNear(said, claim, evidence.unit)) return true
  if (evidence.unit === undefined && isNear(tokens.slice(evidence.at), { ...evidence, at: 0, end: evidence.end - evidence.at }, claim.unit)) return true // biome-ignore format: one line
  // An age: "at least 21" for "at least 21 years old".
  const after = tokens.slice(evidence.end, evidence.end + 2).map(({ lower }) => lower)
  if (claim.unit === undefined && evidence.unit === 'year') return after[0] === 'old' || after.join(' ') === 'of age'
  if (evidence.unit !== undefined) return false
  // The unit may be in the name of a field: "size_bytes: 120". A number that counts something else has its own unit.
  if (toContentWords(tokens.slice(evidence.end, evidence.end + 1)).length > 0) return false
  return tokens.slice(0, evidence.at).flatMap(toWords).some((word) => units.get(word) === claim.unit) // biome-ignore format: one line
}

/** "One in five" and "1 out of 5" are 20 percent. */
function readRatio(tokens: readonly Token[], at: number): Quantity | undefined {
  const isOutOf = tokens[at + 1]?.lower === 'out' && tokens[at + 2]?.lower === 'of'
  if (!isOutOf && tokens[at + 1]?.lower !== 'in') return undefined
  const [part, all] = [readAt(tokens, at), tokens[at + (isOutOf ? 3 : 2)] && readAt(tokens, at + (isOutOf ? 3 : 2))]
  if (!part || !all || part.unit !== undefined || all.unit !== undefined) return undefined
  const [one, other] = [Number(part.value), Number(all.value)]
  if (!(Number.isInteger(one) && one >= 1 && one < other && other <= 20) || tokens[all.end]?.kind !== 'word')
    return undefined
  return { value: String(Math.round((1000 * one) / other) / 10), unit: '%', at, end: all.end }
}

function isPounds(one: Quantity, other: Quantity): boolean {
  return one.unit === 'pound' && (other.unit === 'gbp' || other.unit === 'lb')
}

function readAt(tokens: readonly Token[], at: number): Quantity | undefined {
  const token = tokens[at]!
  const ordinal = token.kind === 'word' ? ordinalWords.get(token.lower) : undefined
  if (ordinal) return { value: ordinal, unit: 'th', at, end: at + 1 }
  const number = token.kind === 'number' ? toDigits(token.text) : toSpelled(tokens, at)
  if (number === undefined) return undefined
  let end = at + (token.kind === 'word' && isTens(tokens, at) ? 2 : 1)
  const currency = toCurrency(tokens, at)
  let power = 0
  let scale = toScale(tokens, end, currency !== undefined)
  for (; scale !== undefined; scale = toScale(tokens, ++end, false)) power += scale
  const unit = toUnit(tokens, end)
  const sign = token.kind === 'number' && isNegative(tokens, at, currency !== undefined) ? '-' : ''
  const value = sign + toCanonical(number, power)
  const named = unit?.unit ?? currency
  return { value, at, end: unit?.end ?? end, ...(named !== undefined && { unit: named }) }
}

/** "twenty" and "five" with at most a hyphen between them. */
function isTens(tokens: readonly Token[], at: number): boolean {
  const tens = Number(numberWords.get(tokens[at]!.lower))
  const ones = Number(numberWords.get(tokens[at + 1]?.lower ?? ''))
  return tens >= 20 && tens % 10 === 0 && ones >= 1 && ones <= 9
}

function toSpelled(tokens: readonly Token[], at: number): string | undefined {
  const { kind, lower } = tokens[at]!
  const number = kind === 'word' ? numberWords.get(lower) : undefined
  if (number !== undefined) {
    // "No one" is nobody.
    if (lower === 'one' && tokens[at - 1]?.lower === 'no') return undefined
    return isTens(tokens, at) ? String(Number(number) + Number(numberWords.get(tokens[at + 1]!.lower))) : number
  }
  // "a million", "mille"
  const power = kind === 'word' ? scales.get(lower) : undefined
  return power !== undefined && lower.length > 2 ? `1${'0'.repeat(power)}` : undefined
}

/** Digits with a decimal point, as the separators imply: a comma before three digits separates thousands. */
function toDigits(text: string): string {
  const plain = readAscii(text)
  if (/^\d{1,3}(?:[ '_]\d{3})+(?:[.,]\d+)?$/.test(plain)) return plain.replace(/[ '_]/g, '').replace(',', '.')
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(plain)) return plain.replaceAll(',', '')
  if (/^\d{1,3}(?:\.\d{3})+,\d+$|^\d{1,3}(?:\.\d{3}){2,}$/.test(plain))
    return plain.replaceAll('.', '').replace(',', '.')
  return plain.replace(',', '.')
}

/** Digits of other scripts by their value. */
function readAscii(text: string): string {
  return text.replace(/[^\x00-\x7f]/gu, (digit) => {
    let zero = digit.codePointAt(0)!
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1)) && digit.codePointAt(0)! - zero < 9) zero--
    return String(digit.codePointAt(0)! - zero)
  })
}

function toCanonical(digits: string, power: number): string {
  if (!/^\d/.test(digits)) return digits
  // Beyond the precision of a double, digits are compared as written.
  if (digits.length > 15 || digits.length + power > 300) return power === 0 ? digits : `${digits}e${power}`
  return String(Number(`${digits}e${power}`))
}

function isNegative(tokens: readonly Token[], at: number, hasCurrency: boolean): boolean {
  const start = hasCurrency && tokens[at - 1]?.kind === 'sign' ? at - 1 : at
  const sign = tokens[start - 1]
  return sign?.text === '-' && !tokens[start]!.spaced && sign.spaced
}

/** "$5", "USD 5", "€ 5" */
function toCurrency(tokens: readonly Token[], at: number): string | undefined {
  const before = tokens[at - 1]
  if (!before || (before.kind === 'word' && !/^[A-Z]{3}$/.test(before.text))) return undefined
  const unit = units.get(before.lower)
  return unit !== undefined && /^(?:usd|eur|gbp|jpy|cny|inr|chf)$/.test(unit) ? unit : undefined
}

function toScale(tokens: readonly Token[], at: number, hasCurrency: boolean): number | undefined {
  const token = tokens[at]
  if (token?.kind !== 'word') return undefined
  const han = scales.get(token.text[0]!)
  if (han !== undefined && !token.spaced && /\p{Script=Han}/u.test(token.text)) return han
  // Attached letters: 5M and $5m are millions, 5m are metres.
  if (/^[mMbB]$/.test(token.text) && !token.spaced && (hasCurrency || /[MB]/.test(token.text)))
    return /m/i.test(token.text) ? 6 : 9
  return scales.get(token.lower)
}

function toUnit(tokens: readonly Token[], from: number): { unit: string; end: number } | undefined {
  const at = tokens[from]?.text === '-' && !tokens[from].spaced && tokens[from + 1]?.kind === 'word' ? from + 1 : from
  const [one, two] = [tokens[at], tokens[at + 1]]
  if (!one) return undefined
  const pair = `${one.lower} ${two?.lower ?? ''}`
  if (/^(?:per cent|pour cent|por ciento|per cento|por cento)$/.test(pair)) return { unit: '%', end: at + 2 }
  if (/^(?:percentage points?|percent points?)$/.test(pair) || one.lower === 'prozentpunkte')
    return { unit: 'points', end: at + 2 }
  if (one.text === '°' && /^[CF]$/.test(two?.text ?? '')) {
    return { unit: two!.text === 'C' ? 'celsius' : 'fahrenheit', end: at + 2 }
  }
  const speed = /^(?:(miles?)|(?:km|kilomet(?:er|re)s?)) (?:per|an|\/)$/.exec(pair)
  if (speed && /^(?:h|hr|hour)$/.test(tokens[at + 2]?.lower ?? ''))
    return { unit: speed[1] ? 'mph' : 'kmh', end: at + 3 }
  if (one.text === '"' && !one.spaced && !isQuoted(tokens, at)) return { unit: 'inch', end: at + 1 }
  const run = one.kind === 'word' && !one.spaced && /^[年月日円元]/u.test(one.text) ? one.text[0]! : one.lower
  const unit = units.get(run)
  return unit === undefined ? undefined : { unit, end: at + 1 }
}

/** Whether a quotation mark closes an earlier one. */
function isQuoted(tokens: readonly Token[], at: number): boolean {
  return tokens.slice(0, at).some(({ text }, index) => text === '"' && !tokens[index + 1]?.spaced)
}

/** Whether text right after a quote that ends with a number would change that number. */
export function continuesNumber(after: string): boolean {
  if (/^[.,:'/]?\d|^[\p{L}]/u.test(after)) return true
  const tokens = readTokens(after.slice(0, 40).trimStart())
  return toUnit(tokens, 0) !== undefined || toScale(tokens, 0, false) !== undefined
}

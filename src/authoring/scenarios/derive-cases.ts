import type { JsonValue } from '../../contract/json.ts'
import type { SchemaObject } from '../../contract/lint/walk-schema.ts'
import { type BrokenRule, type Probe, probesOf } from './values/break-place.ts'
import { byteLength, type Check } from './values/check.ts'
import { findPlaces, type Path, replaceAt, toPointer } from './values/places.ts'

/** A derived value and whether it is valid. */
interface DerivedCase {
  readonly rule: BrokenRule
  /** Description of the change: `/count: one beyond maximum`. */
  readonly what: string
  readonly value: JsonValue
  readonly isValid: boolean
}

export interface Derived {
  readonly cases: readonly DerivedCase[]
  /** Constraints without a violating value: equivalent branches, values that are too large. */
  readonly lacking: readonly { readonly rule: BrokenRule; readonly what: string }[]
}

const maxCases = 250

/**
 * Mutates valid values in one place at a time so that each keyword of each schema is violated once, using the first value where
 * that works. A mutation counts only if the schema really refuses it.
 */
export function deriveCases(bases: readonly JsonValue[], check: Check): Derived {
  const cases: DerivedCase[] = []
  const found = new Map<SchemaObject, Map<string, { rule: BrokenRule; what: string; isFound: boolean }>>()
  const seen = new Set<string>()

  function tryProbe(base: JsonValue, path: Path, probe: Probe): void {
    const { rule, schema, keyword, detail, isValid } = probe
    const known = found.get(schema) ?? new Map()
    found.set(schema, known)
    const key = `${keyword} ${detail}`
    if (known.get(key)?.isFound || cases.length >= maxCases) return
    const what = `${toPointer(path) || 'the whole'}: ${describe(probe)}`
    const value = pick(probe, (part) => replaceAt(base, path, part), check)
    known.set(key, { rule, what, isFound: value !== undefined })
    const text = JSON.stringify(value)
    if (value === undefined || seen.has(text)) return
    seen.add(text)
    cases.push({ rule, what, value, isValid })
  }

  for (const base of bases) {
    for (const { path, ...place } of findPlaces(base, check.schema)) {
      for (const probe of probesOf({ path, ...place })) tryProbe(base, path, probe)
    }
  }
  const lacking = [...found.values()].flatMap((known) => [...known.values()]).filter(({ isFound }) => !isFound)
  return { cases, lacking }
}

/** The first value that violates exactly this keyword, otherwise one that also violates another. */
function pick(
  { keyword, isValid, values }: Probe,
  inWhole: (part: JsonValue) => JsonValue,
  check: Check,
): JsonValue | undefined {
  let second: JsonValue | undefined
  for (const part of values()) {
    const whole = inWhole(part)
    if (byteLength(whole) > check.maxBytes) continue
    const problems = check.problemsOf(whole)
    if (isValid && problems.length === 0) return whole
    if (isValid || problems.length === 0) continue
    if (problems.some((problem) => problem.keyword === keyword)) return whole
    second ??= whole
  }
  return second
}

function describe({ rule, keyword, detail, isValid }: Probe): string {
  switch (rule) {
    case 'missing-required':
      return `without ${JSON.stringify(detail)}`
    case 'wrong-type':
      return `${detail} in its place`
    case 'unknown-property':
      return `a property more (${keyword})`
    case 'bounds':
      return isValid ? `just within ${keyword}` : detail === 'beyond' ? `one beyond ${keyword}` : `against ${keyword}`
    case 'enum-pattern-format':
      return `against ${keyword}`
  }
}

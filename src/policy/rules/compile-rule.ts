import { canonicalJson } from '../../contract/canonical-json.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { isWho, maxWho } from '../../contract/principal.ts'
import { everyCall, type Rule } from '../../contract/rule.ts'
import type { LinearPattern } from '../../contract/schema/linear-pattern.ts'
import { PatternFault } from '../../contract/schema/pattern-fault.ts'
import { grantSteps, stepsPerValidation } from '../../contract/schema/step-budget.ts'
import { fromDoubled } from './doubled-backslashes.ts'
import { type KeyPattern, readKeys, withoutAnchors } from './read-keys.ts'
import { isFixed, literalPrefix, literalText, readPattern, type Token } from './read-pattern.ts'
import { isForEverything, isFree } from './too-wide.ts'

/** Compiles a pattern, or throws with the reason. */
export type Engine = (source: string) => LinearPattern

/** Why a rule is not used, or must not be added. */
export interface RuleProblem {
  /** The id of the rule. */
  readonly rule: string
  readonly code:
    | 'invalid_pattern'
    | 'keys_not_named'
    | 'too_wide'
    | 'example_fails'
    | 'invalid_time'
    | 'expired'
    | 'unknown_key'
    | 'unknown_tool'
    | 'invalid_who'
  /** What is wrong and what to do. */
  readonly message: string
}

export interface CompiledKey extends KeyPattern {
  readonly matches: (value: JsonValue) => boolean
  /** Matches any value. */
  readonly free: boolean
}

export interface CompiledRule {
  readonly rule: Rule
  /** Number of literal characters. More means more specific. */
  readonly literals: number
  /** A rule with problems allows nothing. */
  readonly problems: readonly RuleProblem[]
  /** Undefined if the pattern cannot be split by keys, which is a problem for allow rules only. */
  readonly keys: readonly CompiledKey[] | undefined
  /** Matches every call of its tool. */
  readonly isEveryCall?: boolean
  /** The only input that the pattern matches, if there is only one. */
  readonly exact: string | undefined
  /** Searches the pattern anywhere in a text. For ask and deny rules. */
  readonly occursIn: (text: string) => boolean
  /** The same rule with doubled backslashes read as single ones. Ask and deny rules apply in both readings. */
  readonly single?: CompiledRule
}

/** Whether `compileRule` needs a regex engine. Loading it takes longer than everything else here. */
export function needsEngine(rule: Rule): boolean {
  const single = toSingle(rule)
  return hasOperators(rule.pattern) || (single !== undefined && hasOperators(single.pattern))
}

function hasOperators(pattern: string): boolean {
  return pattern !== everyCall && !/^\^?(?:[^\\.*+?()[|^${]|\{(?!\d)|\\[^A-Za-z\d])*\$?$/su.test(pattern)
}

/**
 * Compiles one rule. Never throws: faults are in `problems`. With lazy compilation, the parts of an allow rule are compiled for
 * the first value with the same literal prefix, and throw then if invalid: compiling takes about 0.3 ms each, and most rules
 * are about other values.
 */
export function compileRule(rule: Rule, engine: Engine | undefined, putOff = false): CompiledRule {
  const nothing = { rule, literals: 0, keys: undefined, exact: undefined, occursIn: () => false }
  try {
    grantSteps(stepsPerValidation)
    if (rule.pattern === everyCall) {
      const every = { ...nothing, keys: [], occursIn: () => true, isEveryCall: true, problems: [] }
      return { ...every, problems: [...findFieldProblems(rule), ...findFailedExamples(every)] }
    }
    const tokens = withoutAnchors(readPattern(rule.pattern))
    const literals = literalText(tokens).length
    const keys = compileKeys(tokens, engine, putOff && rule.action === 'allow')
    if (keys instanceof PatternFault && rule.action === 'allow')
      return { ...nothing, literals, problems: [toKeyProblem(rule, keys, tokens, engine)] }
    const single = toSingle(rule)
    const compiled: CompiledRule = {
      rule,
      literals,
      keys: keys instanceof PatternFault ? undefined : keys,
      exact: keys instanceof PatternFault || !tokens.every(isFixed) ? undefined : toExact(keys),
      occursIn: rule.action === 'allow' ? nothing.occursIn : toSearch(tokens, engine),
      problems: [],
      ...(single && { single: compileRule(single, engine) }),
    }
    return { ...compiled, problems: [...findFieldProblems(rule), ...findFailedExamples(compiled)] }
  } catch (cause) {
    return { ...nothing, problems: [toInvalid(rule, cause)] }
  }
}

/** The pattern occurs anywhere, or the values of its keys match. */
export function matchesLoosely(compiled: CompiledRule, text: string, input: JsonObject): boolean {
  const { occursIn, keys = [], single } = compiled
  if (occursIn(text) || (keys.length > 0 && matchesNamed(keys, input))) return true
  return single !== undefined && matchesLoosely(single, text, input)
}

/** Every key of the input is named, and each value matches its own part completely. */
function matchesWhole(keys: readonly CompiledKey[], input: JsonObject): boolean {
  return Object.keys(input).every((name) => keys.some(({ key }) => key === name)) && matchesNamed(keys, input)
}

/** The same for named keys only; the input may have others. */
export function matchesNamed(keys: readonly CompiledKey[], input: JsonObject): boolean {
  return keys.every(({ key, matches, optional }) => (Object.hasOwn(input, key) ? matches(input[key]!) : optional))
}

export function toProblem({ id }: Rule, code: RuleProblem['code'], message: string): RuleProblem {
  return { rule: id, code, message }
}

function compileKeys(
  tokens: readonly Token[],
  engine: Engine | undefined,
  putOff: boolean,
): CompiledKey[] | PatternFault {
  let read: KeyPattern[]
  try {
    read = readKeys(tokens)
  } catch (cause) {
    if (cause instanceof PatternFault) return cause
    throw cause
  }
  return read.map((named) => {
    const matchesText = toMatcher(named.value, engine, putOff)
    if (matchesText === anyString) return { ...named, matches: (value) => typeof value === 'string', free: true }
    return { ...named, matches: (value) => matchesText(canonicalJson(value)), free: isFree(matchesText) }
  })
}

function toKeyProblem(rule: Rule, { message }: PatternFault, tokens: readonly Token[], engine: Engine | undefined) {
  const isWide = engine !== undefined && isForEverything(toMatcher(tokens, engine))
  if (!isWide) return toProblem(rule, 'keys_not_named', `The pattern ${message}.`)
  return toProblem(rule, 'too_wide', `The pattern would match every call: it ${message}.`)
}

function toMatcher(tokens: readonly Token[], engine: Engine | undefined, putOff = false): (text: string) => boolean {
  if (tokens.every(isFixed)) {
    const text = literalText(tokens)
    return (value) => value === text
  }
  const source = toSource(tokens)
  // Skip matching a large value if anything matches.
  if (source === '".*"' || source === anyStringSource) return anyString
  const compile = () => engine!(`^(?:${source})$`)
  const start = literalPrefix(tokens)
  let pattern = putOff ? undefined : compile()
  return (text) => {
    if (!text.startsWith(start)) return false
    pattern ??= compile()
    return pattern.test(text)
  }
}

export const anyStringSource = String.raw`"(?:[^"\\]|\\.)*"`

const anyString = (text: string) => text.startsWith('"')

/** Canonical JSON sorts keys by code unit; the pattern may name them in any order. */
function toExact(keys: readonly CompiledKey[]): string {
  const sorted = keys.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  return `{${sorted.map(({ key, value }) => `${canonicalJson(key)}:${literalText(value)}`).join(',')}}`
}

/** The other reading of an ask or deny rule. An allow rule has one reading, chosen when it is created. */
function toSingle({ examples: _, ...rule }: Rule): Rule | undefined {
  const pattern = rule.action === 'allow' ? undefined : fromDoubled(rule.pattern)
  return pattern === undefined ? undefined : { ...rule, pattern }
}

function toSearch(tokens: readonly Token[], engine: Engine | undefined) {
  if (tokens.every(isFixed)) {
    const fixed = literalText(tokens)
    return (text: string) => text.includes(fixed)
  }
  const pattern = engine!(toSource(tokens))
  return (text: string) => pattern.test(text)
}

function toSource(tokens: readonly Token[]): string {
  return tokens.map(({ source }) => source).join('')
}

function findFieldProblems(rule: Rule): RuleProblem[] {
  return [...findWhoProblems(rule), ...findTimeProblems(rule)]
}

/** A rule for nobody would never decide, and one for a name that cannot be is a mistake. */
function findWhoProblems(rule: Rule): RuleProblem[] {
  const { who } = rule
  if (who === undefined || (who.length > 0 && who.length <= maxWho && who.every(isWho))) return []
  const message = `'who' must be 1 to ${maxWho} names of callers, or group:NAME.`
  return [toProblem(rule, 'invalid_who', message)]
}

function findTimeProblems(rule: Rule): RuleProblem[] {
  const faulty = [rule.createdAt, rule.expiresAt].find((time) => time !== undefined && Number.isNaN(Date.parse(time)))
  return faulty === undefined ? [] : [toProblem(rule, 'invalid_time', `'${faulty}' is not a valid time: write it as 2026-01-31T09:00:00Z.`)] // biome-ignore format: one line
}

function findFailedExamples(compiled: CompiledRule): RuleProblem[] {
  const { rule, keys = [], isEveryCall } = compiled
  const matches = (input: JsonObject) =>
    isEveryCall || rule.action !== 'allow'
      ? matchesLoosely(compiled, canonicalJson(input), input)
      : matchesWhole(keys, input)
  const missed = (rule.examples?.match ?? []).find((input) => !matches(input))
  const caught = (rule.examples?.mustNotMatch ?? []).find(matches)
  const tell = (input: JsonObject, what: string) =>
    toProblem(rule, 'example_fails', `The pattern ${what} its own example ${canonicalJson(input)}.`)
  return [...(missed ? [tell(missed, 'does not match')] : []), ...(caught ? [tell(caught, 'must not match')] : [])]
}

export function toInvalid(rule: Rule, cause: unknown): RuleProblem {
  return toProblem(rule, 'invalid_pattern', `The pattern ${toFault(cause)}.`)
}

function toFault(cause: unknown): string {
  const { message } = cause as Error
  return cause instanceof PatternFault ? message : `cannot be compiled: ${message}`
}

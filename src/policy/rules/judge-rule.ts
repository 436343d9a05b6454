import { isNamed } from '../../contract/principal.ts'
import type { Rule } from '../../contract/rule.ts'
import { StepsSpent } from '../../contract/schema/step-budget.ts'
import type { PolicyCall } from '../policy-call.ts'
import { type CompiledKey, type CompiledRule, matchesLoosely, matchesNamed, toInvalid } from './compile-rule.ts'
import { findHidden, guardEffects } from './guard-effects.ts'
import type { Reading } from './to-readings.ts'
import { findTooWide } from './too-wide.ts'

/** The verdict of a rule about a call. */
export interface Judgement {
  /**
   * `applies`: it matches this call. `differs`: it does not. `skipped`: it matches but must not decide. `unsure`: an ask or deny
   * rule whose pattern cannot be evaluated for this call.
   */
  readonly result: 'applies' | 'differs' | 'skipped' | 'unsure'
  /** Completes a sentence about the rule: "it has expired". */
  readonly reason: string
}

/** Judges an allow rule: it must match this call beyond doubt. */
export function judgeAllow(compiled: CompiledRule, call: PolicyCall, protectedPaths: readonly string[]): Judgement {
  const { rule, problems, keys = [], isEveryCall } = compiled
  const elsewhere = findOtherScope(rule, call)
  if (elsewhere) return { result: 'differs', reason: elsewhere }
  if (problems[0]) return { result: 'skipped', reason: `it is not valid: ${problems[0].message}` }
  if (isEveryCall) return judgeEveryCall(rule, call, protectedPaths)
  const matches = orUnsure(matchesNamed, keys, call.input)
  if (matches instanceof Error) return { result: 'skipped', reason: `it is not valid: ${toInvalid(rule, matches).message}` } // biome-ignore format: one line
  if (matches === false) return differs
  const doubt =
    (matches === 'unsure' && 'the input is too long to be matched') ||
    findUnnamed(keys, call) ||
    findRest(rule, Math.max(call.now, call.latest ?? 0)) ||
    findClockMovedBack(rule, call.now) ||
    findTooWide(keys, call.contract) ||
    guardEffects(call, keys, { protectedPaths })
  return doubt ? { result: 'skipped', reason: doubt } : { result: 'applies', reason: 'it matches the whole input' }
}

/** The rule allows the whole tool, so values can be anything; commands, hosts, hidden files and paths elsewhere still ask. */
function judgeEveryCall(rule: Rule, call: PolicyCall, protectedPaths: readonly string[]): Judgement {
  const keys = Object.keys(call.input).map((key) => ({ key, value: [] }))
  const doubt =
    findRest(rule, Math.max(call.now, call.latest ?? 0)) ||
    findClockMovedBack(rule, call.now) ||
    findHidden(call) ||
    guardEffects(call, keys, { protectedPaths, allowsLines: true })
  return doubt
    ? { result: 'skipped', reason: doubt }
    : { result: 'applies', reason: 'it is for every call of the tool' }
}

/** Judges an ask or deny rule: it applies if its pattern occurs anywhere, or if the values of its keys match. */
export function judgeStop(compiled: CompiledRule, call: PolicyCall, readings: readonly Reading[]): Judgement {
  const { rule, problems } = compiled
  const elsewhere = findOtherScope(rule, call)
  if (elsewhere) return { result: 'differs', reason: elsewhere }
  const rest = findRest(rule, call.now)
  if (rest) return { result: 'skipped', reason: rest }
  const matches = orUnsure(matchesAny, compiled, readings)
  if (matches === true) return { result: 'applies', reason: toReading(compiled, readings) }
  if (matches !== false) return { result: 'unsure', reason: 'the input is too long to be matched' }
  if (problems[0]) return { result: 'unsure', reason: `it is not valid: ${problems[0].message}` }
  return differs
}

/** Which reading of a pattern with doubled backslashes matched. */
function toReading(compiled: CompiledRule, readings: readonly Reading[]): string {
  const { single, ...asTyped } = compiled
  if (single === undefined || orUnsure(matchesAny, asTyped, readings) === true) return 'it matches'
  return `it matches, read as ${single.rule.pattern}`
}

const differs: Judgement = { result: 'differs', reason: 'its pattern does not match' }

function matchesAny(compiled: CompiledRule, readings: readonly Reading[]): boolean {
  return readings.some(({ text, input }) => matchesLoosely(compiled, text, input))
}

/** With lazy compilation, an invalid pattern throws only here. */
function orUnsure<A, B>(match: (a: A, b: B) => boolean, a: A, b: B): boolean | 'unsure' | Error {
  try {
    return match(a, b)
  } catch (cause) {
    return cause instanceof StepsSpent ? 'unsure' : (cause as Error)
  }
}

function findOtherScope(rule: Rule, { caller, workspace }: PolicyCall): string | undefined {
  if (rule.who && !isNamed(rule.who, caller)) return 'it is for other callers'
  if (rule.scope === 'session' && rule.session !== caller.session) return 'it is for another session'
  if (rule.scope === 'workspace' && rule.workspace !== workspace) return 'it is for another workspace'
  return undefined
}

function findRest({ disabled, expiresAt }: Rule, now: number): string | undefined {
  if (disabled) return 'it is disabled'
  return expiresAt !== undefined && now >= Date.parse(expiresAt) ? 'it has expired' : undefined
}

function findClockMovedBack({ createdAt }: Rule, now: number): string | undefined {
  return now >= Date.parse(createdAt) ? undefined : 'it was made later than now, so the clock was moved back'
}

function findUnnamed(keys: readonly CompiledKey[], { input }: PolicyCall): string | undefined {
  const unnamed = Object.keys(input).filter((name) => !keys.some(({ key }) => key === name))
  return unnamed.length === 0 ? undefined : `it does not name ${unnamed.map((key) => JSON.stringify(key)).join(', ')}`
}

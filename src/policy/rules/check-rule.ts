import { type Contract, toEffectFields } from '../../contract/contract.ts'
import type { Rule } from '../../contract/rule.ts'
import { loadLinearPattern } from '../../contract/schema/linear-pattern.ts'
import { type CompiledKey, type CompiledRule, compileRule, needsEngine, type RuleProblem, toProblem } from './compile-rule.ts' // biome-ignore format: one line
import { findOpenRunner, namesCommand } from './guard-command.ts'
import { namesHost } from './guard-effects.ts'
import { isFixed, literalPrefix } from './read-pattern.ts'
import { findTooWide } from './too-wide.ts'

export interface RuleCheck {
  /** A rule with problems must not be added. */
  readonly problems: readonly RuleProblem[]
  /** What an allow rule leaves open, as sentences for a person to confirm. */
  readonly wide: readonly string[]
}

/** Checks a new rule: can it ever decide, and does it decide too much? */
export async function checkRule(rule: Rule, contract: Contract, now: number): Promise<RuleCheck> {
  const compiled = compileRule(rule, needsEngine(rule) ? await loadLinearPattern() : undefined)
  const problems = [...compiled.problems, ...findExpired(rule, now), ...findUnknownKeys(compiled, contract)]
  if (rule.action !== 'allow' || !compiled.keys) return { problems, wide: [] }
  if (compiled.isEveryCall) return { problems: [...problems, ...findOpenWorld(compiled, contract)], wide: [everyCall] }
  return {
    problems: [...problems, ...findUnnamedKeys(compiled, contract), ...findTooOpen(compiled, contract)],
    wide: compiled.keys.flatMap((key) => findWide(key, contract)),
  }
}

const everyCall =
  "Every call of the tool would run unasked, except those with hidden files, absolute paths, '..' or unseen characters."

function findExpired(rule: Rule, now: number): RuleProblem[] {
  const hasExpired = rule.expiresAt !== undefined && Date.parse(rule.expiresAt) <= now
  return hasExpired ? [toProblem(rule, 'expired', 'It has expired already: choose a later time.')] : []
}

/** The contract does not have the key, so the rule would never match. */
function findUnknownKeys({ rule, keys = [] }: CompiledRule, { input }: Contract): RuleProblem[] {
  const { properties = {}, additionalProperties } = input
  if (additionalProperties !== false) return []
  return keys
    .filter(({ key }) => !Object.hasOwn(properties, key))
    .map(({ key }) => {
      const known = Object.keys(properties).sort().join(', ')
      return toProblem(rule, 'unknown_key', `The tool has no parameter '${key}'. It has ${known || 'none'}.`)
    })
}

/** Every call has the required keys and keys with a default. */
function findUnnamedKeys({ rule, keys = [] }: CompiledRule, { input }: Contract): RuleProblem[] {
  const { properties = {}, required = [] } = input
  const defaulted = Object.entries(properties).filter(([, schema]) => typeof schema === 'object' && 'default' in schema)
  const always = new Set([...required, ...defaulted.map(([key]) => key)])
  const unnamed = [...always].filter((name) => !keys.some(({ key }) => key === name)).sort()
  if (unnamed.length === 0) return []
  const names = unnamed.map((key) => `'${key}'`).join(' and ')
  const message = `The pattern does not name ${names}, which every call has: add "${unnamed[0]}":… in its place.`
  return [toProblem(rule, 'keys_not_named', message)]
}

function findTooOpen({ rule, keys = [] }: CompiledRule, contract: Contract): RuleProblem[] {
  const { fetches = [], runs = [], sends = [] } = contract.effects
  const wide = findTooWide(keys, contract)
  if (wide) return [toProblem(rule, 'too_wide', `Refused, because ${wide}. Write a more specific pattern.`)]
  const open = keys.filter(({ key, value }) => {
    const prefix = literalPrefix(value)
    return (
      (runs.includes(key) && !namesCommand(prefix)) ||
      (fetches.includes(key) && !namesHost(prefix)) ||
      (sends.includes(key) && !value.every(isFixed))
    )
  })
  if (open.length > 0)
    return open.map(
      ({ key }) =>
      toProblem(rule, 'too_wide', `Refused, because '${key}' may begin with anything. Write out the command, the receiver or the host.`), // biome-ignore format: one line
    )
  return keys
    .filter(({ key, value }) => runs.includes(key) && !value.every(isFixed))
    .flatMap(({ value }) => findOpenRunner(literalPrefix(value), literalPrefix(value).length) ?? [])
    .map((why) => toProblem(rule, 'too_wide', `Refused, because ${why}.`))
}

/** A rule for every call does not allow commands or hosts, so it would never decide for such tools. */
function findOpenWorld(
  { rule }: CompiledRule,
  { effects: { runs = [], fetches = [], sends = [] } }: Contract,
): RuleProblem[] {
  const [key] = [...runs, ...fetches, ...sends]
  if (key === undefined) return []
  const message = `Refused, because '${key}' may be anything. Write out the command, the receiver or the host.`
  return [toProblem(rule, 'too_wide', message)]
}

const stillAsks = 'Options and shell characters that the pattern does not contain still ask.'

/** Allowed, but possibly more than intended. */
function findWide({ key, value, free }: CompiledKey, { effects }: Contract): string[] {
  const { reads = [], writes = [], runs = [] } = effects
  if (value.every(isFixed)) return []
  const prefix = literalPrefix(value)
  if ([...reads, ...writes].includes(key) && !/^"[\\/]?[^\\/]+[\\/]/.test(prefix))
    return [
      /^"[\\/]/.test(prefix)
        ? `'${key}' may lie in any folder.`
        : `'${key}' may lie in any folder of the workspace. Absolute paths and '..' still ask.`,
    ]
  if (runs.includes(key)) {
    const [word = '', second] = prefix.slice(1).split(' ')
    return second ? [] : [`'${word}' may have any plain words as arguments. ${stillAsks}`]
  }
  return free && toEffectFields(effects).length === 0 ? [`'${key}' may be anything.`] : []
}

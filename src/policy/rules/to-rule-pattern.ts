import { canonicalJson } from '../../contract/canonical-json.ts'
import { type Contract, toEffectFields } from '../../contract/contract.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { everyCall, type RuleWidth } from '../../contract/rule.ts'
import { findRunner } from './command-runners.ts'
import { anyStringSource } from './compile-rule.ts'
import { maxPatternCharacters } from './read-pattern.ts'

/**
 * The pattern of a rule for a call and similar ones; undefined if the width does not apply to the call. `real` is the same input
 * with symlinks resolved: a rule must allow both.
 */
export function toRulePattern(
  contract: Contract,
  input: JsonObject,
  width: RuleWidth,
  real?: JsonObject,
): string | undefined {
  if (width === 'tool') return everyCall
  const opened = toOpenedKeys(contract, width)
  if (width !== 'exact' && !opened.some((key) => Object.hasOwn(input, key))) return undefined
  const touched = toEffectFields(contract.effects)
  const isAboutFiles = width === 'file' || width === 'folder'
  const parts: string[] = []
  for (const key of Object.keys(input).sort()) {
    const value = input[key]!
    const isText = isAboutFiles && !touched.includes(key) && !isChoice(contract, key)
    const toPart = (value: JsonValue) =>
      opened.includes(key) ? toOpened(value, width) : width === 'exact' ? toLiteral(value) : toOther(value, isText)
    const part = toEither(toPart(value), toPart(real?.[key] ?? value))
    const name = toLiteral(key)
    if (part === undefined || name === undefined) return undefined
    parts.push(`${name}:${part}`)
  }
  return `{${parts.join(',')}}`
}

function toEither(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return undefined
  return one === other ? one : `(?:${one}|${other})`
}

function toOpenedKeys({ effects }: Contract, width: RuleWidth): readonly string[] {
  const { reads = [], writes = [], fetches = [], runs = [] } = effects
  if (width === 'file' || width === 'folder') return [...reads, ...writes]
  if (width === 'command-word' || width === 'subcommand') return runs
  return width === 'site' ? fetches : []
}

/** A value with effects, generalized according to the width. */
function toOpened(value: JsonValue, width: RuleWidth): string | undefined {
  if (typeof value !== 'string') return undefined
  switch (width) {
    case 'folder':
      return toFolder(value)
    case 'command-word':
      return toCommand(value, 1)
    case 'subcommand':
      return /^\S+ [a-z][\w:-]*(?: |$)/.test(value) ? toCommand(value, 2) : undefined
    case 'site':
      return toSite(value)
    default:
      return toLiteral(value)
  }
}

/** Numbers and free text have no effects; a fixed choice may change the meaning of a call. */
function toOther(value: JsonValue, isText: boolean): string | undefined {
  if (typeof value === 'number') return String.raw`-?[0-9]+(?:\.[0-9]+)?`
  return isText && typeof value === 'string' ? anyStringSource : toLiteral(value)
}

/** Files directly in the folder, without hidden ones, which contain settings. */
function toFolder(path: string): string | undefined {
  const [, folder, name] = /^((?:.*\/)?)([^/]+)$/s.exec(path) ?? []
  if (folder === undefined || name!.startsWith('.') || path.includes('\\')) return undefined
  return `"${escapePattern(folder)}[^"/\\\\.][^"/\\\\]*"`
}

/** A path without `..`, or another word without shell metacharacters. */
const plainName = String.raw`\.?[\w@+:,][\w@+=:,.-]*`
const plainArgument = `(?:\\.|${plainName})(?:/${plainName})*/?`

/** Keeps the first words, and everything up to the last option; generalizes plain arguments after them. */
export function toCommand(command: string, kept: number): string | undefined {
  const words = command.split(' ')
  const fixed = Math.max(kept, words.findLastIndex((word) => word.startsWith('-')) + 1)
  const runner = findRunner(words[0]!)
  const isOpen = !runner || (kept > 1 && runner.open.includes(words[1]!))
  if (words.includes('') || fixed > words.length || !isOpen) return undefined
  const start = toLiteral(words.slice(0, fixed).join(' '))?.slice(0, -1)
  if (start === undefined) return undefined
  // The space ends the command word: without it, `git` would be a prefix of other words.
  return fixed === 1 ? `${start} ${plainArgument}(?: ${plainArgument})*"` : `${start}(?: ${plainArgument})*"`
}

function toSite(url: string): string | undefined {
  const [written] = /^https?:\/\/[^/?#\\@]+\//i.exec(url) ?? []
  const origin = written ?? toOrigin(url)
  return origin && `"${escapePattern(origin)}[^"\\\\]*"`
}

/** For a URL that ends, or has its query, right after the host. */
function toOrigin(url: string): string | undefined {
  const { origin, protocol, username, password } = URL.parse(url) ?? {}
  return /^https?:$/.test(protocol ?? '') && !username && !password ? `${origin}/` : undefined
}

/** Undefined if it is too long for a rule: escaping megabytes would block other callers. */
function toLiteral(value: JsonValue): string | undefined {
  if (typeof value === 'string' && value.length > maxPatternCharacters) return undefined
  const text = canonicalJson(value)
  return text.length > maxPatternCharacters ? undefined : escapePattern(text)
}

export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** Whether a parameter is not free text: a number, a flag, or one of several fixed values. */
export function isChoice({ input }: Contract, key: string): boolean {
  const schema = input.properties?.[key]
  return typeof schema !== 'object' || schema.type !== 'string' || 'enum' in schema || 'const' in schema
}

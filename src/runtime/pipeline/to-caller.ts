import type { Risk } from '../../contract/contract.ts'
import { principalLimits } from '../../contract/principal.ts'
import { findHidden } from '../../contract/text/hidden-characters.ts'
import { shorten } from '../../contract/text/shorten.ts'
import type { Caller, CallerScope } from '../../contract/tool.ts'
import type { IntentRecord } from '../storage/storage.ts'

/** Longer than any full id. Longer names are cut, so that they do not fill the ledger. */
const maxNameCharacters = 512

const facts = ['via', 'issuer', 'subject', 'groups', 'scopes', 'claims', 'lacks', 'only'] as const

/** A copy cannot change, so it is not copied again: surfaces keep one for each client. */
const copies = new WeakSet<Caller>()

/**
 * A frozen, bounded copy of a caller: it must not change during the call. Never throws, even for values of the wrong type;
 * what is no fact of the right type is left out, which only takes rights away.
 */
export function toCaller(given: Caller | undefined): Caller {
  if (given && copies.has(given)) return given
  const copy = copyCaller(given)
  copies.add(copy)
  return copy
}

function copyCaller(given: Caller | undefined): Caller {
  const name = toName(given?.name) ?? 'unknown'
  const session = toName(given?.session)
  const named = session === undefined ? { name } : { name, session }
  if (!given || facts.every((fact) => given[fact] === undefined)) return Object.freeze(named)
  const { issuer, subject, via, groups, scopes, claims, lacks, only } = given
  return Object.freeze({
    ...named,
    ...(typeof issuer === 'string' && { issuer: shorten(issuer, maxNameCharacters, { ellipsis: '' }) }),
    ...(typeof subject === 'string' && { subject: shorten(subject, maxNameCharacters, { ellipsis: '' }) }),
    ...(isVia(via) && { via }),
    ...(groups !== undefined && { groups: toTexts(groups, principalLimits.groups) }),
    ...(scopes !== undefined && { scopes: toTexts(scopes, principalLimits.scopes) }),
    ...(claims !== undefined && { claims: toTexts(claims, principalLimits.scopes) }),
    ...(lacks && { lacks: toLacking(lacks) }),
    ...(only !== undefined && { only: toScope(only) }),
  })
}

const recorded = new WeakMap<Caller, IntentRecord['caller']>()

/** The caller, a copy, as the ledger records it: who it is, who vouches for it, and how it authenticated. */
export function toRecordedCaller(caller: Caller): IntentRecord['caller'] {
  let record = recorded.get(caller)
  if (!record) {
    record = Object.freeze(recordCaller(caller))
    recorded.set(caller, record)
  }
  return record
}

function recordCaller(caller: Caller): IntentRecord['caller'] {
  const { name, session, issuer, subject, groups, via } = caller
  if (facts.every((fact) => caller[fact] === undefined)) return caller
  return {
    name,
    ...(session !== undefined && { session }),
    ...(via !== undefined && { via }),
    ...(issuer !== undefined && { issuer }),
    ...(subject !== undefined && subject !== name && { subject }),
    ...(groups && groups.length > 0 && { groups: groups.slice(0, maxRecordedGroups) }),
  }
}

/** Enough to see what gave a right; a token may list hundreds. */
const maxRecordedGroups = 50

export function toName(value: unknown): string | undefined {
  return typeof value === 'string' ? shorten(value, maxNameCharacters, { ellipsis: '' }) : undefined
}

const ways: readonly unknown[] = ['token', 'jwt', 'cookie', 'stdio', 'cli'] satisfies NonNullable<Caller['via']>[]

function isVia(via: unknown): via is NonNullable<Caller['via']> {
  return ways.includes(via)
}

function toTexts(values: unknown, max: number): readonly string[] {
  if (!Array.isArray(values)) return []
  const texts = values.filter(
    (value) =>
      typeof value === 'string' &&
      value.length <= 2 * principalLimits.nameCharacters &&
      findHidden(value, 'exact') === undefined,
  )
  return Object.freeze(texts.slice(0, max))
}

const risks = ['read_only', 'safe_write', 'dangerous'] as const satisfies readonly Risk[]

/** A scope that is no text is lacked all the same. */
function toLacking(lacks: NonNullable<Caller['lacks']>): NonNullable<Caller['lacks']> {
  const lacking = risks.filter((risk) => lacks[risk] !== undefined)
  return Object.freeze(Object.fromEntries(lacking.map((risk) => [risk, toName(lacks[risk]) ?? ''])))
}

/** What is of the wrong type permits nothing. */
function toScope(only: unknown): NonNullable<Caller['only']> {
  const { toolsets, readOnly } = (typeof only === 'object' && only !== null ? only : { toolsets: [] }) as CallerScope
  return Object.freeze({
    ...(toolsets !== undefined && { toolsets: toTexts(toolsets, principalLimits.scopes) }),
    ...(readOnly !== undefined && { readOnly: true }),
  })
}

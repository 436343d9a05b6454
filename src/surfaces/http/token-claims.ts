import type { JWTPayload } from 'jose'
import type { Risk } from '../../contract/contract.ts'
import { isObject } from '../../contract/json.ts'
import { principalLimits } from '../../contract/principal.ts'
import { findHidden } from '../../contract/text/hidden-characters.ts'
import type { Caller } from '../../contract/tool.ts'
import { isReservedCaller } from './credentials.ts'

/** What the claims of an issuer's tokens mean. */
export interface ClaimSettings {
  readonly issuer: string
  /** Callers and groups of this issuer are `NAME/…`, so that no other issuer can give them. */
  readonly name?: string | undefined
  /** The claim that names the caller. Default: `sub`. */
  readonly caller?: string | undefined
  /** The claim that lists the caller's groups. Default: `groups`. */
  readonly groups?: string | undefined
  readonly scopes?: ScopeSettings | undefined
}

/** The scopes that tokens need: for any request, and for calls of a risk. */
interface ScopeSettings {
  readonly any?: string | undefined
  readonly safe_write?: string | undefined
  readonly dangerous?: string | undefined
}

export interface ReadOptions {
  /** Names of the other issuers. */
  readonly others: readonly string[]
  /** The claims that the config gives rights to, as `NAME=VALUE`. */
  readonly claims: readonly string[]
}

export type ReadCaller =
  | { readonly caller: Caller }
  /** What is wrong with the token. */
  | { readonly fault: string }
  /** The scope that it lacks for any request. */
  | { readonly lacking: string }

/**
 * The caller that a verified token is for. What a token says wrongly is a fault of the token, never the absence of a group: a
 * caller that matches no entry of `callers` may have other rights.
 */
export function readCaller(payload: JWTPayload, settings: ClaimSettings, options: ReadOptions): ReadCaller {
  const { issuer, name: prefix, caller: claim = 'sub', groups: groupsClaim = 'groups' } = settings
  const isForeign = (text: string) => prefix === undefined && options.others.some((other) => text.startsWith(`${other}/`)) // biome-ignore format: one line
  const toOwn = (text: string) => (prefix === undefined ? text : `${prefix}/${text}`)
  const given = readClaim(payload, claim)
  const name = isName(given) && !isForeign(given) ? toOwn(given) : undefined
  if (name === undefined || isReservedCaller(name, false)) return { fault: `The claim ${claim} names no caller that can be used.` } // biome-ignore format: one line
  const groups = readGroups(payload, groupsClaim)
  if (!groups || groups.some(isForeign)) return { fault: `The claim ${groupsClaim} is no list of groups that can be used.` } // biome-ignore format: one line
  const { scopes, lacks, lacking } = readScopes(payload, settings.scopes ?? {})
  if (lacking !== undefined) return { lacking }
  const claims = findClaims(payload, options, prefix)
  const caller: Caller = {
    ...{ name, via: 'jwt', issuer },
    ...(typeof payload.sub === 'string' && isName(payload.sub) && { subject: payload.sub }),
    ...(groups.length > 0 && { groups: Object.freeze(groups.map(toOwn)) }),
    ...(settings.scopes && { scopes: Object.freeze(scopes) }),
    ...(claims.length > 0 && { claims: Object.freeze(claims) }),
    ...(Object.keys(lacks).length > 0 && { lacks: Object.freeze(lacks) }),
  }
  return { caller: Object.freeze(caller) }
}

/** A claim by its name, or by its path: `realm_access.roles`. Names may have dots themselves, as in `https://id.example/groups`. */
function readClaim(payload: JWTPayload, claim: string): unknown {
  if (Object.hasOwn(payload, claim)) return payload[claim]
  let value: unknown = payload
  for (const step of claim.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, step)) return undefined
    value = value[step]
  }
  return value
}

/** Valid in the ledger and in rules. */
function isName(value: unknown): value is string {
  return typeof value === 'string' && nameForm.test(value) && findHidden(value, 'exact') === undefined
}

const nameForm = /^\P{Z}{1,256}$/u

/** Undefined if the claim is something else than a bounded list of names. */
function readGroups(payload: JWTPayload, claim: string): readonly string[] | undefined {
  // Entra names another place if there are too many groups for a token.
  if (isObject(payload._claim_names) && Object.hasOwn(payload._claim_names, claim)) return undefined
  const value = readClaim(payload, claim)
  if (value === undefined || value === null) return []
  const list = typeof value === 'string' ? [value] : value
  if (!Array.isArray(list) || list.length > principalLimits.groups) return undefined
  return list.every(isGroup) ? [...new Set(list)] : undefined
}

/** Unlike the names of callers, those of groups may have spaces. */
function isGroup(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length > 0 &&
    value.length <= principalLimits.nameCharacters &&
    findHidden(value, 'exact') === undefined
  )
}

const scopedRisks = ['safe_write', 'dangerous'] as const satisfies readonly Risk[]

/** Of what the token was granted, only the scopes that the config names. Entra calls the claim `scp`. */
function readScopes({ scope, scp }: JWTPayload, settings: ScopeSettings) {
  const listed = [scope, scp].flatMap((value) =>
    typeof value === 'string' ? value.split(' ') : Array.isArray(value) ? value : [],
  )
  const needed = [...new Set([settings.any, ...scopedRisks.map((risk) => settings[risk])])]
  const scopes = needed.filter((one) => one !== undefined && listed.includes(one)) as string[]
  const lacked = scopedRisks.flatMap((risk) => {
    const needs = settings[risk]
    return needs === undefined || scopes.includes(needs) ? [] : [[risk, needs] as const]
  })
  const lacking = settings.any !== undefined && !scopes.includes(settings.any) ? settings.any : undefined
  return { scopes, lacking, lacks: Object.fromEntries(lacked) as NonNullable<Caller['lacks']> }
}

/** Which of the claims that the config names the token has. Those of a named issuer are written `NAME/CLAIM=VALUE`. */
function findClaims(payload: JWTPayload, { claims, others }: ReadOptions, prefix: string | undefined): string[] {
  return claims.filter((entry) => {
    const isOwn = prefix === undefined ? !others.some((other) => entry.startsWith(`${other}/`)) : entry.startsWith(`${prefix}/`) // biome-ignore format: one line
    if (!isOwn) return false
    const own = prefix === undefined ? entry : entry.slice(prefix.length + 1)
    const at = own.indexOf('=')
    const value = readClaim(payload, own.slice(0, at))
    const wanted = own.slice(at + 1)
    return (Array.isArray(value) ? value : [value]).some((one) => isScalar(one) && String(one) === wanted)
  })
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

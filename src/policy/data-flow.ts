import { canonicalJson } from '../contract/canonical-json.ts'
import { type DataKind, type Effects, operatorService } from '../contract/contract.ts'
import type { JsonObject } from '../contract/json.ts'
import { printable } from '../contract/text/printable.ts'
import { shorten } from '../contract/text/shorten.ts'
import { textsOf } from '../contract/text/texts-of.ts'
import type { PolicyCall } from './policy-call.ts'
import type { RuleSet } from './rules/compile-rules.ts'

/** What the calls of a session have read, and where they may send data. */
export interface DataFlow {
  /** Starts a sentence: `This session`, or `This caller` if calls are grouped by caller. */
  readonly who: string
  /** Where data of each kind came from, in a few words; empty if there is none. */
  readonly taken: { readonly [kind in DataKind]: readonly string[] }
  /** Receivers that a person allowed. */
  readonly allowed: ReadonlySet<string>
}

/** Whether a call with these effects sends data anywhere that the operator has not configured. */
export function sendsOut({ fetches = [], sends = [], sendsTo = [] }: Effects): boolean {
  return fetches.length + sends.length > 0 || sendsTo.some((receiver) => receiver !== operatorService)
}

/** Receivers of a call's data: origins of URLs, and other receivers verbatim. */
export function toReceivers({ contract: { effects }, input }: Pick<PolicyCall, 'contract' | 'input'>): string[] {
  const { fetches = [], sends = [], sendsTo = [] } = effects
  const named = [...fetches, ...sends].flatMap((field) => textsOf(input[field]))
  return [...new Set([...named.map(toReceiver), ...sendsTo.filter((receiver) => receiver !== operatorService)])]
}

/** The receivers of a call that neither a person nor a rule has allowed. */
export function findNotAllowed(call: PolicyCall, rules: RuleSet | undefined): string[] {
  return toReceivers(call).filter((receiver) => {
    if (call.flow && isAllowed(call.flow, receiver)) return false
    return !(rules && isAllowedByRule(call, receiver, rules))
  })
}

/** Why a call that sends to these receivers asks, as a sentence. Undefined if the session has nothing to leak. */
export function describeLeak({ who, taken }: DataFlow, receivers: readonly string[]): string | undefined {
  const came = [
    ...(taken.private.length > 0 ? [`read private data (${taken.private.join(', ')})`] : []),
    ...(taken.untrusted.length > 0 ? [`took in text that others wrote (${taken.untrusted.join(', ')})`] : []),
  ]
  if (came.length === 0 || receivers.length === 0) return undefined
  const names = receivers.map(showReceiver).join(', ')
  return `${who} ${came.join(' and ')}; this call sends data to ${names}, which you have not allowed yet.`
}

/** A receiver for display: an origin by its host. */
function showReceiver(receiver: string): string {
  return shorten(printable(receiver.replace(/^https?:\/\//, '')), maxShown)
}

const maxShown = 100

/** A host that is allowed over http is also allowed over https. */
function isAllowed({ allowed }: DataFlow, receiver: string): boolean {
  const plain = /^https:\/\/[^:]+$/.test(receiver) ? receiver.replace('https:', 'http:') : receiver
  return allowed.has(receiver) || allowed.has(plain)
}

/**
 * Probes with a page that no rule was written for: if it is allowed, the whole host is. The page of the call itself does not
 * show that, since a rule for one page must not open its host, and URLs may lack the slash that rules need after a host.
 */
function isAllowedByRule(call: PolicyCall, receiver: string, rules: RuleSet): boolean {
  const { fetches = [] } = call.contract.effects
  if (!/^https?:\/\//.test(receiver) || fetches.length === 0) return false
  return rules.decide(withAddress(call, `${receiver}/${anyPage}`)).action === 'allow'
}

const anyPage = 'toolpact-any-page-of-this-host?q=0'

/** The same call, with another URL in each field that it fetches. */
export function withAddress(call: PolicyCall, address: string): PolicyCall {
  const { fetches = [] } = call.contract.effects
  const replaced = fetches.filter((field) => Object.hasOwn(call.input, field)).map((field) => [field, address])
  const input: JsonObject = { ...call.input, ...Object.fromEntries(replaced) }
  return { ...call, input, canonicalInput: canonicalJson(input) }
}

function toReceiver(text: string): string {
  const url = URL.parse(text)
  return url?.host ? `${url.protocol}//${url.host}` : text.trim().toLowerCase()
}

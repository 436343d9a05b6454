import type { Risk } from '../contract/contract.ts'
import { groupPrefix } from '../contract/principal.ts'

/** An entry of `approvers` in the config. It applies to calls that match both `tools` and `risk`; absent ones match all. */
export interface ApproverEntry {
  /** Full ids, or `toolset.*`. */
  readonly tools?: readonly string[]
  readonly risk?: readonly Risk[]
  /** Names of people, and `group:NAME`. Absent: any person. */
  readonly who?: readonly string[]
  readonly people?: number
  readonly callerMayAnswer?: boolean
  readonly clientMayAnswer?: boolean
}

/** Who may answer a question. Stored with it, so that every process that shares the state applies the same terms. */
export interface AnswerTerms {
  /** Names of people; absent: any person. */
  readonly who?: readonly string[]
  /** Besides these people: members of these groups, as the issuer that signed them in says. */
  readonly groups?: readonly string[]
  /** How many different people must say yes. */
  readonly people: number
  /** Names that count as the caller, who may not answer; empty if the caller may. */
  readonly callers: readonly string[]
  /** Who made the call, by whatever name, if an issuer vouches for them and they may not answer. */
  readonly principal?: Principal
  /** Whether an answer in the client's own dialog counts. */
  readonly clientMayAnswer: boolean
}

/** Someone that an issuer vouches for. */
interface Principal {
  readonly issuer: string
  /** The claim `sub`, which identifies them there whatever their name. */
  readonly subject: string
}

interface AskedCall {
  readonly tool: string
  readonly risk: Risk
  /** The caller, and the person who makes its calls if that is known. */
  readonly callers: readonly string[]
  readonly principal?: Principal | undefined
}

export interface ApproverSettings {
  readonly approvers?: readonly ApproverEntry[]
  readonly groups?: { readonly [name: string]: readonly string[] }
}

/** The terms of the first entry that matches a call; undefined if none does. */
export function toAnswerTerms(
  { approvers = [], groups = {} }: ApproverSettings,
  { tool, risk, callers, principal }: AskedCall,
): AnswerTerms | undefined {
  const entry = approvers.find(
    (one) => (one.tools?.some((name) => isTool(name, tool)) ?? true) && (one.risk?.includes(risk) ?? true),
  )
  if (!entry) return undefined
  const { who, people = 1, callerMayAnswer = false, clientMayAnswer = false } = entry
  const names = who?.flatMap((name) => (name.startsWith(groupPrefix) ? toMembers(groups, name) : [name]))
  const named = who?.flatMap((name) => (name.startsWith(groupPrefix) ? [name.slice(groupPrefix.length)] : []))
  return {
    ...(names && { who: [...new Set(names)] }),
    ...(named && named.length > 0 && { groups: [...new Set(named)] }),
    people,
    callers: callerMayAnswer ? [] : [...new Set(callers)],
    ...(!callerMayAnswer && principal && { principal }),
    clientMayAnswer,
  }
}

function toMembers(groups: NonNullable<ApproverSettings['groups']>, name: string): readonly string[] {
  const group = name.slice(groupPrefix.length)
  return Object.hasOwn(groups, group) ? groups[group]! : []
}

function isTool(pattern: string, tool: string): boolean {
  return pattern.endsWith('.*') ? tool.startsWith(pattern.slice(0, -1)) : pattern === tool
}

/** Someone who answers, and where: `terminal`, `queue`, `console`, `rest`, `elicitation`, `--yes`, … */
export interface Answerer extends Partial<Principal> {
  readonly person: string
  readonly via?: string | undefined
  /** As the issuer says, without `group:`. */
  readonly groups?: readonly string[]
}

/** Why this answer does not count, and what to do instead; undefined if it does. */
export function decideAnswerer(terms: AnswerTerms | undefined, answerer: Answerer): string | undefined {
  const { person, via } = answerer
  if (via === 'elicitation')
    return !terms || (terms.clientMayAnswer && terms.people === 1)
      ? undefined
      : `The client may not answer for its user here. ${toAdvice(terms)}`
  if (via === 'rest' && !terms?.who)
    return 'Answers over REST count only from callers that "approvers" in the config names. Answer in the console, or run toolpact approvals.'
  if (!terms) return undefined
  if (terms.callers.includes(person) || isPrincipal(answerer, terms.principal))
    return `${person} made this call and may not answer the question about it. ${toAdvice(terms)}`
  if (terms.who && !terms.who.includes(person) && findGroups(terms, answerer).length === 0)
    return `${person} is not among the people who may answer this. ${toAdvice(terms)}`
  return undefined
}

/** The groups of a person that entitle them to answer. */
export function findGroups(terms: AnswerTerms | undefined, { groups = [] }: Answerer): readonly string[] {
  return terms?.groups?.filter((group) => groups.includes(group)) ?? []
}

function isPrincipal({ issuer, subject }: Answerer, principal: Principal | undefined): boolean {
  return principal !== undefined && principal.issuer === issuer && principal.subject === subject
}

const maxNames = 10

/** Who can answer instead. */
function toAdvice({ who, groups = [], callers, people }: AnswerTerms): string {
  const names = who && [
    ...who.filter((name) => !callers.includes(name)),
    ...groups.map((group) => `the group ${group}`),
  ]
  const count = people > 1 ? `${people} people` : 'One person'
  if (!names) return `${count} other than the caller must answer.`
  if (names.length === 0) return 'Nobody may answer it: name people under "approvers" in the config.'
  const more = names.length > maxNames ? ` or ${names.length - maxNames} others` : ''
  return `${count} of these must answer: ${names.slice(0, maxNames).join(', ')}${more}.`
}

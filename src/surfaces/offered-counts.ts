import { kindOf } from '../contract/offer.ts'
import type { Tool } from '../contract/tool.ts'
import { toCount } from '../runtime/approval/text/rows.ts'

/** How many tools, prompts and resources are offered. Resources that only a call would list are not counted. */
export interface OfferedCounts {
  readonly tools: number
  readonly prompts: number
  readonly resources: number
}

export function countOffered(tools: Iterable<Tool<never>>): OfferedCounts {
  const counts = { tools: 0, prompts: 0, resources: 0 }
  for (const { offer } of tools) {
    if (!offer) counts.tools++
    else if (offer.kind === 'prompt') counts.prompts++
    else if (offer.kind === 'resource') counts.resources += offer.resources.length
  }
  return counts
}

/** Part of the status of a server. */
interface Listed {
  readonly withheld: readonly { readonly name: string; readonly reasons: readonly { readonly code: string }[] }[]
  readonly unread?: { readonly count: number }
}

/** How many of a server's list are withheld. `resources`: 1 if none of them can be read. */
export function countWithheld({ withheld, unread }: Listed): OfferedCounts {
  const count = (kind: string) => withheld.filter(({ name }) => kindOf(name) === kind).length
  return { tools: count('tool') + (unread?.count ?? 0), prompts: count('prompt'), resources: count('resource') }
}

/** The same without those that the operator has left out. */
export function countRefused({ withheld, unread }: Listed): OfferedCounts {
  const refused = withheld.filter(({ reasons }) => !reasons.some(({ code }) => choices.includes(code)))
  return countWithheld({ withheld: refused, ...(unread && { unread }) })
}

const choices: readonly string[] = ['excluded', 'not_listed']

/** `3 tools, 1 prompt and 12 resources`: without the kinds of which there are none. */
export function toCountWords({ tools, prompts, resources }: OfferedCounts): string {
  return toSentence([...toToolWords(tools, prompts), ...(resources > 0 ? [toCount(resources, 'resource')] : [])])
}

/** `1 tool and the resources`: what of a server is withheld. */
export function toWithheldWords({ tools, prompts, resources }: OfferedCounts): string {
  return toSentence([...toToolWords(tools, prompts), ...(resources > 0 ? ['the resources'] : [])])
}

function toToolWords(tools: number, prompts: number): string[] {
  return [...(tools > 0 ? [toCount(tools, 'tool')] : []), ...(prompts > 0 ? [toCount(prompts, 'prompt')] : [])]
}

function toSentence(words: readonly string[]): string {
  if (words.length === 0) return toCount(0, 'tool')
  return words.length < 3 ? words.join(' and ') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

import type { JsonObject } from './json.ts'

/**
 * What a callable is for MCP clients, if it is not a tool. Getting a prompt and reading a resource are calls of it, so that
 * rights, policy, limits and the ledger apply as for tools.
 */
export type Offer = PromptOffer | ResourceOffer | InstructionsOffer | HelperOffer

/** The contract is named `prompt:NAME`. Its input is the arguments, and its output that of `promptOutput`. */
export interface PromptOffer {
  readonly kind: 'prompt'
  /** Name of the contract that completes its arguments: a helper. */
  readonly completedBy?: string
}

/** The contract is named `resource:NAME`. Its output is that of `resourceOutput`. One offer can cover any number of resources. */
export interface ResourceOffer {
  readonly kind: 'resource'
  /** The resources that are known without a call. */
  readonly resources: readonly ListedResource[]
  readonly templates: readonly ListedTemplate[]
  /** Absent once these lists are known. Resolves when they are, or cannot be had. Never rejects. */
  readonly listing?: () => Promise<void>
  /** The input of the call that reads this URI; undefined if the offer does not cover it. */
  readonly toInput: (uri: string) => JsonObject | undefined
  /** The same for a URI as the MCP server has it, which clients may use if no other offer covers it. */
  readonly toAliasInput?: (uri: string) => JsonObject | undefined
  /** Name of the contract that lists further resources: a helper. */
  readonly listedBy?: string
  /** Name of the contract that completes variables of its templates: a helper. */
  readonly completedBy?: string
  /** Calls `onUpdate` when the content at this URI changes. Absent: clients cannot subscribe. Returns the function that ends it. */
  readonly watch?: (uri: string, onUpdate: () => void) => () => void
}

/** The contract is named `instructions:all`: what an MCP server tells models about its tools. */
interface InstructionsOffer {
  readonly kind: 'instructions'
  readonly text: string
}

/** Lists or completes for another contract of the same toolset, whose rights apply. */
interface HelperOffer {
  readonly kind: 'helper'
}

export interface ListedResource {
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  /** In bytes. */
  readonly size?: number
  readonly annotations?: JsonObject
  readonly _meta?: JsonObject
}

export interface ListedTemplate extends Omit<ListedResource, 'uri' | 'size'> {
  /** RFC 6570. */
  readonly uriTemplate: string
}

export const promptPrefix = 'prompt:'
export const resourcePrefix = 'resource:'
export const instructionsName = 'instructions:all'
const [listSuffix, completeSuffix] = [':list', ':complete']

/** What a contract is for, by its name. */
export function kindOf(name: string): 'tool' | 'prompt' | 'resource' | 'instructions' {
  if (name === instructionsName) return 'instructions'
  if (name.startsWith(promptPrefix)) return 'prompt'
  return name.startsWith(resourcePrefix) ? 'resource' : 'tool'
}

export const toListName = (name: string) => `${name}${listSuffix}`
export const toCompleteName = (name: string) => `${name}${completeSuffix}`

/** Whether the name of a contract is not that of a tool. */
export function isOffer(name: string): boolean {
  return kindOf(name) !== 'tool'
}

/** The id whose rights apply: that of a prompt or resource also for its helpers. */
export function toRightsId(id: string): string {
  for (const suffix of [listSuffix, completeSuffix]) if (id.endsWith(suffix)) return id.slice(0, -suffix.length)
  return id
}

import { appsExtension } from '../../contract/app-ui.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { Caller } from '../../contract/tool.ts'
import type { Served } from '../served.ts'
import type { Changes } from './changes.ts'

/** `initialize` must not wait for MCP servers that start: some clients give up after a second. */
const maxWaitMs = 250

export interface Declared extends JsonObject {
  readonly tools: JsonObject
}

/** What a caller is offered: tools, and prompts and resources if it may use any, or if servers that may have some still start. */
export async function findCapabilities(served: Served, caller: Caller, changes: Changes): Promise<Declared> {
  const found = await findKnown(() => Promise.all([served.catalog.offers(caller), served.catalog.all(caller)]))
  const [known, tools] = found ?? []
  const has = (kind: 'prompt' | 'resource') => known?.some(({ tool }) => tool.offer?.kind === kind) ?? true
  const offers = known?.flatMap(({ tool }) => tool.offer ?? [])
  const canComplete = offers?.some((offer) => 'completedBy' in offer && offer.completedBy !== undefined) ?? true
  const listChanged: JsonObject = changes.canChange ? { listChanged: true } : {}
  const canSubscribe = offers?.some((offer) => offer.kind === 'resource' && offer.watch) ?? true
  return {
    tools: listChanged,
    ...(has('prompt') && { prompts: listChanged }),
    ...(has('resource') && { resources: { ...listChanged, ...(canSubscribe && { subscribe: true }) } }),
    ...(canComplete && { completions: {} }),
    logging: {},
    ...(tools?.some(({ tool }) => tool.ui?.resourceUri !== undefined) && { extensions: { [appsExtension]: {} } }),
  }
}

/** What the catalog finds; undefined if it does not know soon, or not at all. */
export async function findKnown<Found>(find: () => Promise<Found>): Promise<Found | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(resolve, maxWaitMs, undefined)
  return Promise.race([find().catch(() => undefined), late]).finally(() => clearTimeout(timer))
}

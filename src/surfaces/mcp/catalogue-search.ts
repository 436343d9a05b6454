import type { CallResult } from '../../contract/call-result.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { isPublicCaller } from '../../contract/public-access.ts'
import { shorten } from '../../contract/text/shorten.ts'
import { searchToolsId } from '../../projections/tool-search/search-tools.ts'
import { startQuery } from '../../runtime/pipeline/queries.ts'
import type { Served } from '../served.ts'
import type { Changes } from './changes.ts'
import type { Exchange } from './connection.ts'
import { FoundTools, toSession } from './found-tools.ts'
import { callReadTool, callTool, isMetaTool, metaTools, searchTools } from './meta-tools.ts'

export type Entries = Awaited<ReturnType<Served['catalog']['all']>>

/** The tool that a `tools/call` resolves to. */
export interface Target {
  readonly tool: string
  readonly input: JsonValue
  /** Call options that depend on the meta tool used. */
  readonly options: Pick<NonNullable<Parameters<Served['call']>[2]>, 'readOnly' | 'query'>
  /** The tool was named in the arguments, so an unknown name is the model's error, not the client's. */
  readonly isNamedInArguments: boolean
}

/**
 * Serves a large catalogue by search: a client lists `search_tools` and the tools that its session has found. Clients that
 * ignore `list_changed` run found tools with `call_read_tool` and `call_tool`. Both become calls of the named tool itself, so
 * the pipeline applies its contract, approval and limits, and records it under its own id.
 */
export function createCatalogueSearch(served: Served, changes: Changes) {
  const found = new FoundTools()

  async function list(exchange: Exchange): Promise<Entries> {
    const { caller } = exchange
    if (isPublicCaller(caller)) return served.catalog.all(caller)
    const search = await served.catalog.find(searchToolsId)
    if (search.kind !== 'found') return []
    const description = `${search.tool.contract.description}${toOverview(await listReady(exchange))}`
    const searchEntry = { ...search, name: searchTools, tool: { ...search.tool, contract: { ...search.tool.contract, description } } } // biome-ignore format: one line
    const foundEntries = found.of(toSession(exchange)).flatMap((id) => served.catalog.findLoaded(id, caller) ?? [])
    return [searchEntry, ...metaTools, ...foundEntries.filter(({ name }) => !isMetaTool(name))]
  }

  /** Does not wait for slow servers: a later change of the catalog is announced. */
  async function listReady({ caller }: Exchange): Promise<Entries> {
    const { promise: late, resolve } = Promise.withResolvers<Entries>()
    const timer = setTimeout(resolve, overviewMs, [])
    return Promise.race([served.catalog.all(caller).catch(() => []), late]).finally(() => clearTimeout(timer))
  }

  function toTarget(name: string, input: JsonValue): Target | { readonly fault: string } {
    // A search does not count as the step of a query: like `tools/list`, it only reads the catalogue.
    if (name === searchTools)
      return { tool: searchToolsId, input, options: { query: startQuery() }, isNamedInArguments: false }
    if (name !== callTool && name !== callReadTool) return { tool: name, input, options: {}, isNamedInArguments: false }
    const asked = readAsked(input)
    if ('fault' in asked) return asked
    return { ...asked, options: name === callReadTool ? { readOnly: true } : {}, isNamedInArguments: true }
  }

  /** Adds the results of a search to the session's list, and announces the change before the search is answered. */
  async function take(result: CallResult, exchange: Exchange): Promise<void> {
    if (!result.success || result.tool !== searchToolsId) return
    const names = new Set((result.output.tools as JsonObject[]).map(({ name }) => name))
    const entries = (await served.catalog.all(exchange.caller)).filter(({ name }) => names.has(name))
    const ids = entries.filter(({ name }) => !isMetaTool(name)).map(({ id }) => id)
    if (found.add(toSession(exchange), ids)) changes.notifySession(toSession(exchange))
  }

  return { list, toTarget, take }
}

export type CatalogueSearch = ReturnType<typeof createCatalogueSearch>

const overviewMs = 500
const maxOverviewCharacters = 1500

/** Lists the toolsets, so that a model knows when to search. */
function toOverview(entries: Entries): string {
  const counts = [...Map.groupBy(entries, ({ toolset }) => toolset)].map(([name, { length }]) => `${name} (${length})`)
  if (counts.length === 0) return ''
  const shown = shorten(counts.join(', '), maxOverviewCharacters)
  return ` There are ${entries.length} tools, by toolset: ${shown}.`
}

function readAsked(
  asked: JsonValue,
): { readonly tool: string; readonly input: JsonValue } | { readonly fault: string } {
  const { tool, arguments: input = {}, ...others } = (typeof asked === 'object' ? asked : {}) as JsonObject
  if (typeof tool !== 'string') return { fault: `'tool' is missing: the name of a tool, as ${searchTools} returns it.` }
  const [other] = Object.keys(others)
  if (other !== undefined)
    return { fault: `'${shorten(other, 100)}' is not expected here: put the input of the tool into 'arguments'.` }
  return { tool, input }
}

import type { ToolUi } from '../../contract/app-ui.ts'
import type { Caller } from '../../contract/tool.ts'
import type { CallServices } from './call-tool.ts'
import type { Entries, Target } from './catalogue-search.ts'
import type { Exchange } from './connection.ts'
import { toSession } from './found-tools.ts'

/**
 * Lists tools for clients that show apps: those for apps alone too, with the marker that keeps them from the model. A client
 * cannot distinguish the servers behind this one, so tools of servers without apps are marked as not for apps: an app reaches
 * the tools of its own server, and of others that have apps, but nothing else.
 */
export function createAppLister({ served }: CallServices) {
  const listings = new WeakMap<Entries, { readonly apps: Entries; readonly entries: Entries }>()

  return async (entries: Entries, caller: Caller): Promise<Entries> => {
    const apps = await served.catalog.apps(caller)
    const kept = listings.get(entries)
    if (kept?.apps === apps) return kept.entries
    const withApps = new Set(
      [...entries, ...apps]
        .filter(({ tool }) => tool.ui?.resourceUri !== undefined || tool.forApps)
        .map(({ toolset }) => toolset),
    )
    if (withApps.size === 0) return entries
    const listed = new Set(entries.map(({ toolset }) => toolset))
    const all = [
      ...entries.map((entry) =>
        withApps.has(entry.toolset) ? entry : { ...entry, tool: { ...entry.tool, ui: forModels } },
      ),
      // Where clients search, those of the servers of which something was found.
      ...apps.filter(({ toolset }) => listed.has(toolset)),
    ]
    listings.set(entries, { apps, entries: all })
    return all
  }
}

const forModels: ToolUi = { visibility: ['model'] }

/**
 * The tool that a call means if an app may have made it, since its client shows apps. Apps call the tools of their server by the server's own names, which
 * a client forwards as they are. Nothing in a call says where it comes from, so such a name is resolved by the apps that the
 * session has read; if it could mean a tool of another server as well, the call is refused.
 */
export async function resolveForApp(
  { served, shownApps }: CallServices,
  exchange: Exchange,
  target: Target,
): Promise<Target | { readonly fault: string }> {
  const { tool: name } = target
  const { caller } = exchange
  const servers = shownApps.of(toSession(exchange))
  if (servers.length === 0) return target
  const entries = [...(await served.catalog.all(caller)), ...(await served.catalog.apps(caller))]
  const own = entries.filter(
    ({ toolset, tool }) =>
      tool.contract.name === name && servers.includes(toolset) && (tool.ui?.visibility?.includes('app') ?? true),
  )
  const listed = served.catalog.findLoaded(name, caller)
  const meant = new Map([...own, ...(listed ? [listed] : [])].map(({ id }) => [id, id]))
  if (own.length === 0 || meant.size === 1) return own.length === 0 ? target : { ...target, tool: own[0]!.id }
  return { fault: `Several tools are named '${name}': ${[...meant.keys()].join(', ')}. Call one of them by this id.` }
}

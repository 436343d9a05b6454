import type { Toolpact } from '../../app/app.ts'
import type { Caller, Tool } from '../../contract/tool.ts'
import type { UpstreamStatus } from '../../host/upstream.ts'
import { toResolveError } from '../../runtime/pipeline/resolve-error.ts'
import { UsageError } from './command.ts'

/** Finds a tool by name, optionally only among those of a caller. Throws a UsageError with suggestions. */
export async function findTool(
  toolpact: Toolpact,
  name: string,
  caller?: Caller,
): Promise<{ id: string } & Pick<Tool, 'contract' | 'claimsToRead' | 'workflow'>> {
  const found = await toolpact.catalog.find(name, caller)
  if (found.kind !== 'found') throw toLost(toolpact, name, found)
  const { contract, claimsToRead = false, workflow } = found.tool
  return { id: found.id, contract, claimsToRead, ...(workflow && { workflow }) }
}

type Lost = Exclude<Awaited<ReturnType<Toolpact['catalog']['find']>>, { readonly kind: 'found' }>

/** Why there is no such tool, with suggestions. */
function toLost({ upstreams }: Toolpact, name: string, found: Lost): UsageError {
  if (found.kind === 'ambiguous')
    return new UsageError(`Several tools match the name '${name}'.`, `Use one of ${found.ids.join(', ')}.`)
  const { code, message, suggestion } = toResolveError(name, found)
  if (found.kind === 'withheld') return new UsageError(message, toWithheldAdvice(found.id, upstreams.look()))
  const isLost = code === 'tool_not_found' && !('nearest' in found)
  return new UsageError(message, isLost ? 'Run `toolpact list` to see the tools.' : suggestion)
}

/** What resolves the first reason for which a tool is withheld, and the command that explains all reasons. */
export function toWithheldAdvice(id: string, servers: readonly Pick<UpstreamStatus, 'name' | 'withheld'>[]): string {
  const server = servers.find(({ name }) => id.startsWith(`${name}.`))
  if (!server) return 'Run `toolpact check` to see what is wrong with its contract or handler.'
  const [reason] = server.withheld.find(({ name }) => `${server.name}.${name}` === id)?.reasons ?? []
  const explain = `Run \`toolpact mcp inspect ${server.name}\` to see all reasons.`
  return reason ? `${reason.fix} ${explain}` : explain
}

import type { Toolpact } from '../../app/app.ts'
import type { Caller, Tool } from '../../contract/tool.ts'
import { toResolveError } from '../../runtime/pipeline/resolve-error.ts'
import { UsageError } from './command.ts'

/** Finds a tool by name, optionally only among those of a caller. Throws a UsageError with suggestions. */
export async function findTool(
  { catalog, upstreams }: Toolpact,
  name: string,
  caller?: Caller,
): Promise<{ id: string } & Pick<Tool, 'contract' | 'claimsToRead'>> {
  const found = await catalog.find(name, caller)
  if (found.kind === 'found') {
    const { contract, claimsToRead = false } = found.tool
    return { id: found.id, contract, claimsToRead }
  }
  if (found.kind === 'ambiguous')
    throw new UsageError(`Several tools match the name '${name}'.`, `Use one of ${found.ids.join(', ')}.`)
  if (found.kind === 'withheld') throw new UsageError(toResolveError(name, found).message, toWithheldAdvice(found.id, upstreams.look())) // biome-ignore format: one line
  const { code, message, suggestion } = toResolveError(name, found)
  const isLost = code === 'tool_not_found' && !('nearest' in found)
  throw new UsageError(message, isLost ? 'Run `toolpact list` to see the tools.' : suggestion)
}

/** Commands that explain and resolve why a tool is withheld. */
export function toWithheldAdvice(id: string, servers: readonly { readonly name: string }[]): string {
  const server = servers.find(({ name }) => id.startsWith(`${name}.`))?.name
  if (server === undefined) return 'Run `toolpact check` to see what is wrong with its contract or handler.'
  return `Run \`toolpact mcp inspect ${server}\` to see the reasons, \`toolpact mcp adopt ${server}\` to admit tools without an output schema, or \`toolpact lock --accept ${server}\` to accept changed definitions.`
}

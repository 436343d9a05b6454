import type { Toolpact } from '../../app/app.ts'
import type { Caller, Tool } from '../../contract/tool.ts'
import { toResolveError } from '../../runtime/pipeline/resolve-error.ts'
import { UsageError } from './command.ts'

/** Finds the tool that a person named, or says what they may have meant: any tool, or one that this caller may use. */
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
  throw new UsageError(message, isLost ? 'toolpact list shows the tools.' : suggestion)
}

/** How the operator sees why a tool is withheld, and admits it. */
export function toWithheldAdvice(id: string, servers: readonly { readonly name: string }[]): string {
  const server = servers.find(({ name }) => id.startsWith(`${name}.`))?.name
  if (server === undefined) return 'Fix its contract or handler: toolpact check lists what is wrong.'
  return `toolpact mcp inspect ${server} shows each reason and what to do. toolpact mcp adopt ${server} admits tools without an output schema; toolpact lock --accept ${server} accepts changed definitions.`
}

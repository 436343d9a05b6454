import type { Toolpact } from '../../app/app.ts'
import type { Config } from '../../app/config/config.ts'
import type { JsonObject } from '../../contract/json.ts'
import { toClientConfigs, tokenPlaceholder } from '../../surfaces/client-configs.ts'
import { type Console, createConsole } from '../../surfaces/console/console.ts'
import type { ConsolePages } from '../../surfaces/console/pages.ts'
import type { Credentials } from '../../surfaces/http/credentials.ts'
import type { HttpAddress } from '../../surfaces/http/open-http-server.ts'
import type { HttpSurface } from '../../surfaces/http/route.ts'
import { createMcpHttp } from '../../surfaces/mcp/http.ts'
import { createRest } from '../../surfaces/rest/rest.ts'
import { createConsoleServers } from './console-servers.ts'
import { toFaultPrinter } from './http-place.ts'
import type { Serving } from './serving.ts'

export interface SurfaceOptions {
  readonly address: HttpAddress
  readonly credentials: Credentials
  /** The command line that serves the same tools on stdio. Not shown to tenants. */
  readonly stdio?: readonly string[] | undefined
  /** The tools that are known so far, for a sample call. */
  readonly entries?: () => Entries
  /** The pages of the console, if they are served already. */
  readonly pages?: ConsolePages
}

export type Entries = Awaited<ReturnType<Toolpact['catalog']['all']>>

/** MCP, REST and the console of one Toolpact. */
export function createSurfaces(
  serving: Serving,
  { address, credentials, stdio, entries = () => [], pages }: SurfaceOptions,
): { readonly console: Console; readonly surfaces: readonly HttpSurface[] } {
  const { request, toolpact, asking, info, catalogue, tasks, peers, calls, isTenant } = serving
  const { options } = request
  const { version } = info
  const token = options['no-token'] ? undefined : tokenPlaceholder
  const allowsPublic = toolpact.config.http?.public === true || options['no-token'] === true
  const console = createConsole({
    ...{ toolpact, credentials, address, version, calls, pages },
    toClients: () => toClientConfigs({ name: info.name, stdio, example: findExample(entries()), url: address.url, token }), // biome-ignore format: one line
    // Whoever adds a server runs programs as the user who serves.
    ...(!isTenant && { servers: createConsoleServers(toolpact, request) }),
  })
  const rest = createRest(toolpact, { version, allowsPublic, asking, onFault: toFaultPrinter(request) })
  return { console, surfaces: [createMcpHttp(toolpact, { info, asking, catalogue, tasks, peers }), rest, console] }
}

/** Room for the largest input of the tools that are known so far, and of the limits in the config. */
export async function findBodyBytes({ catalog, config }: Toolpact): Promise<number> {
  const { entries } = await catalog.within(0)
  // Tools of servers are not known yet, so limits from the config are included.
  const bytes = [...entries.map(({ tool }) => tool.contract.limits.inputBytes), ...findInputBytes(config)]
  return Math.max(4_194_304, ...bytes.map((most) => most + 1_048_576))
}

/** All `inputBytes` settings in the config. */
function findInputBytes({ limits, mcpServers }: Config): number[] {
  const found: number[] = []
  JSON.stringify([limits, mcpServers], (key, value) => {
    if (key === 'inputBytes' && typeof value === 'number') found.push(value)
    return value
  })
  return found
}

/** A harmless sample call from the examples of the contracts. */
function findExample(entries: Entries): { name: string; input: JsonObject } | undefined {
  for (const { name, tool } of entries) {
    const { risk, approval, status, examples } = tool.contract
    const example = examples.find(({ error, given }) => error === undefined && given === undefined)
    if (example && risk === 'read_only' && approval === 'never' && status === 'active') return { name, input: example.input } // biome-ignore format: one line
  }
  return undefined
}

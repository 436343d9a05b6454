import { openToolpact } from '../../src/app/app.ts'
import { proposeGrants, toOfferedGrants } from '../../src/app/isolation/propose-grants.ts'
import { describeGrants, type Grants } from '../../src/host/lock/grants.ts'
import { openRealFolder } from './real-folder.ts'
import { type RealServer, realServers } from './servers.ts'

/** How a real server fares in the sandbox, with what `toolpact mcp add` proposes for it. */
export interface Confined {
  readonly server: RealServer
  /** In words; `{folder}` stands for the folder that it works in. */
  readonly may: string
  /** Undefined if it works: it starts, lists its tools and answers its call. */
  readonly fault?: string
}

const startupMs = 120_000

/** Tries all servers of the list, one after the other. */
export async function tryConfined(): Promise<Confined[]> {
  const real = openRealFolder()
  try {
    const tried: Confined[] = []
    for (const server of realServers) tried.push(await tryOne(server, real))
    return tried
  } finally {
    real.close()
  }
}

async function tryOne(
  server: RealServer,
  { folder, inFolder, toEntry }: ReturnType<typeof openRealFolder>,
): Promise<Confined> {
  // As users write it: without a folder to run in.
  const { cwd: _, ...plain } = toEntry(server)
  const entry = { ...plain, startupMs, withoutOutputSchema: 'opaque' as const, approval: 'reads' as const }
  const signal = AbortSignal.timeout(startupMs)
  const proposal = await proposeGrants(server.name, entry, { workspace: folder, folder: undefined, signal })
  if ('reason' in proposal) return { server, may: '', fault: proposal.reason }
  const grants = toOfferedGrants(proposal.offers.filter(({ isClaim }) => !isClaim))
  const may = describeGrants(grants).replaceAll(folder, '{folder}')
  const toolpact = await openToolpact({
    config: { mcpServers: { [server.name]: { ...entry, ...toSettings(grants) } } },
    toolsets: [server.name],
    workspace: folder,
    storage: 'memory',
    approver: async () => ({ answer: 'yes', by: 'a test' }),
  })
  try {
    const [status] = await toolpact.upstreams.statuses()
    if (status?.state !== 'ready') return { server, may, fault: status?.fault ?? 'It did not start.' }
    if (status.isolation?.state !== 'confined') return { server, may, fault: `It is ${status.isolation?.state}.` }
    if (!server.call) return { server, may }
    const result = await toolpact.call(`${server.name}.${server.call.tool}`, inFolder(server.call.input))
    if (!result.success) return { server, may, fault: toFault(result.error).replaceAll(folder, '{folder}') }
    return JSON.stringify(result).includes(server.call.says) ? { server, may } : { server, may, fault: 'Its answer differs.' } // biome-ignore format: one line
  } finally {
    await toolpact.close()
  }
}

/** With what would help, which is what its operator reads. */
function toFault({ message, suggestion }: { readonly message: string; readonly suggestion?: string }): string {
  return `${message} ${suggestion ?? ''}`.trim()
}

function toSettings({ read, write, network }: Grants) {
  return { read: [...read], write: [...write], network: typeof network === 'string' ? network : [...network] }
}

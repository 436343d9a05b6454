import { openToolpact } from '../../src/app/app.ts'
import type { UpstreamStatus } from '../../src/host/upstream.ts'
import { openRealFolder } from './real-folder.ts'
import { type RealServer, realServers } from './servers.ts'

/** Every server of the list behind one host, as its config has them. Gives them once each is ready or has failed. */
export async function openRealServers() {
  const { folder, inFolder, toEntry, close } = openRealFolder()
  const toSettled = (server: RealServer) => ({
    ...toEntry(server),
    // All start at once, on whatever machine this is.
    startupMs: 120_000,
    withoutOutputSchema: 'opaque' as const,
    approval: 'reads' as const,
    ...(server.protocol && { protocol: server.protocol }),
  })
  const toolpact = await openToolpact({
    config: { mcpServers: Object.fromEntries(realServers.map((server) => [server.name, toSettled(server)])) },
    toolsets: realServers.map(({ name }) => name),
    workspace: folder,
    storage: 'memory',
    start: 'eager',
    approver: async () => ({ answer: 'yes', by: 'a test' }),
  })
  const statuses = new Map((await toolpact.upstreams.statuses()).map((status) => [status.name, status]))
  return {
    toolpact,
    statusOf: (name: string): UpstreamStatus => statuses.get(name)!,
    call: ({ name, call }: RealServer) => toolpact.call(`${name}.${call!.tool}`, inFolder(call!.input)),
    async close() {
      await toolpact.close()
      close()
    },
  }
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openToolpact } from '../../src/app.ts'
import type { UpstreamStatus } from '../../src/upstream/upstream.ts'
import { findProgram } from './installed.ts'
import { type RealServer, realServers } from './servers.ts'

/** Every server of the list behind one host, as its config has them. Gives them once each is ready or has failed. */
export async function openRealServers() {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-real-'))
  writeFileSync(join(folder, 'note.md'), 'A small note\n')
  writeFileSync(join(folder, 'drawing.xml'), '<mxfile><diagram id="a" name="A small page"></diagram></mxfile>')
  const inFolder = <Value>(value: Value): Value =>
    JSON.parse(JSON.stringify(value).replaceAll('{folder}', JSON.stringify(folder).slice(1, -1)))
  const toEntry = (server: RealServer) => ({
    command: process.execPath,
    args: [findProgram(server.package), ...inFolder(server.args ?? [])],
    env: inFolder(server.env ?? {}),
    cwd: folder,
    // All start at once, on whatever machine this is.
    startupMs: 120_000,
    withoutOutputSchema: 'opaque' as const,
    ...(server.protocol && { protocol: server.protocol }),
  })
  const toolpact = await openToolpact({
    config: { mcpServers: Object.fromEntries(realServers.map((server) => [server.name, toEntry(server)])) },
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
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

import { toRecordedRefusal } from '../../app/isolation/record-isolation.ts'
import { printable } from '../../contract/text/printable.ts'
import type { Attempt } from '../../host/connect/confinement.ts'
import type { UpstreamStatus } from '../../host/upstream.ts'
import type { Ledger } from '../../runtime/storage/storage.ts'
import { describeIsolation, describeRefused } from '../../surfaces/console/isolation-words.ts'
import { type Line, paint } from '../terminal/terminal.ts'

const maxEntries = 5000
const maxAttempts = 10

/** What servers tried beyond their grants, from the newest entries of the ledger; newest first, by server. */
export async function readAttempts(ledger: Pick<Ledger, 'read'>): Promise<ReadonlyMap<string, readonly Attempt[]>> {
  const found = new Map<string, Map<string, Attempt>>()
  for (const { record } of await ledger.read({ last: maxEntries })) {
    const refused = toRecordedRefusal(record)
    if (!refused) continue
    const { server, at, ...what } = refused
    const ofServer = found.get(server) ?? new Map<string, Attempt>()
    found.set(server, ofServer)
    const key = JSON.stringify(what)
    const count = (ofServer.get(key)?.count ?? 0) + 1
    ofServer.delete(key)
    ofServer.set(key, { ...what, at, count } as Attempt)
  }
  return new Map([...found].map(([server, attempts]) => [server, [...attempts.values()].reverse()]))
}

/** What a server may touch, what it tried beyond that, and the commands that change it. */
export function toIsolationLines({ name, isolation }: UpstreamStatus, attempts: readonly Attempt[] = []): Line[] {
  if (!isolation) return []
  const isConfined = isolation.state === 'confined'
  const about = printable(describeIsolation(isolation))
  const tried = attempts.slice(0, maxAttempts).map((attempt) => describeRefused(name, attempt))
  return [
    isConfined ? `  ${about}` : paint('yellow', `  ${about}`),
    ...(tried.length > 0 ? [paint('yellow', '  It tried beyond that:')] : []),
    ...tried.flatMap(({ text, command }) => [`    ${printable(text)}`, paint('dim', `      Allow it: ${printable(command)}`)]), // biome-ignore format: one line
    ...(isConfined ? [paint('dim', `  Change it: toolpact mcp grant ${name} --read DIR, toolpact mcp revoke ${name}`)] : []), // biome-ignore format: one line
  ]
}

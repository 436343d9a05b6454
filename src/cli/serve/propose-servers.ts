import type { ProposeOptions } from '../../app/isolation/propose-grants.ts'
import { shorten } from '../../contract/text/shorten.ts'
import type { ChosenGrants, ProposedServer } from '../../surfaces/console/api/servers.ts'
import { describeServer } from '../mcp/describe-server.ts'
import type { Candidate } from '../mcp/to-candidates.ts'

/** How many servers are started at the same time, and for how long. */
const maxStarts = 4
const startMs = 300_000
const maxReason = 500

/** What servers want that were pasted into the console. */
export async function proposeServers(
  offered: readonly Candidate[],
  options: ProposeOptions,
): Promise<readonly ProposedServer[]> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(startMs)])
  const proposed: ProposedServer[] = []
  for (let at = 0; at < offered.length && !signal.aborted; at += maxStarts) {
    const some = offered.slice(at, at + maxStarts)
    proposed.push(...(await Promise.all(some.map((each) => proposeServer(each, { ...options, signal })))))
  }
  return proposed
}

async function proposeServer({ name, entry }: Candidate, options: ProposeOptions): Promise<ProposedServer> {
  const about = { name, address: describeServer(entry) }
  if (entry.command === undefined) return { ...about, note: 'It runs elsewhere, and cannot be confined here.' }
  if (entry.disabled === true) return { ...about, note: 'It is disabled, and was not started.' }
  const { proposeGrants } = await import('../../app/isolation/propose-grants.ts')
  const proposal = await proposeGrants(name, entry, options)
  if (!('reason' in proposal)) return { ...about, offers: proposal.offers }
  const { state, reason, suggestion } = proposal
  if (state === 'failed') return { ...about, note: `It did not start confined: ${shorten(reason, maxReason)}` }
  return { ...about, note: `Nothing confines servers here: ${reason}. To change that: ${suggestion ?? ''}` }
}

/** An entry with what a person chose. */
export function withGrants(candidate: Candidate, grants: ChosenGrants | undefined): Candidate {
  if (!grants || candidate.entry.command === undefined) return candidate
  const { read, write, network } = grants
  const members = { read: [...read], write: [...write], network: network.length > 0 ? [...network] : 'none' }
  return { ...candidate, entry: { ...candidate.entry, ...members } }
}

import type { UpstreamClient } from './connect/client.ts'
import { toFailure } from './faults.ts'

/** The first ping may wait for other work of the server. */
const maxPings = 3

/** The shortest round trip of a few pings, in milliseconds; undefined if the server does not answer. Never rejects. */
export async function measureClient(client: UpstreamClient, pingMs: number): Promise<number | undefined> {
  const times: number[] = []
  while (times.length < maxPings) {
    const begun = performance.now()
    const failure = await client.ping(AbortSignal.timeout(pingMs)).then(() => undefined, toFailure)
    // A server that rejects pings is alive.
    if (failure && failure.kind !== 'refused') break
    times.push(performance.now() - begun)
  }
  return times.length === 0 ? undefined : Math.min(...times)
}

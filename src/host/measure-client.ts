import type { UpstreamClient } from './connect/client.ts'
import { toFailure } from './faults.ts'

/** The first one may wait for what the server still has to do. */
const maxPings = 3

/** Milliseconds until a server answers a ping, the fastest of a few; undefined where it does not answer. Never rejects. */
export async function measureClient(client: UpstreamClient, pingMs: number): Promise<number | undefined> {
  const times: number[] = []
  while (times.length < maxPings) {
    const begun = performance.now()
    const failure = await client.ping(AbortSignal.timeout(pingMs)).then(() => undefined, toFailure)
    // One that refuses is there too.
    if (failure && failure.kind !== 'refused') break
    times.push(performance.now() - begun)
  }
  return times.length === 0 ? undefined : Math.min(...times)
}

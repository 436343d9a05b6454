import type { HeapProfiler } from 'node:inspector'
import { Session } from 'node:inspector/promises'

/** What a call of `run` allocates on the heap of this process, in bytes, whether or not it is collected meanwhile. */
export async function measureAllocated(run: () => unknown, calls: number): Promise<number> {
  const session = new Session()
  session.connect()
  try {
    await session.post('HeapProfiler.startSampling', {
      samplingInterval: 1024,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    })
    for (let count = 0; count < calls; count++) await run()
    const { profile } = await session.post('HeapProfiler.stopSampling')
    return sum(profile.head) / calls
  } finally {
    session.disconnect()
  }
}

function sum({ selfSize, children }: HeapProfiler.SamplingHeapProfileNode): number {
  return children.reduce((total, child) => total + sum(child), selfSize)
}

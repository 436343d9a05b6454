import { performance } from 'node:perf_hooks'
import type { Reading } from './metrics.ts'

/** Reads the basics of this process. */
export function createProcessReader(): () => readonly Reading[] {
  let before = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    const { user, system } = process.cpuUsage()
    return [
      { name: 'process.cpu.time', value: (user + system) / 1e6 },
      { name: 'process.memory.usage', value: process.memoryUsage.rss() },
      { name: 'process.start_time', value: Math.round(Date.now() / 1000 - process.uptime()) },
      { name: 'nodejs.eventloop.utilization', value: utilization },
    ]
  }
}

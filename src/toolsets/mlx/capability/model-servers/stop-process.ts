import { setTimeout as wait } from 'node:timers/promises'
import { isSameProcess, type ProcessId } from './process-id.ts'

const pollMs = 20

/** Stops a process group. mlx_lm.server handles the first signal; the others are for programs that ignore it. */
export async function stopProcess(leader: ProcessId, graceMs: number): Promise<void> {
  for (const [signal, patienceMs] of [
    ['SIGINT', graceMs / 2],
    ['SIGTERM', graceMs / 4],
    ['SIGKILL', graceMs],
  ] as const) {
    if (!isSameProcess(leader)) break
    signalGroup(leader.pid, signal)
    await awaitEnd(leader, patienceMs)
  }
  // Processes that the group leader left behind.
  signalGroup(leader.pid, 'SIGKILL')
}

/** Does nothing if the process is gone. */
export function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? leader : -leader, signal)
  } catch {}
}

async function awaitEnd(leader: ProcessId, timeoutMs: number): Promise<void> {
  const end = performance.now() + timeoutMs
  while (isSameProcess(leader) && performance.now() < end) await wait(pollMs)
}

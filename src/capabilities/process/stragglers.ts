import { readdirSync, readFileSync } from 'node:fs'

/** Environment variable that marks every process of a run, even in another session. */
export const runVariable = 'TOOLPACT_RUN'

/**
 * Kills processes that left their run's process group but still carry its mark. Linux only: other systems do not reveal
 * it. A process that also cleared its environment escapes; the sandbox prevents that.
 */
export function endStragglers(run: string): void {
  if (process.platform !== 'linux') return
  for (let round = 0; round < 5; round++) {
    const found = findMarked(`${runVariable}=${run}`)
    if (found.length === 0) return
    for (const id of found) {
      try {
        process.kill(id, 'SIGKILL')
      } catch {}
    }
  }
}

function findMarked(mark: string): number[] {
  const processes = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return processes.filter((id) => {
    try {
      return id !== process.pid && readFileSync(`/proc/${id}/environ`, 'latin1').split('\0').includes(mark)
    } catch {
      return false
    }
  })
}

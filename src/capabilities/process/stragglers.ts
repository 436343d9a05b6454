import { readdirSync, readFileSync } from 'node:fs'

/** The variable that marks everything that a run started, whatever session it has moved to. */
export const runVariable = 'TOOLPACT_RUN'

/**
 * Kills what left its run's process group but still carries its mark. Linux only: elsewhere nothing tells whose child
 * a process was. One that also wiped its environment escapes; against that there is the sandbox.
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

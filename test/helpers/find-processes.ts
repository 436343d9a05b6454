import { execFileSync } from 'node:child_process'

/** Processes of any namespace whose command contains the mark. */
export function findProcesses(mark: string): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,stat=,args='], { encoding: 'utf8' }).split('\n')
  const own = lines.filter((line) => line.includes(mark) && !/^\s*\d+\s+Z/.test(line))
  return own.map((line) => Number.parseInt(line, 10))
}

/** Processes that this one has started and that still run, such as the workers of a primary. */
export function findChildren(parent: number): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  return rows.map((row) => row.trim().split(/\s+/).map(Number)).flatMap(([pid, ppid]) => (ppid === parent ? [pid!] : [])) // biome-ignore format: one line
}

import { execFileSync } from 'node:child_process'

/** Processes of any namespace whose command contains the mark. */
export function findProcesses(mark: string): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,stat=,args='], { encoding: 'utf8' }).split('\n')
  const own = lines.filter((line) => line.includes(mark) && !/^\s*\d+\s+Z/.test(line))
  return own.map((line) => Number.parseInt(line, 10))
}

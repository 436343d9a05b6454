import { execFile } from 'node:child_process'

/** Signals a whole process group, so that what a child started goes with it. Nothing happens where it is gone. */
export function signalGroup(leader: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    // Windows has trees of processes instead, and no polite way to end one without a window.
    if (process.platform === 'win32') execFile('taskkill', ['/pid', String(leader), '/t', '/f'], () => {})
    else process.kill(-leader, signal)
  } catch {}
}

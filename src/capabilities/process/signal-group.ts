import { spawn } from 'node:child_process'

/** Signals a whole process group, so that what a child started goes with it. Nothing happens where it is gone. */
export function signalGroup(leader: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (process.platform === 'win32') {
    const force = signal === 'SIGKILL' ? ['/f'] : []
    spawn('taskkill', ['/pid', String(leader), '/t', ...force], { stdio: 'ignore', windowsHide: true }).on(
      'error',
      () => {},
    )
    return
  }
  try {
    process.kill(-leader, signal)
  } catch {}
}

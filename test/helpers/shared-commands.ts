import { type ChildProcess, fork } from 'node:child_process'
import type { Ended, Line } from '../processes/command-process.ts'

/** How long a command waits for a free process before another one is started. */
const patienceMs = 1000

const idle: ChildProcess[] = []
const waiting: ((child: ChildProcess | undefined) => void)[] = []
let count = 0

/** Runs a command line in a reused process: see test/processes/command-process.ts. */
export async function runShared(program: string, line: Line): Promise<Ended> {
  const child = takeIdle() ?? (count > 0 ? await waitForOne() : undefined) ?? start(program)
  const hang = setTimeout(() => child.kill('SIGKILL'), 50_000)
  const ended = await new Promise<Ended>((resolve) => {
    child.removeAllListeners('message')
    child.once('message', (answer) => resolve(answer as Ended))
    child.once('exit', (code) => resolve({ code, stdout: '', stderr: 'It ended its process.' }))
    child.send(line)
  })
  clearTimeout(hang)
  child.removeAllListeners('exit')
  if (child.connected) release(child)
  else count--
  return ended
}

function takeIdle(): ChildProcess | undefined {
  const child = idle.pop()
  if (!child || child.connected) return child
  count--
  return takeIdle()
}

function waitForOne(): Promise<ChildProcess | undefined> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    setTimeout(() => {
      const place = waiting.indexOf(resolve)
      if (place !== -1) waiting.splice(place, 1)[0]!(undefined)
    }, patienceMs)
  })
}

function release(child: ChildProcess): void {
  const next = waiting.shift()
  if (next) next(child)
  else idle.push(child)
}

/** It ends with this process. */
function start(program: string): ChildProcess {
  count++
  const child = fork(program, { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  child.unref()
  child.channel!.unref()
  return child
}

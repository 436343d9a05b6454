import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import { ToolError } from '../../contract/tool-error.ts'
import { type CapturedText, TextCapture } from './captured-text.ts'
import { withoutInherited } from './inherited-descriptors.ts'
import type { CommandLimits, LimitName } from './limits.ts'
import { endStragglers, runVariable } from './stragglers.ts'
import { watchUsage } from './watch-usage.ts'

export interface Launch {
  readonly program: string
  readonly arguments: readonly string[]
  readonly workingDirectory: string
  readonly environment: Readonly<Record<string, string>>
  /** What the child gets as descriptor 3: one that ends when we do, or one to report on. */
  readonly descriptor?: 'lifeline' | 'report'
  /** What the child reads from descriptor 4, to its end. */
  readonly input?: Buffer
  readonly verbatim?: boolean
}

export interface RunLimits {
  readonly timeoutMs: number
  /** Between TERM and KILL. */
  readonly graceMs: number
  /** Kept of each stream. */
  readonly maxBytes: number
  readonly signal: AbortSignal | undefined
  /** What all processes of the child may use together. */
  readonly usage?: CommandLimits
}

export interface RunOutcome {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  /** Why it ended: by itself, by a signal from elsewhere, or by us. */
  readonly ended: 'exit' | 'signal' | 'timeout' | 'aborted' | 'limit'
  /** The limit that its processes exceeded together. */
  readonly limit?: LimitName
  readonly stdout: CapturedText
  readonly stderr: CapturedText
  readonly durationMs: number
  /** What the child wrote to its descriptor 3, if that is one to report on. */
  readonly report: string
}

/** How long a silent stream is awaited once the command itself is gone: somebody else may hold the pipe for ever. */
const silenceMs = 250
/** How long one that still speaks is. */
const drainMs = 2000
const maxReportBytes = 65_536

/** Runs a program in a process group of its own. When this returns, nothing of the group is left. */
export async function runCommand(launch: Launch, limits: RunLimits): Promise<RunOutcome> {
  limits.signal?.throwIfAborted()
  const run = randomUUID()
  const start = performance.now()
  const child = await launchChild(launch, run)
  const leader = child.pid!
  const [stdout, stderr] = [child.stdout!, child.stderr!].map((stream) => {
    const capture = new TextCapture(limits.maxBytes)
    stream.on('data', (chunk: Buffer) => capture.push(chunk))
    return capture
  }) as [TextCapture, TextCapture]
  const report = new TextCapture(maxReportBytes)
  if (launch.descriptor === 'report') (child.stdio[3] as Socket).on('data', (chunk: Buffer) => report.push(chunk))
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  const streams = [child.stdout!, child.stderr!, ...(launch.descriptor === 'report' ? [child.stdio[3] as Socket] : [])]
  const closed = Promise.all(streams.map((stream) => once(stream, 'close')))
  const ender = new Ender(leader, limits)
  let limit: LimitName | undefined
  const stopWatching =
    limits.usage &&
    watchUsage(leader, limits.usage, (exceeded) => {
      limit = exceeded
      signalGroup(leader, 'SIGKILL')
    })
  try {
    const [exitCode, signal] = await exited
    const durationMs = Math.round(performance.now() - start)
    await drain(child, closed)
    const ended = ender.reason ?? (limit ? 'limit' : signal ? 'signal' : 'exit')
    signalGroup(leader, 'SIGKILL')
    endStragglers(run)
    await drain(child, closed)
    return {
      exitCode,
      signal,
      ended,
      ...(limit !== undefined && { limit }),
      stdout: stdout.toCaptured(),
      stderr: stderr.toCaptured(),
      durationMs,
      report: report.toCaptured().text,
    }
  } finally {
    ender.cancel()
    stopWatching?.()
    for (const stream of child.stdio) stream?.destroy()
  }
}

/** Ends the group when the time is over or the caller gives up: politely at first. */
class Ender {
  reason: 'timeout' | 'aborted' | undefined
  readonly #leader: number
  readonly #limits: RunLimits
  readonly #timer: NodeJS.Timeout
  #killer: NodeJS.Timeout | undefined

  constructor(leader: number, limits: RunLimits) {
    this.#leader = leader
    this.#limits = limits
    this.#timer = setTimeout(() => this.#end('timeout'), limits.timeoutMs)
    limits.signal?.addEventListener('abort', this.#abort)
  }

  #abort = () => this.#end('aborted')

  #end(reason: 'timeout' | 'aborted'): void {
    if (this.reason) return
    this.reason = reason
    signalGroup(this.#leader, 'SIGTERM')
    this.#killer = setTimeout(() => signalGroup(this.#leader, 'SIGKILL'), this.#limits.graceMs)
  }

  cancel(): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#killer)
    this.#limits.signal?.removeEventListener('abort', this.#abort)
  }
}

async function launchChild(launch: Launch, run: string): Promise<ChildProcess> {
  try {
    const child = spawn(launch.program, launch.arguments, {
      cwd: launch.workingDirectory,
      env: { ...launch.environment, [runVariable]: run },
      stdio: withoutInherited([
        ...(['ignore', 'pipe', 'pipe'] as const),
        launch.descriptor ? 'pipe' : 'ignore',
        launch.input ? 'pipe' : 'ignore',
      ]),
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: launch.verbatim,
    })
    // It is there to be broken off when the group ends.
    child.stdio[3]?.on('error', () => {})
    const input = child.stdio[4] as Socket | null
    input?.on('error', () => {}).end(launch.input ?? '')
    await once(child, 'spawn')
    return child
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reason =
      code === 'E2BIG' ? 'it is too long' : code === 'ERR_INVALID_ARG_VALUE' ? 'it contains a NUL character' : code
    throw new ToolError('command_failed', `Cannot run the command: ${reason}`, {
      suggestion: 'Shorten or correct the command. If that is not it, ask the operator to check the shell.',
      cause: error,
    })
  }
}

async function drain({ stdout, stderr }: ChildProcess, closed: Promise<unknown>): Promise<void> {
  const count = () => (stdout as Socket).bytesRead + (stderr as Socket).bytesRead
  let isClosed = false
  closed.then(() => {
    isClosed = true
  })
  const end = performance.now() + drainMs
  for (let before = -1; !isClosed && performance.now() < end && before !== count(); ) {
    before = count()
    await Promise.race([closed, delay(silenceMs, undefined, { ref: false })])
    // A timer may come before output that is there already.
    await turn()
  }
}

/** Signals a whole process group, so that what a child started goes with it. Nothing happens where it is gone. */
function signalGroup(leader: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    // Windows has trees of processes instead, and no polite way to end one without a window.
    if (process.platform === 'win32') execFile('taskkill', ['/pid', String(leader), '/t', '/f'], () => {})
    else process.kill(-leader, signal)
  } catch {}
}

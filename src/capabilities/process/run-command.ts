import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import { ToolError } from '../../contract/tool-error.ts'
import { type CapturedText, TextCapture } from './captured-text.ts'
import { withoutInherited } from './inherited-descriptors.ts'
import type { CommandLimits, LimitName } from './limits.ts'
import { watchUsage } from './watch-usage.ts'

/** Environment variable that marks every process of a run, even in another session. */
const runVariable = 'TOOLPACT_RUN'

export interface Launch {
  readonly program: string
  readonly arguments: readonly string[]
  readonly workingDirectory: string
  readonly environment: Readonly<Record<string, string>>
  /** The child's descriptor 3: closes when this process ends, or carries the child's report. */
  readonly descriptor?: 'lifeline' | 'report'
  /** Sent to the child on descriptor 4, then closed. */
  readonly input?: Uint8Array | undefined
  readonly verbatim?: boolean
}

export interface RunLimits {
  readonly timeoutMs: number
  /** Between TERM and KILL. */
  readonly graceMs: number
  /** Limit for each stream. */
  readonly maxBytes: number
  readonly signal: AbortSignal | undefined
  /** Limits on all processes of the child together. */
  readonly usage?: CommandLimits | undefined
  /** Receives the output of both streams as it arrives. Exceptions are ignored. */
  readonly onOutput?: ((text: string) => void) | undefined
}

export interface RunOutcome {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  /** Why it ended: by itself, by a foreign signal, or by us. */
  readonly ended: 'exit' | 'signal' | 'timeout' | 'aborted' | 'limit'
  /** The limit that its processes exceeded together. */
  readonly limit?: LimitName
  readonly stdout: CapturedText
  readonly stderr: CapturedText
  readonly durationMs: number
  /** What the child wrote to descriptor 3, if that is for reports. */
  readonly report: string
}

/** After the command exits, wait this long for a silent stream: another process may hold the pipe open forever. */
const silenceMs = 250
/** Wait this long for a stream that is still active. */
const drainMs = 2000
const maxReportBytes = 65_536

/** Runs a program in its own process group. When this returns, the group is gone. */
export async function runCommand(launch: Launch, limits: RunLimits): Promise<RunOutcome> {
  limits.signal?.throwIfAborted()
  const run = randomUUID()
  const start = performance.now()
  const child = await launchChild(launch, run)
  const leader = child.pid!
  const [stdout, stderr] = [child.stdout!, child.stderr!].map((stream) => {
    const capture = new TextCapture(limits.maxBytes)
    stream.on('data', (chunk: Buffer) => capture.push(chunk))
    if (limits.onOutput) pass(stream, limits.onOutput)
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

function pass(stream: Readable, onOutput: (text: string) => void): void {
  const decoder = new StringDecoder('utf8')
  stream.on('data', (chunk: Buffer) => {
    try {
      onOutput(decoder.write(chunk))
    } catch {}
  })
}

/** Ends the group on timeout or abort: SIGTERM first, then SIGKILL. */
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
    // Breaks when the group ends, as intended.
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
      suggestion: 'Shorten or correct the command, or ask the operator to check the shell.',
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
    // A timer may fire before output that has already arrived is read.
    await turn()
  }
}

/** Signals a whole process group, so that the child's own children get it too. No-op if the group is gone. */
function signalGroup(leader: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    // Windows has process trees instead, and no graceful way to end one without a window.
    if (process.platform === 'win32') execFile('taskkill', ['/pid', String(leader), '/t', '/f'], () => {})
    else process.kill(-leader, signal)
  } catch {}
}

/**
 * Kills processes that left their run's process group but still carry its mark. Linux only: other systems do not reveal
 * it. A process that also cleared its environment escapes; the sandbox prevents that.
 */
function endStragglers(run: string): void {
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

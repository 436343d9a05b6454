import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, fstatSync, mkdirSync, openSync, readSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { printable } from '../../../../contract/text/printable.ts'
import { ToolError } from '../../../../contract/tool-error.ts'
import { decideEnvironment } from '../../../../policy/environment.ts'
import type { DriverSettings } from './driver.ts'

export interface Launched {
  readonly pid: number
  readonly ended: Promise<End>
  /** Lets this process end before it. */
  release(): void
}

export interface End {
  /** Null where a signal ended it. */
  readonly code: number | null
  /** The code or the signal, for people. */
  readonly how: string
  /** What it said last. */
  readonly words: string
}

interface LaunchOptions extends Pick<DriverSettings, 'directory' | 'environment' | 'keepEnvironment'> {
  /** The file that its output goes to: a pipe would break when this process ends. */
  readonly log: string
  readonly keep?: readonly string[]
}

/** Starts a program, without a shell, in a process group of its own that outlives us. */
export async function launch(command: readonly string[], options: LaunchOptions): Promise<Launched> {
  const { log, directory, environment, keepEnvironment = [], keep = [] } = options
  const [program = '', ...words] = command
  mkdirSync(dirname(log), { recursive: true, mode: 0o700 })
  // One that was started before may still write to the old one.
  rmSync(log, { force: true })
  const output = openSync(log, 'ax', 0o600)
  try {
    const child = spawn(program, words, {
      cwd: directory,
      env: decideEnvironment(environment, [...keepEnvironment, ...keep]).kept,
      stdio: ['ignore', output, output],
      detached: true,
      windowsHide: true,
    })
    // The promise rejects where it cannot be started, and then nobody waits for it.
    const exited = once(child, 'exit')
    exited.catch(() => {})
    await once(child, 'spawn')
    const ended = exited.then(([code, signal]) => ({ code, how: toHow(code, signal), words: readEnd(log) }))
    return { pid: child.pid!, ended, release: () => child.unref() }
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'was not found' : `cannot be started (${code})`
    throw new ToolError('launch_failed', `${printable(program)} ${why}.`, {
      suggestion: 'Ask the operator to install it, or to say in mlxctl.command of the config how it is called.',
      cause,
    })
  } finally {
    closeSync(output)
  }
}

function toHow(code: number | null, signal: NodeJS.Signals | null): string {
  return code === null ? String(signal) : `exit code ${code}`
}

const maxBytes = 4096

function readEnd(log: string): string {
  const file = openSync(log, 'r')
  try {
    const { size } = fstatSync(file)
    const bytes = Buffer.alloc(Math.min(size, maxBytes))
    readSync(file, bytes, 0, bytes.length, size - bytes.length)
    return bytes.toString().trim()
  } finally {
    closeSync(file)
  }
}

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
  /** Allows this process to exit first. */
  release(): void
}

export interface End {
  /** Null if it was killed by a signal. */
  readonly code: number | null
  /** The exit code or signal, for messages. */
  readonly how: string
  /** The end of its output. */
  readonly words: string
}

interface LaunchOptions extends Pick<DriverSettings, 'directory' | 'environment' | 'keepEnvironment'> {
  /** The file for its output: a pipe would break when this process exits. */
  readonly log: string
  readonly keep?: readonly string[]
}

/** Starts a program without a shell, in its own process group, which outlives this process. */
export async function launch(command: readonly string[], options: LaunchOptions): Promise<Launched> {
  const { log, directory, environment, keepEnvironment = [], keep = [] } = options
  const [program = '', ...words] = command
  mkdirSync(dirname(log), { recursive: true, mode: 0o700 })
  // An earlier server may still write to the old file.
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
    // Avoids an unhandled rejection: if the start fails, nothing awaits this promise.
    const exited = once(child, 'exit')
    exited.catch(() => {})
    await once(child, 'spawn')
    const ended = exited.then(([code, signal]) => ({ code, how: toHow(code, signal), words: readEnd(log) }))
    return { pid: child.pid!, ended, release: () => child.unref() }
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'was not found' : `cannot be started (${code})`
    throw new ToolError('launch_failed', `${printable(program)} ${why}.`, {
      suggestion: 'Ask the operator to install it, or to set mlxctl.command in the config.',
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

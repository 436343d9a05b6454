import { spawn } from 'node:child_process'
import { decideEnvironment } from '../../policy/environment.ts'
import type { Deliver, Notice } from './open-notifier.ts'

interface Hook {
  /** A program and its arguments. */
  readonly command: readonly string[]
  readonly keepEnvironment: readonly string[] | undefined
  readonly signal: AbortSignal
}

const timeoutMs = 30_000

/** Programs that notify people need the desktop session, which commands of tools do not get. */
const desktop = ['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS']

/** Runs the operator's program once, without a shell. What it prints is dropped. */
export function runHook(notice: Notice, { command, keepEnvironment = [], signal }: Hook): ReturnType<Deliver> {
  const [program = '', ...args] = command
  const { kept } = decideEnvironment(process.env, [...keepEnvironment, ...desktop])
  return new Promise((resolve) => {
    // A group of its own, so that what it starts ends with it.
    const child = spawn(program, args, { env: { ...kept, ...toVariables(notice) }, stdio: 'ignore', detached: true })
    const fail = (fault: string) => resolve({ fault, isFinal: true })
    const kill = () => {
      try {
        process.kill(-child.pid!, 'SIGKILL')
      } catch {
        // It has ended.
      }
    }
    const timer = setTimeout(() => {
      kill()
      fail(`${program} did not end within ${timeoutMs / 1000} s`)
    }, timeoutMs)
    const stop = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', kill)
    }
    signal.addEventListener('abort', kill, { once: true })
    child.once('error', (cause: NodeJS.ErrnoException) => {
      stop()
      fail(cause.code === 'ENOENT' ? `${program} was not found` : cause.message)
    })
    child.once('exit', (code, killedBy) => {
      stop()
      if (code === 0) resolve(undefined)
      else fail(`${program} ended with ${killedBy ?? `exit code ${code}`}`)
    })
  })
}

function toVariables({ id, tool, risk, caller, workspace, link }: Notice): { [name: string]: string } {
  return {
    TOOLPACT_QUESTION_ID: id,
    TOOLPACT_QUESTION_TOOL: tool,
    TOOLPACT_QUESTION_RISK: risk,
    TOOLPACT_QUESTION_CALLER: caller,
    TOOLPACT_QUESTION_WORKSPACE: workspace,
    TOOLPACT_QUESTION_LINK: link ?? '',
    TOOLPACT_QUESTION_TEXT: `${tool} (${risk}) by ${caller} in ${workspace} needs approval.`,
  }
}

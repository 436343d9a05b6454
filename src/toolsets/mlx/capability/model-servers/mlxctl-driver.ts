import { join } from 'node:path'
import { printable } from '../../../../contract/text/printable.ts'
import { ToolError } from '../../../../contract/tool-error.ts'
import type { Driver, DriverSettings } from './driver.ts'
import { type End, launch } from './launch.ts'
import { signalGroup, stopProcess } from './stop-process.ts'
import { toSaid } from './to-said.ts'
import { isUnknownModel, toUnknownModel } from './to-unknown-model.ts'

/** Time limit of `mlxctl unload`. */
const unloadMs = 60_000

/** Runs the mlxctl command, locally or over ssh. */
export function openMlxctlDriver(settings: DriverSettings): Driver {
  const { command = ['mlxctl'], ssh, directory, graceMs } = settings

  /**
   * Servers that mlxctl started keep running. A cancelled mlxctl gets time to exit on its own: killed midway, it could
   * leave a server that it does not know about, and over ssh it would not even notice.
   */
  async function run(words: readonly [string, ...string[]], port: number, signal: AbortSignal): Promise<End> {
    const log = join(directory, `${port}.mlxctl-${words[0]}.log`)
    // ssh needs its agent to authenticate.
    const keep = ['SSH_AUTH_SOCK', 'SSH_AGENT_PID']
    const { pid, ended } = await launch(overSsh([...command, ...words], ssh), { ...settings, log, keep })
    let timer: NodeJS.Timeout | undefined
    const callOff = () => {
      timer = setTimeout(signalGroup, graceMs, pid, 'SIGKILL')
    }
    if (signal.aborted) callOff()
    signal.addEventListener('abort', callOff, { once: true })
    try {
      return await ended
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', callOff)
    }
  }

  async function unload(port: number) {
    const end = await run(['unload', String(port)], port, AbortSignal.timeout(unloadMs))
    if (end.code !== 0) throw toUnloadFailure(port, end, ssh)
  }

  return {
    endsOthers: true,
    async start(model, port, signal) {
      const end = await run(['load', model, String(port)], port, signal)
      // It may have started something before it was killed.
      if (end.code === null) await unload(port).catch(() => {})
      if (end.code !== 0) throw toLoadFailure(model, { port, end, ssh })
      return { server: null, died: new Promise<never>(() => {}) }
    },
    // It may have been started while the other driver was configured.
    stop: (port, server) => (server ? stopProcess(server, graceMs) : unload(port)),
  }
}

/** ssh passes one string to the remote shell. */
function overSsh(words: readonly string[], ssh: string | undefined): readonly string[] {
  if (ssh === undefined) return words
  return ['ssh', '-o', 'BatchMode=yes', '-o', 'ConnectTimeout=15', '--', ssh, words.map(quoteForShell).join(' ')]
}

function toLoadFailure(model: string, { port, end, ssh }: { port: number; end: End; ssh: string | undefined }) {
  const { words } = end
  const said = toSaid('mlxctl', words)
  const whole = toWholeFailure(end, ssh)
  if (whole) return whole
  if (isUnknownModel(words, model)) return toUnknownModel(model, said)
  if (/busy|in use|already/i.test(words)) return new ToolError('port_busy', `Port ${port} is taken.${said}`)
  if (end.code === null) {
    return new ToolError('launch_failed', `mlxctl took too long to load ${printable(model)} and was stopped.${said}`, {
      suggestion:
        'Ask the operator to check the machine, or to allow more time with mlxctl.loadTimeoutMs in the config.',
    })
  }
  return new ToolError('launch_failed', `mlxctl could not load ${printable(model)} (${end.how}).${said}`, {
    suggestion: 'Check the message of mlxctl, or ask the operator to check the machine.',
  })
}

function toUnloadFailure(port: number, end: End, ssh: string | undefined): ToolError {
  const said = toSaid('mlxctl', end.words)
  const whole = toWholeFailure(end, ssh)
  if (whole) return whole
  if (/not (?:listening|running|loaded)|no (?:server|model|process)|nothing/i.test(end.words))
    return new ToolError('not_listening', `No model is loaded on port ${port}.${said}`)
  return new ToolError('launch_failed', `mlxctl could not unload port ${port} (${end.how}).${said}`)
}

/** Failures before mlxctl was started. */
function toWholeFailure({ code, words }: End, ssh: string | undefined): ToolError | undefined {
  if (code === 255 && ssh !== undefined) {
    return new ToolError('launch_failed', `ssh could not connect to ${printable(ssh)}.${toSaid('It', words)}`, {
      advice: 'If the connection was lost midway, stop what may be left with mlx.unload.',
      suggestion: 'Ask the operator to check mlxctl.ssh in the config, the ssh key, and that the machine is running.',
    })
  }
  if (code !== 126 && code !== 127) return undefined
  return new ToolError('launch_failed', `mlxctl cannot be run.${toSaid('The shell', words)}`, {
    suggestion: 'Ask the operator to install it there, or to set mlxctl.command in the config.',
  })
}

/**
 * Quotes a word for an unknown remote shell. Quotes and backslashes are placed outside of single quotes, because fish
 * interprets them inside; the rest is the same in every shell. `toShellWord` is for POSIX shells only.
 */
export function quoteForShell(word: string): string {
  return `'${word.replaceAll(/['\\]/g, (found) => (found === '\\' ? `'\\\\'` : `'"'"'`))}'`
}

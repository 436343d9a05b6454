import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { printable } from '../../contract/printable.ts'
import { ToolError } from '../../contract/tool-error.ts'
import type { Driver, DriverSettings } from './driver.ts'
import { type End, launch } from './launch.ts'
import { isSameProcess, type ProcessId, processId } from './process-id.ts'
import { tellWords } from './tell-words.ts'
import { tellsUnknownModel, toUnknownModel } from './to-unknown-model.ts'

/** How mlx_lm's own server is started. */
const usualCommand = ['mlx_lm.server', '--model', '{model}', '--host', '{host}', '--port', '{port}']
const pollMs = 20

/** Starts servers itself. */
export function openProcessDriver(settings: DriverSettings): Driver {
  const { command = usualCommand, host, directory, graceMs } = settings

  return {
    endsOthers: false,
    async start(model, port) {
      const values: Record<string, string> = { model, host, port: `${port}` }
      const words = command.map((word) => word.replaceAll(/\{(model|host|port)\}/g, (_, name) => values[name]!))
      const launched = await launch(words, { ...settings, log: join(directory, `${port}.log`) })
      const server = processId(launched.pid)
      launched.release()
      const died = launched.ended.then((end) => {
        throw toFailure(model, end)
      })
      // Nobody may be waiting for it any more.
      died.catch(() => {})
      return { server, died }
    },
    async stop(_port, server) {
      if (!server) return
      // The servers take the first as a wish to end; the others are for those that do not.
      for (const [signal, patienceMs] of [
        ['SIGINT', graceMs / 2],
        ['SIGTERM', graceMs / 4],
        ['SIGKILL', graceMs],
      ] as const) {
        if (!isSameProcess(server)) break
        signalGroup(server, signal)
        await awaitEnd(server, patienceMs)
      }
      // What the server left behind.
      signalGroup(server, 'SIGKILL')
    },
  }
}

function signalGroup({ pid }: ProcessId, signal: NodeJS.Signals) {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal)
  } catch {}
}

async function awaitEnd(server: ProcessId, timeoutMs: number): Promise<void> {
  const end = performance.now() + timeoutMs
  while (isSameProcess(server) && performance.now() < end) await wait(pollMs)
}

function toFailure(model: string, { how, words }: End): ToolError {
  const said = tellWords('It', words)
  if (tellsUnknownModel(words, model)) return toUnknownModel(model, said)
  return new ToolError('launch_failed', `The server of ${printable(model)} ended before it answered (${how}).${said}`, {
    suggestion: 'Try another model, or ask the operator to check mlx.command in the config.',
  })
}

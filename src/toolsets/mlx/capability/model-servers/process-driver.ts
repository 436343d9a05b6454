import { join } from 'node:path'
import { printable } from '../../../../contract/text/printable.ts'
import { ToolError } from '../../../../contract/tool-error.ts'
import type { Driver, DriverSettings } from './driver.ts'
import { type End, launch } from './launch.ts'
import { processId } from './process-id.ts'
import { stopProcess } from './stop-process.ts'
import { toSaid } from './to-said.ts'
import { isUnknownModel, toUnknownModel } from './to-unknown-model.ts'

/** The default command: the server of mlx_lm. */
const usualCommand = ['mlx_lm.server', '--model', '{model}', '--host', '{host}', '--port', '{port}']

/** Starts servers as child processes. */
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
      // Avoids an unhandled rejection: the caller may have given up.
      died.catch(() => {})
      return { server, died }
    },
    async stop(_port, server) {
      if (server) await stopProcess(server, graceMs)
    },
  }
}

function toFailure(model: string, { how, words }: End): ToolError {
  const said = toSaid('It', words)
  if (isUnknownModel(words, model)) return toUnknownModel(model, said)
  return new ToolError('launch_failed', `The server of ${printable(model)} ended before it answered (${how}).${said}`, {
    suggestion: 'Try another model, or ask the operator to check mlxctl.command in the config.',
  })
}

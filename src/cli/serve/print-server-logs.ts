import type { LogLevel } from '../../contract/call-client.ts'
import { printable } from '../../contract/text/printable.ts'
import { paint, type Terminal } from '../terminal/terminal.ts'

/** Lines per second. More cannot be read. */
const maxLines = 20

/** Prints log messages of MCP servers: server, level, text. Of a flood only the beginning is printed, and the rest counted. */
export function printServerLogs(terminal: Terminal): (server: string, level: LogLevel, text: string) => void {
  let began = 0
  let printed = 0
  let omitted = 0
  return (server, level, text) => {
    const now = performance.now()
    if (now - began >= 1000) {
      if (omitted > 0) terminal.log(paint('dim', `${omitted} more log messages of MCP servers were left out.`))
      began = now
      printed = 0
      omitted = 0
    }
    if (printed++ < maxLines) terminal.log([paint('dim', `${server} ${level}: `), printable(text)])
    else omitted++
  }
}

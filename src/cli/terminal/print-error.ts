import { inspect } from 'node:util'
import { printable } from '../../contract/text/printable.ts'
import { UsageError } from '../options/command.ts'
import { exitCodes } from './exit-codes.ts'
import { paint, type Terminal } from './terminal.ts'

interface TellOptions {
  readonly debug: boolean
  /** The command that prints the relevant help. */
  readonly help: string
}

/** Prints why a command failed and returns the exit code. */
export function printError(cause: unknown, terminal: Terminal, { debug, help }: TellOptions): number {
  const message = cause instanceof Error ? cause.message : String(cause)
  terminal.log([paint('red', 'Error:'), ` ${printable(message)}`])
  if (debug) terminal.log(inspect(cause))
  if (cause instanceof UsageError) {
    terminal.log(`${cause.suggestion ? `${printable(cause.suggestion)} ` : ''}See ${help}.`)
    return exitCodes.usage
  }
  if (cause instanceof Error && cause.name === 'ConfigError') return exitCodes.usage
  if (!debug) terminal.log('Add --debug for a stack trace.')
  return exitCodes.failed
}

import type { Command } from './options/command.ts'
import { globalOptions } from './options/command-line.ts'
import { toColumns } from './terminal/columns.ts'
import { exitCodeMeanings, exitCodes } from './terminal/exit-codes.ts'
import { type Line, paint, type Terminal } from './terminal/terminal.ts'

type Summaries = { readonly [name: string]: { readonly group: string; readonly summary: string } }

export function printHelp(terminal: Terminal, commands: Summaries): number {
  const groups = Object.groupBy(Object.entries(commands), ([, { group }]) => group)
  terminal.print(
    'Usage: toolpact COMMAND [options]',
    ...Object.entries(groups).flatMap(([group, members]): Line[] => [
      '',
      paint('bold', group),
      ...toColumns(members!.map(([name, { summary }]) => [`  ${name}`, summary])),
    ]),
    '',
    paint('bold', 'Options of every command'),
    ...toOptionLines({ ...globalOptions, version: { short: 'v', about: 'show the version' } }),
    ...toExampleLines([
      ['toolpact list', 'list the tools'],
      ['toolpact show learning.hello', 'show a contract'],
      ['toolpact call learning.hello name=Ada', 'call it'],
    ]),
    '',
    paint('bold', 'Exit codes'),
    ...toColumns(exitCodeMeanings.map(([code, meaning]) => [`  ${code}`, meaning])),
    '',
    'Run toolpact COMMAND --help for details of a command.',
  )
  return exitCodes.success
}

export function printCommandHelp(terminal: Terminal, command: Command): number {
  terminal.print(
    ...command.usage.map((usage, index) => `${index ? '      ' : 'Usage:'} toolpact ${usage}`),
    '',
    command.about,
    ...(Object.keys(command.options).length ? ['', paint('bold', 'Options'), ...toOptionLines(command.options)] : []),
    '',
    paint('bold', 'Options of every command'),
    ...toOptionLines(globalOptions),
    ...toExampleLines(command.examples),
  )
  return exitCodes.success
}

type OptionHelp = Partial<Record<'short' | 'value', string>> & { readonly about: string }

function toOptionLines(table: { readonly [name: string]: OptionHelp }): Line[] {
  return toColumns(
    Object.entries(table).map(([name, { short, value, about }]) => [
      `  ${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`,
      about,
    ]),
  )
}

function toExampleLines(examples: Command['examples']): Line[] {
  return [
    '',
    paint('bold', 'Examples'),
    ...toColumns(examples.map(([line, what]) => [`  ${line}`, paint('dim', what)])),
  ]
}

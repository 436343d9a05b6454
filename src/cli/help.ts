import type { Command, Help } from './options/command.ts'
import { findAction, globalOptions } from './options/command-line.ts'
import { toColumns } from './terminal/columns.ts'
import { toCommandLines } from './terminal/command-lines.ts'
import { exitCodeMeanings, exitCodes } from './terminal/exit-codes.ts'
import { layOut } from './terminal/lay-out.ts'
import { type Line, type Part, paint, type Terminal } from './terminal/terminal.ts'

type Summaries = { readonly [name: string]: { readonly group: string; readonly summary: string } }

export function printHelp(terminal: Terminal, commands: Summaries): number {
  const groups = Object.groupBy(Object.entries(commands), ([, { group }]) => group)
  const widths: number[] = []
  const toRows = (rows: readonly (readonly Part[])[]) => toColumns(rows, { width: toHelpWidth(terminal), widths })
  // One alignment for all groups.
  toRows(Object.entries(commands).map(([name]) => [`  ${name}`]))
  terminal.print(
    'Usage: toolpact COMMAND [options]',
    ...Object.entries(groups).flatMap(([group, members]): Line[] => [
      paint('bold', group),
      ...toRows(members!.map(([name, { summary }]) => [`  ${name}`, summary])),
    ]),
    '',
    'toolpact COMMAND --help   its options, and examples',
    'toolpact help options     options of every command, and exit codes',
  )
  return exitCodes.success
}

/** The options that every command takes, the exit codes, and what the environment sets. */
export function printOptionsHelp(terminal: Terminal): number {
  const width = toHelpWidth(terminal)
  terminal.print(
    paint('bold', 'Options of every command'),
    ...toOptionLines({ ...globalOptions, version: { short: 'v', about: 'show the version' } }, width),
    '',
    paint('bold', 'Exit codes'),
    ...toColumns(exitCodeMeanings.map(([code, meaning]) => [`  ${code}`, meaning]), { width }), // biome-ignore format: one line
  )
  return exitCodes.success
}

interface Asked {
  readonly command: Command
  /** The words after the name of the command. */
  readonly words: readonly string[]
}

/** Help of a command, or of one of its actions. */
export function printCommandHelp(terminal: Terminal, name: string, { command, words }: Asked): number {
  const action = findAction(command, words)
  const { usage, about, options, examples }: Help = action ? command.actions![action]! : command
  const actions = action ? [] : Object.entries(command.actions ?? {})
  const width = toHelpWidth(terminal)
  terminal.print(
    ...usage.map((line, index) => `${index ? '       ' : 'Usage: '}toolpact ${line}`),
    '',
    ...toParagraphs(about, width),
    ...(actions.length > 0 ? ['', paint('bold', 'Actions')] : []),
    ...toColumns(actions.map(([each, { summary }]) => [`  ${each}`, summary]), { width }), // biome-ignore format: one line
    ...(actions.length > 0 ? [paint('dim', `  toolpact ${name} ACTION --help shows the options of an action.`)] : []),
    ...(Object.keys(options).length > 0 ? ['', paint('bold', 'Options')] : []),
    ...toOptionLines(options, width),
    '',
    paint('bold', 'Examples'),
    ...toExampleLines(examples, width),
    '',
    ...layOut(
      paint('dim', `Options of every command: ${toNames(globalOptions)}. See \`toolpact help options\`.`),
      width,
    ),
  )
  return exitCodes.success
}

/** Longer lines are hard to read. Without a terminal, the text is for a reader too. */
function toHelpWidth({ columns = 80 }: Terminal): number {
  return Math.min(columns, 100)
}

/** A blank line separates paragraphs; other line breaks are those of the source code. */
function toParagraphs(text: string, width: number): Line[] {
  return text.split('\n\n').flatMap((paragraph) => layOut(paragraph.replaceAll('\n', ' '), width))
}

type OptionHelp = Partial<Record<'short' | 'value', string>> & { readonly about: string }

function toOptionLines(table: { readonly [name: string]: OptionHelp }, width: number): Line[] {
  return toColumns(
    Object.entries(table).map(([name, { short, value, about }]) => [
      `  ${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`,
      about,
    ]),
    { width },
  )
}

function toNames(table: object): string {
  return Object.keys(table)
    .map((name) => `--${name}`)
    .join(' ')
}

/** Beside each command what it does, or above it if there is not enough room. */
function toExampleLines(examples: Help['examples'], width: number): Line[] {
  const fits = examples.every(([command, what]) => command.length + what.length + 6 <= width)
  if (fits) return toColumns(examples.map(([command, what]) => [`  ${command}`, paint('dim', what)]))
  return examples.flatMap(([command, what]): Line[] => [
    paint('dim', `  # ${what}`),
    ...toCommandLines(command, { width, before: '  ' }),
  ])
}

import { dirname, join } from 'node:path'
import type { Config } from '../../app/config/config.ts'
import type { Format } from '../../app/config/config-schema.ts'
import { printable, printableJson } from '../../contract/text/printable.ts'
import type { Loss, Projection } from '../../projections/projection.ts'
import { type Command, commandCaller, type Options, type Request, UsageError } from '../options/command.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { paint, type Terminal } from '../terminal/terminal.ts'
import { printWithheldCounts, waitForServers } from '../terminal/wait-for-servers.ts'
import { type Entries, formats, toFileText } from './export-formats.ts'

export const exportContracts: Command = {
  usage: ['export FORMAT [--out FILE]', 'export --config FILE'],
  about: `Exports the contracts to another format. Constraints that the format cannot express are listed on stderr; calls are still
checked against the contracts. A single toolset uses bare names; several use toolset_tool, or toolset.tool in types, validators and contracts.
FORMAT is ${toChoices()}.
Without a format it writes every file listed under "generated" in the config, which must be given with --config.`,
  options: {
    out: { type: 'string', value: 'FILE', about: 'write to a file instead of stdout' },
    strict: { type: 'boolean', about: 'openai: rewrite the parameters for strict mode' },
  },
  examples: [
    ['toolpact export openai --toolset workspace', 'functions for chat completions'],
    ['toolpact export contracts --out contracts.json', 'the contracts, for toolpact diff'],
    ['toolpact export --config toolpact.json', 'every file that the config lists'],
  ],
  next: (before) => (before.length === 0 ? Object.keys(formats) : undefined),
  async run(request) {
    const { positionals, options, terminal } = request
    if (positionals.length === 0 && options.config !== undefined) return exportAll(request, dirname(options.config))
    const format = toFormat(positionals, options)
    const { entries } = await loadEntries(request)
    if (!entries) return exitCodes.failed
    const { result, ...lost } = await formats[format](entries, options)
    if (options.out !== undefined) await writeOut(options.out, result, 'Check the path after --out.')
    if (options.json) {
      const what = options.out === undefined ? { result } : { out: options.out }
      terminal.print(printableJson({ format, ...what, ...lost }))
      return exitCodes.success
    }
    printLost(lost, terminal)
    if (options.out !== undefined) terminal.log(`Wrote ${printable(options.out)}.`)
    else terminal.printExactly(typeof result === 'string' ? result.replace(/\n$/, '') : printableJson(result, 2))
    return exitCodes.success
  },
}

/** Requires --config: a config found in a workspace must not choose where files are written. */
async function exportAll(request: Request, folder: string): Promise<number> {
  const { options, terminal } = request
  for (const name of ['out', 'strict', 'toolset'] as const) {
    if (options[name] !== undefined) throw new UsageError(`--${name} needs a format.`, `Use one of ${toChoices()}.`)
  }
  const { entries, config } = await loadEntries(request)
  if (!entries) return exitCodes.failed
  const files = Object.entries(config.generated ?? {})
  if (files.length === 0) throw new UsageError(`The config ${options.config} lists no file under "generated".`)
  for (const [path, format] of files) {
    await writeOut(join(folder, path), (await formats[format](entries, options)).result, 'Create its folder first.')
    if (!options.json) terminal.log(`Wrote ${printable(path)}.`)
  }
  if (options.json) terminal.print(printableJson(files.map(([path, format]) => ({ format, out: path }))))
  return exitCodes.success
}

/** No entries if a server failed, because a file without its tools would look complete. */
async function loadEntries({ options, terminal, open }: Request): Promise<{ entries?: Entries; config: Config }> {
  // Nothing is called, so nothing is recorded.
  const toolpact = await open({ storage: 'memory' })
  try {
    const { config } = toolpact
    const statuses = await waitForServers(toolpact, terminal)
    printWithheldCounts(statuses, terminal)
    const failed = statuses.filter(({ state }) => state === 'failed').map(({ name }) => name)
    if (failed.length === 0) return { entries: await toolpact.catalog.all(commandCaller), config }
    if (options.json) terminal.print(printableJson({ ok: false, unavailable: failed }))
    terminal.log([
      paint('red', 'Error:'),
      ` Nothing was exported, because tools of ${failed.join(', ')} would be missing. Choose other toolsets with --toolset, or set "disabled" in mcpServers.`,
    ])
    return { config }
  } finally {
    await toolpact.close()
  }
}

function toChoices(): string {
  return Object.keys(formats).join(', ')
}

function toFormat([format, more]: readonly string[], { strict }: Options): Format {
  const choices = `Use one of ${toChoices()}.`
  if (format === undefined) throw new UsageError('export needs a format.', choices)
  if (!isFormat(format)) throw new UsageError(`There is no format '${format}'.`, choices)
  if (more !== undefined) throw new UsageError(`export takes one format, but also got '${more}'.`)
  if (strict && format !== 'openai') throw new UsageError(`--strict is for openai; ${format} has no such mode.`)
  return format
}

function isFormat(format: string): format is Format {
  return Object.hasOwn(formats, format)
}

async function writeOut(path: string, result: unknown, advice: string): Promise<void> {
  const { replaceFile } = await import('../../state/replace-file.ts')
  try {
    await replaceFile(path, toFileText(result))
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new UsageError(`${path} cannot be written (${code ?? cause}).`, advice)
  }
}

const maxNames = 5

/** Groups losses by kind, because most tools have the same ones. */
function printLost({ losses, withheld }: Omit<Projection<unknown>, 'result'>, terminal: Terminal): void {
  for (const { tool, reason } of withheld)
    terminal.log([paint('yellow', 'Withheld:'), ` ${printable(tool)}. ${printable(reason)}`])
  if (losses.length === 0) return
  terminal.log(`Constraints that this format cannot express (--json lists each location):`)
  const kinds = Map.groupBy(losses, ({ keyword, note }) => `${keyword}: ${note}`)
  for (const [kind, group] of kinds) terminal.log(paint('dim', `  ${printable(kind)} (${toNames(group)})`))
}

function toNames(losses: readonly Loss[]): string {
  const names = [...new Set(losses.map(({ tool }) => printable(tool)))]
  const rest = names.length - maxNames
  return names.slice(0, maxNames).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

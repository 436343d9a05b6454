import { readFileSync } from 'node:fs'
import type { Toolpact } from '../app.ts'
import type { JsonValue } from '../contract/json.ts'
import type { Loss, Projection, Withheld } from '../projections/projection.ts'
import { type Command, commandCaller, type Options, UsageError } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { printable, printableJson } from './printable.ts'
import { paint, type Terminal } from './terminal.ts'

export const exportContracts: Command = {
  usage: ['export mcp | openapi | openai | anthropic | gemini | markdown | types [--out FILE]'],
  about: `Writes the contracts in the format of somebody else. What a format cannot say is told on stderr: calls are checked
against the contracts all the same. One toolset has bare names; several have toolset.tool, as each format allows.`,
  options: {
    out: { type: 'string', value: 'FILE', about: 'write to a file instead of stdout' },
    strict: { type: 'boolean', about: 'openai: rewrite the parameters for strict mode' },
  },
  examples: [
    ['toolpact export openai --toolset workspace', 'functions for chat completions'],
    ['toolpact export openai --strict --json', 'in strict mode, with every loss as data'],
    ['toolpact export openapi --out openapi.json', 'the REST surface'],
    ['toolpact export types --out tools.d.ts', 'TypeScript'],
  ],
  next: (before) => (before.length === 0 ? Object.keys(formats) : undefined),
  async run({ positionals, options, terminal, open }) {
    const format = toFormat(positionals, options)
    // Nothing is called, so nothing needs to be kept.
    const toolpact = await open({ storage: 'memory' })
    const entries = await toolpact.catalog.all(commandCaller)
    await toolpact.close()
    const { result, ...lost } = await formats[format]!(entries, options)
    if (options.out !== undefined) await writeOut(options.out, result)
    if (options.json) {
      const what = options.out === undefined ? { result } : { out: options.out }
      terminal.print(printableJson({ format, ...what, ...lost }))
      return exitCodes.success
    }
    tellLost(lost, terminal)
    if (options.out !== undefined) terminal.tell(`Wrote ${printable(options.out)}.`)
    else terminal.print(typeof result === 'string' ? result.replace(/\n$/, '') : printableJson(result, 2))
    return exitCodes.success
  },
}

/** Where `toolpact serve` listens by itself. A document that is read from a file has no server that it came from. */
const serverUrl = 'http://127.0.0.1:7420'

type Entries = Awaited<ReturnType<Toolpact['catalog']['all']>>
type ToProjection = (entries: Entries, options: Options) => Promise<Projection<unknown>>

const formats: { readonly [format: string]: ToProjection } = {
  async mcp(entries) {
    const { toMcpTool } = await import('../projections/mcp.ts')
    return projectValid(entries, (valid) => ({
      tools: valid.map(({ name, tool }) => toMcpTool(name, tool.contract)),
    }))
  },
  async openapi(entries) {
    const { toRestDocument } = await import('../surfaces/rest/rest-document.ts')
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    return projectValid(entries, (valid) => toRestDocument(valid, { version, serverUrl }))
  },
  async openai(entries, { strict = false }) {
    return (await import('../projections/openai.ts')).toOpenaiTools(entries, { strict })
  },
  async anthropic(entries) {
    return (await import('../projections/anthropic.ts')).toAnthropicTools(entries)
  },
  async gemini(entries) {
    return (await import('../projections/gemini.ts')).toGeminiTools(entries)
  },
  async markdown(entries) {
    const { toToolsMarkdown } = await import('../projections/tools-markdown.ts')
    const groups = [...Map.groupBy(entries, ({ toolset }) => toolset)].map(([name, group]) => ({
      name,
      description: group[0]!.toolsetDescription,
      tools: group.map(({ tool }) => tool),
    }))
    return { result: toToolsMarkdown(groups), losses: [], withheld: [] }
  },
  async types(entries) {
    return (await import('../projections/types.ts')).toTypes(entries)
  },
}

function toFormat([format, more]: readonly string[], { strict }: Options): string {
  const choices = Object.keys(formats).join(', ')
  if (format === undefined) throw new UsageError('export needs a format.', `Use one of ${choices}.`)
  if (!Object.hasOwn(formats, format)) throw new UsageError(`There is no format '${format}'.`, `Use one of ${choices}.`)
  if (more !== undefined) throw new UsageError(`export takes one format, and got '${more}' too.`)
  if (strict && format !== 'openai') throw new UsageError(`--strict is for openai; ${format} has no such mode.`)
  return format
}

/** Formats that take whatever is a schema: tools that cannot be called are left out, those with broken ones withheld. */
async function projectValid(entries: Entries, project: (valid: Entries) => JsonValue): Promise<Projection<JsonValue>> {
  const { findFault } = await import('../projections/projection.ts')
  const callable = entries.filter(({ tool }) => tool.contract.status !== 'planned')
  const withheld: Withheld[] = []
  for (const { name, tool } of callable) {
    const reason = (await findFault(tool.contract, 'input')) ?? (await findFault(tool.contract, 'output'))
    if (reason !== undefined) withheld.push({ tool: name, reason })
  }
  const isValid = ({ name }: Entries[number]) => !withheld.some(({ tool }) => tool === name)
  return { result: project(callable.filter(isValid)), losses: [], withheld }
}

async function writeOut(path: string, result: unknown): Promise<void> {
  const { replaceFile } = await import('./replace-file.ts')
  const text = typeof result === 'string' ? result : `${JSON.stringify(result, null, 2)}\n`
  try {
    await replaceFile(path, text)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new UsageError(`${path} cannot be written (${code ?? cause}).`, 'Check the path after --out.')
  }
}

const mostNames = 5

/** Losses of one kind on one line, since most tools have the same ones. */
function tellLost({ losses, withheld }: Omit<Projection<unknown>, 'result'>, terminal: Terminal): void {
  for (const { tool, reason } of withheld)
    terminal.tell([paint('yellow', 'Withheld:'), ` ${printable(tool)}. ${printable(reason)}`])
  if (losses.length === 0) return
  terminal.tell(`What the contracts say and this format does not (--json lists each place):`)
  const kinds = Map.groupBy(losses, ({ keyword, note }) => `${keyword}: ${note}`)
  for (const [kind, group] of kinds) terminal.tell(paint('dim', `  ${printable(kind)} (${toNames(group)})`))
}

function toNames(losses: readonly Loss[]): string {
  const names = [...new Set(losses.map(({ tool }) => printable(tool)))]
  const rest = names.length - mostNames
  return names.slice(0, mostNames).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Toolpact } from '../../app/app.ts'
import { lintToolset } from '../../contract/lint-contract.ts'
import { printable, printableJson } from '../../contract/text/printable.ts'
import type { Toolset } from '../../contract/tool.ts'
import type { UpstreamStatus } from '../../host/upstream.ts'
import { toCount } from '../../runtime/approval/text/rows.ts'
import { countOffered, countWithheld, toCountWords, toWithheldWords } from '../../surfaces/offered-counts.ts'
import { type Entries, formats, toFileText, toToolsets } from '../export/export-formats.ts'
import { type Command, commandCaller, type Options, type Request, UsageError } from '../options/command.ts'
import { toColumns } from '../terminal/columns.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Part, paint } from '../terminal/terminal.ts'
import { waitForServers } from '../terminal/wait-for-servers.ts'
import { checkWorkflows } from './check-workflows.ts'

export const check: Command = {
  usage: ['check'],
  about: `Checks what must agree: the config is valid, the contracts lint clean, every mapping of a workflow fits the contracts of its tools, the files that the config lists under
"generated" are up to date, and the documents under "living" match the contracts.
Problems in your own contracts fail the check; findings about tools of MCP servers are advice, because only their authors can fix them.
Exit code 1 if there is a problem; warnings and advice do not count.`,
  options: {},
  examples: [
    ['toolpact check', 'in a project with a toolpact.json'],
    ['toolpact check --toolset learning', 'the contracts of one toolset'],
    ['toolpact check --json', 'for a script'],
  ],
  pages: () => true,
  async run(request) {
    const { positionals, options, terminal } = request
    if (positionals.length > 0) throw new UsageError(`check takes no name, but got '${positionals[0]}'.`)
    const results = await checkAll(request)
    const problems = results.filter(({ outcome }) => outcome === 'problem').length
    if (options.json)
      terminal.print(printableJson({ ok: problems === 0, results: results.map(({ kind: _, ...result }) => result) }))
    else terminal.print(...toColumns(groupAdvice(results).map(toRow), { width: terminal.columns }))
    return problems === 0 ? exitCodes.success : exitCodes.failed
  },
}

export interface Result {
  /** `advice`: about somebody else's contract. */
  readonly outcome: 'ok' | 'advice' | 'warning' | 'problem'
  readonly check: 'config' | 'servers' | 'contracts' | 'workflows' | 'generated' | 'living'
  /** A file, a toolset, or a pointer into one. */
  readonly subject: string
  readonly message: string
  /** How to fix it. */
  readonly fix?: string
  /** Groups findings of one rule in one toolset. */
  readonly kind?: string
}

type Workflows = Awaited<ReturnType<Toolpact['workflows']>>

async function checkAll(request: Request): Promise<Result[]> {
  const { options, open, terminal } = request
  const file = findConfig(options)
  let toolpact: Toolpact
  try {
    toolpact = await open({ storage: 'memory' })
  } catch (cause) {
    if (file === undefined || !(cause instanceof Error) || cause.name !== 'ConfigError') throw cause
    return [{ outcome: 'problem', check: 'config', subject: file, message: cause.message }]
  }
  const { config } = toolpact
  const statuses = await waitForServers(toolpact, terminal)
  const entries = await toolpact.catalog.all(commandCaller)
  const workflows = await toolpact.workflows()
  const withheld = await findWithheld(toolpact, workflows)
  await toolpact.close()
  const results: Result[] = [
    file === undefined
      ? { outcome: 'ok', check: 'config', subject: 'toolpact.json', message: 'none' }
      : { outcome: 'ok', check: 'config', subject: file, message: 'valid' },
  ]
  results.push(...statuses.map(checkServer))
  const servers = statuses.map(({ name }) => name)
  for (const toolset of toToolsets(entries)) {
    const found = await checkContracts(toolset)
    results.push(...(servers.includes(toolset.name) ? toAdvice(found) : found))
  }
  results.push(...withheld, ...(await checkWorkflows(workflows)))
  const compared = { entries, folder: toFolder(options), hindrance: findHindrance(statuses, options) }
  for (const [path, format] of Object.entries(config.generated ?? {}))
    results.push(await checkGenerated({ path, format }, compared))
  for (const path of config.living ?? []) results.push(...(await checkDocument(path, compared)))
  return results
}

function findConfig({ config, workspace = '.', 'no-config': noConfig }: Options): string | undefined {
  const found = join(workspace, 'toolpact.json')
  return config ?? (!noConfig && existsSync(found) ? found : undefined)
}

async function checkContracts(toolset: Toolset<never>): Promise<Result[]> {
  const found = await lintToolset(toolset)
  const { name, tools } = toolset
  if (found.length === 0) {
    const message = `${tools.length} ${tools.length === 1 ? 'contract' : 'contracts'}`
    return [{ outcome: 'ok', check: 'contracts', subject: name, message }]
  }
  return found.map(({ severity, pointer, rule, message, fix }) => {
    const [, index, rest] = /^\/tools\/(\d+)\/contract(.*)$/.exec(pointer) ?? []
    return {
      outcome: severity === 'error' ? 'problem' : 'warning',
      check: 'contracts',
      subject: `${name}.${tools[Number(index)]?.contract.name} ${rest}`,
      message: `${message} (${rule})`,
      fix,
      kind: `${name} ${rule}`,
    }
  })
}

/** Problems of MCP servers become advice: the user cannot fix them. */
function toAdvice(results: readonly Result[]): Result[] {
  return results.map((result) => (result.outcome === 'ok' ? result : { ...result, outcome: 'advice' }))
}

function checkServer(status: UpstreamStatus): Result {
  const { name, state, fault = '', admitted, withheld } = status
  const result = { check: 'servers', subject: name } as const
  if (state === 'failed')
    return {
      ...result,
      outcome: 'problem',
      message: `not available. ${fault}`,
      fix: `Run: toolpact mcp inspect ${name}`,
    }
  const offered = countOffered(admitted.map(({ tool }) => tool))
  if (withheld.length === 0) return { ...result, outcome: 'ok', message: toCountWords(offered) }
  const left = countWithheld(status)
  const isToolsOnly = left.prompts + left.resources === 0
  const message = isToolsOnly
    ? `${left.tools} of ${toCount(offered.tools + left.tools, 'tool')} withheld.`
    : `${toWithheldWords(left)} withheld, ${toCountWords(offered)} admitted.`
  return { ...result, outcome: 'advice', message, fix: `Run: toolpact mcp inspect ${name}` }
}

/** Collapses advice of one kind into a line, because most tools of a server share the same weaknesses. */
function groupAdvice(results: readonly Result[]): Result[] {
  const groups = Map.groupBy(results, (result) => (result.outcome === 'advice' && result.kind) || result)
  return [...groups.values()].map(([first, ...more]) =>
    more.length === 0
      ? first!
      : { ...first!, message: `${first!.message} And ${more.length} more like it: see --json.` },
  )
}

/** Withheld tools of contract folders. What is wrong with workflows is reported with its place instead. */
async function findWithheld({ catalog, upstreams }: Toolpact, workflows: Workflows): Promise<Result[]> {
  const servers = upstreams.look().map(({ name }) => name)
  const isReported = (id: string) => workflows.some((one) => one.id === id && one.problems.length > 0)
  return (await catalog.withheld())
    .filter(({ toolset, id }) => !servers.includes(toolset) && !isReported(id))
    .map(({ id, reasons }) => ({
      outcome: 'problem',
      check: 'contracts',
      subject: id,
      message: `withheld. ${reasons.join('. ')}.`,
    }))
}

type Generated = { readonly path: string; readonly format: keyof typeof formats }

interface Compared {
  readonly entries: Entries
  /** Base folder of relative paths in the config. */
  readonly folder: string
  /** Why generated files cannot be compared, if so. */
  readonly hindrance: string | undefined
}

function findHindrance(statuses: readonly UpstreamStatus[], { toolset }: Options): string | undefined {
  // Exports of a single toolset use bare names, so files would differ.
  if (toolset) return 'not compared, because of --toolset'
  const failed = statuses.filter(({ state }) => state === 'failed').map(({ name }) => name)
  return failed.length > 0 ? `not compared, because tools of ${failed.join(', ')} are missing` : undefined
}

async function checkGenerated({ path, format }: Generated, { entries, folder, hindrance }: Compared): Promise<Result> {
  const result = { check: 'generated', subject: path } as const
  if (hindrance !== undefined) return { ...result, outcome: 'warning', message: hindrance }
  const text = await readFile(join(folder, path), 'utf8').catch(() => undefined)
  const wanted = toFileText((await formats[format](entries, {})).result)
  if (text?.replaceAll('\r\n', '\n') === wanted) return { ...result, outcome: 'ok', message: format }
  const fix = `Run: toolpact export ${format} --out ${join(folder, path)}`
  return { ...result, outcome: 'problem', message: text === undefined ? 'It cannot be read.' : 'It is stale.', fix }
}

async function checkDocument(path: string, { entries, folder, hindrance }: Compared): Promise<Result[]> {
  const result = { check: 'living', subject: path } as const
  if (hindrance !== undefined) return [{ ...result, outcome: 'warning', message: hindrance }]
  const { checkLiving } = await import('./check-living.ts')
  const { faults, tools } = await checkLiving(join(folder, path), entries)
  if (faults.length === 0) return [{ ...result, outcome: 'ok', message: `${tools} ${tools === 1 ? 'tool' : 'tools'}` }]
  return faults.map(({ place, ...fault }) => ({ ...result, subject: path + place, outcome: 'problem', ...fault }))
}

function toFolder({ config, workspace = '.' }: Options): string {
  return config === undefined ? workspace : dirname(config)
}

const colours = { ok: 'green', advice: 'cyan', warning: 'yellow', problem: 'red' } as const

function toRow({ outcome, check, subject, message, fix }: Result): Part[] {
  const text = `${printable(subject)}: ${printable(message)}${fix ? ` ${printable(fix)}` : ''}`
  // The widths of the longest words, so that every run is aligned alike.
  return [paint(colours[outcome], outcome.padEnd(7)), check.padEnd(9), text]
}

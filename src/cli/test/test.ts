import { randomInt } from 'node:crypto'
import { openToolpact, type Toolpact, type ToolpactOptions } from '../../app/app.ts'
import { decideRun } from '../../authoring/scenarios/decide-run.ts'
import { type Bench, openBench } from '../../authoring/scenarios/open-bench.ts'
import type { Failure, ScenarioName, ToolReport } from '../../authoring/scenarios/report.ts'
import { testTool } from '../../authoring/scenarios/test-tool.ts'
import { printableJson } from '../../contract/text/printable.ts'
import { showValue } from '../../contract/text/show-value.ts'
import { toCount } from '../../runtime/approval/text/rows.ts'
import { type Command, commandCaller, type Options, type Request, UsageError } from '../options/command.ts'
import { findTool } from '../options/find-tool.ts'
import { toSettings } from '../options/option-values.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Line, paint } from '../terminal/terminal.ts'

const names: { readonly [scenario in ScenarioName]: string } = {
  examples: 'examples',
  minimal: 'minimal valid',
  maximal: 'maximal valid',
  random: 'random valid',
  'missing-required': 'missing required',
  'wrong-type': 'wrong type',
  'unknown-property': 'unknown property',
  bounds: 'bounds',
  'enum-pattern-format': 'enum, pattern, format',
  limits: 'limits',
  'corrupted-output': 'corrupted output',
  'declared-errors': 'declared errors',
}

const maxShown = 2000

export const test: Command = {
  usage: ['test [TOOL …] [--seed N] [--run]'],
  about: `Derives tests from the contracts and runs them: valid inputs from the smallest to the largest, inputs that break the
schema in every way it knows, each declared error, the limits, and corrupted outputs. A tool runs in a temporary workspace,
where every call is approved. Tools that fetch, run commands or may change another server run only with
--run; without it, only what can be tested without running them is. Exit code 1 if a tool breaks its contract.`,
  options: {
    seed: { type: 'string', value: 'N', about: 'reproduce a run; each run prints its seed' },
    run: { type: 'boolean', about: 'also run tools that reach beyond the temporary workspace' },
  },
  examples: [
    ['toolpact test workspace.read_file', 'one tool'],
    ['toolpact test workspace.read_file --seed 7', 'reproduce a run'],
    ['toolpact test --toolset notes --run', 'a toolset or MCP server that is safe to run'],
  ],
  next: () => 'tool',
  async run(request) {
    const { options, terminal } = request
    const seed = toSeed(options)
    const toolpact = await request.open({ storage: 'memory' })
    try {
      const reports = await testAll(toolpact, request, seed)
      if (options.json) terminal.print(printableJson({ seed, ok: reports.every(({ ok }) => ok), tools: reports }))
      else terminal.print('', toSummaryLine(reports, seed))
      return reports.every(({ ok }) => ok) ? exitCodes.success : exitCodes.failed
    } finally {
      await toolpact.close()
    }
  },
}

async function testAll(toolpact: Toolpact, request: Request, seed: number): Promise<ToolReport[]> {
  const { options, terminal } = request
  const entries = await chooseEntries(toolpact, request)
  const servers = new Set(toolpact.upstreams.look().map(({ name }) => name))
  const bench = await openOwnBench(toolpact, entries, request)
  const reports: ToolReport[] = []
  try {
    for (const [index, { id, toolset, tool }] of entries.entries()) {
      if (process.stderr.isTTY && !options.json)
        terminal.log(paint('dim', `… ${id} (${index + 1} of ${entries.length})`))
      const { contract } = tool
      const notRun = decideRun({ contract, isForeign: servers.has(toolset), runAll: options.run ?? false })
      const report = await testTool(contract, bench.subject(id), { seed, ...(notRun !== undefined && { notRun }) })
      reports.push(report)
      if (!options.json) terminal.print(...toReportLines(report))
    }
    return reports
  } finally {
    await bench.close()
  }
}

type Entries = Awaited<ReturnType<Toolpact['catalog']['all']>>

/** The named tools, or all. */
async function chooseEntries(toolpact: Toolpact, { positionals }: Request): Promise<Entries> {
  const ids = new Set<string>()
  for (const name of positionals) ids.add((await findTool(toolpact, name, commandCaller)).id)
  await toolpact.upstreams.statuses()
  const all = await toolpact.catalog.all(commandCaller)
  return ids.size === 0 ? all : all.filter(({ id }) => ids.has(id))
}

/** A second Toolpact with only the settings that tools need. */
function openOwnBench({ config }: Toolpact, entries: Entries, { options, terminal }: Request): Promise<Bench> {
  const { model, policy } = config
  // Policy settings are omitted, because the tests set their own.
  const { askAll, readOnly, singleStep, requireQuery, ...confinement } = policy ?? {}
  const toolsets = new Set(entries.filter(({ provision }) => provision?.settings).map(({ toolset }) => toolset))
  const ofToolsets = Object.entries(config).filter(([key]) => toolsets.has(key))
  const settings = { ...Object.fromEntries(ofToolsets), model, policy: confinement }
  const own = JSON.parse(JSON.stringify(settings)) as NonNullable<ToolpactOptions['config']>
  const overrides = Object.fromEntries(Object.entries(toSettings(options.set)).filter(([name]) => toolsets.has(name)))
  const open = (more: ToolpactOptions) =>
    openToolpact({ ...more, config: own, settings: overrides, repeatable: !options.run })
  return openBench(entries, { open, reachOut: options.run ?? false, signal: terminal.signal })
}

const seeds = 1_000_000

function toSeed({ seed }: Options): number {
  if (seed === undefined) return randomInt(seeds)
  if (!/^\d{1,15}$/.test(seed)) throw new UsageError(`--seed cannot be '${seed}'.`, 'Give a whole number: --seed 7.')
  return Number(seed)
}

/** Report of one tool: a summary line, failures, and skipped cases with reasons. */
function toReportLines({ tool, ok, cases, notRun, scenarios }: ToolReport): Line[] {
  const failed = scenarios.reduce((sum, scenario) => sum + scenario.failed, 0)
  const head: Line = ok
    ? [paint('green', '✓ '), `${tool}  ${toCount(cases, 'case')}`]
    : [paint('red', '✗ '), `${tool}  ${failed.toLocaleString('en')} of ${toCount(cases, 'case')} failed`]
  return [
    head,
    ...scenarios.flatMap(({ scenario, failures }) =>
      failures.flatMap((found) => toFailureLines(names[scenario], found)),
    ),
    ...(notRun === undefined ? [] : [toSkippedLine('not run', notRun)]),
    ...scenarios.flatMap(({ scenario, skipped }) => skipped.map((reason) => toSkippedLine(names[scenario], reason))),
  ]
}

function toFailureLines(scenario: string, { case: what, message, input, output, files }: Failure): Line[] {
  const parts = { input, output, files }
  return [
    [paint('red', '  ✗ '), `${scenario}: ${what}`],
    `      ${message}`,
    ...Object.entries(parts).flatMap(([name, value]) =>
      value === undefined ? [] : [`      ${name}: ${showValue(value, maxShown)}`],
    ),
  ]
}

function toSkippedLine(what: string, reason: string): Line {
  return paint('dim', `  – ${what}: ${reason}`)
}

function toSummaryLine(reports: readonly ToolReport[], seed: number): Line {
  const cases = reports.reduce((sum, report) => sum + report.cases, 0)
  const failed = reports.filter(({ ok }) => !ok)
  const again = failed.length > 0 ? ` To see it again: the same command with --seed ${seed}.` : ''
  const words = `${toCount(reports.length, 'tool')}, ${toCount(cases, 'case')}, ${failed.length === 0 ? 'nothing' : toCount(failed.length, 'tool')} failed. Seed ${seed}.`
  return [paint(failed.length === 0 ? 'green' : 'red', words), again]
}

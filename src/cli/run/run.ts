import type { Toolpact } from '../../app/app.ts'
import type { CallResult } from '../../contract/call-result.ts'
import type { Contract } from '../../contract/contract.ts'
import type { JsonValue } from '../../contract/json.ts'
import type { RunFollow } from '../../contract/run-part.ts'
import { printableJson } from '../../contract/text/printable.ts'
import { toRunJson } from '../../surfaces/run-json.ts'
import { isPending } from '../../surfaces/run-result.ts'
import type { RunDetails } from '../../workflow/run/workflow-runs.ts'
import { type Command, commandCaller, type Request, UsageError } from '../options/command.ts'
import { findTool } from '../options/find-tool.ts'
import { readCallInput } from '../options/read-call-input.ts'
import { createLeaver, type Opened, openToDrive, printEnd, printRun } from '../runs/drive-run.ts'
import { requireRuns } from '../runs/find-run.ts'
import { createStepPrinter, followRun } from '../runs/follow-run.ts'
import { exitCodes } from '../terminal/exit-codes.ts'

export const run: Command = {
  usage: ['run NAME [key=value …]', 'run NAME --input JSON | @FILE | -', 'run NAME [key=value …] --detach'],
  about: `Runs a workflow and prints each step as it ends, then what it returns. NAME is toolset.name, the name that clients list, or the bare
name. Values are given as to toolpact call. Ctrl-C leaves the run: the step in flight still ends, a running server continues with the
next one, and toolpact runs resume does so here. toolpact runs cancel ends it.`,
  options: {
    input: { type: 'string', value: 'JSON', about: 'the whole input: JSON, @FILE for a file, - for stdin' },
    detach: { type: 'boolean', about: 'print the id of the run at once; a running server of this folder continues it' },
  },
  examples: [
    ['toolpact run reports.todo_report folder=src', 'run a workflow'],
    ['toolpact run reports.todo_report folder=src --json', 'print JSON for a script'],
  ],
  next: ([name]) => (name === undefined ? 'workflow' : { parametersOf: name }),
  async run(request) {
    const { positionals, options } = request
    const [name, ...pairs] = positionals
    if (name === undefined)
      throw new UsageError('run needs the name of a workflow.', 'Run `toolpact list` to see the tools.')
    if (pairs.length > 0 && options.input !== undefined)
      throw new UsageError('Give the input as key=value or with --input, not both.')
    const opened = await openToDrive(request)
    try {
      const workflow = await findWorkflow(opened.toolpact, name)
      const { contract } = workflow
      const read = await readCallInput(request, { pairs, contract, status: opened.status })
      // Invalid JSON never becomes a call, because the pipeline would have nothing to check.
      if (!read.ok) return await printEnd({ success: false, callId: '', tool: workflow.id, error: read.error, ran: false, durationMs: 0 }, request) // biome-ignore format: one line
      const given = { ...workflow, input: read.input }
      return await (options.detach ? startDetached(opened, given, request) : runHere(opened, given, request))
    } finally {
      opened.status?.show(undefined)
      await opened.toolpact.close()
    }
  },
}

interface GivenWorkflow {
  readonly id: string
  readonly contract: Contract
  readonly input: JsonValue
}

async function findWorkflow(toolpact: Toolpact, name: string): Promise<Omit<GivenWorkflow, 'input'>> {
  const { id, contract, workflow } = await findTool(toolpact, name, commandCaller)
  if (workflow) return { id, contract }
  throw new UsageError(`${id} is not a workflow.`, `Use toolpact call ${id}.`)
}

/** Runs to the end, or until Ctrl-C leaves the run. */
async function runHere(opened: Opened, given: GivenWorkflow, request: Request): Promise<number> {
  const { toolpact, status, approver } = opened
  const { terminal, options } = request
  const runs = requireRuns(toolpact)
  const leaver = createLeaver(request)
  const printSteps = createStepPrinter({ terminal, status, quiet: options.json })
  const print = (run: RunDetails) => {
    printSteps(run)
    leaver.look(run)
  }
  const ended = new AbortController()
  let following: Promise<unknown> | undefined
  const result = await start(toolpact, given, {
    onStart(id) {
      following = followRun(runs, id, { print, signal: ended.signal })
    },
    detach: leaver.signal,
  })
  ended.abort()
  await following
  leaver.stop()
  const run = following && (await runs.find(result.callId))
  if (run) printSteps(run)
  status?.show(undefined)
  if (run && isPending(result)) return printRun(run, request, given.contract)
  return printEnd(approver?.explain(result) ?? result, request, given.contract)
}

/** Starts the run and leaves it to a server, which must be running: otherwise nothing would continue it. */
async function startDetached({ toolpact, status }: Opened, given: GivenWorkflow, request: Request): Promise<number> {
  const { terminal, options } = request
  const runs = requireRuns(toolpact)
  if ((await toolpact.consoleAddress.find()) === undefined)
    throw new UsageError(
      'No server is running that would continue the run.',
      'Start one with `toolpact serve` in this folder, or leave out --detach.',
    )
  const leave = new AbortController()
  const result = await start(toolpact, given, { onStart: () => leave.abort(), detach: leave.signal })
  status?.show(undefined)
  const run = isPending(result) ? await runs.find(result.callId) : undefined
  if (!run) return printEnd(result, request, given.contract)
  if (options.json) terminal.print(printableJson(toRunJson(run)))
  else {
    terminal.print(run.id)
    terminal.log(`To follow it: toolpact runs show ${run.id.slice(0, 8)} --follow`)
  }
  return exitCodes.success
}

function start(toolpact: Toolpact, { id, input }: GivenWorkflow, run: RunFollow): Promise<CallResult> {
  return toolpact.query().call(id, input, { caller: commandCaller, origin: { surface: 'cli' }, run })
}

import type { Toolpact } from '../../app/app.ts'
import type { CallResult } from '../../contract/call-result.ts'
import type { Contract } from '../../contract/contract.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import type { RunFollow } from '../../contract/run-part.ts'
import { printableJson } from '../../contract/text/printable.ts'
import type { Approver } from '../../runtime/approval/approver.ts'
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
import { confirm } from '../terminal/prompt/confirm.ts'
import { readUserName } from '../terminal/user-name.ts'
import { isSamePlan, planRun, printPlan } from './plan.ts'

export const run: Command = {
  usage: ['run NAME [key=value …]', 'run NAME --input JSON | @FILE | -', 'run NAME [key=value …] --plan | --detach'],
  about: `Runs a workflow and prints each step as it ends, then what it returns. NAME is toolset.name, the name that clients list, or the bare
name. Values are given as to toolpact call. Ctrl-C leaves the run: the step in flight still ends, a running server continues with the
next one, and toolpact runs resume does so here. toolpact runs cancel ends it.`,
  options: {
    input: { type: 'string', value: 'JSON', about: 'the whole input: JSON, @FILE for a file, - for stdin' },
    plan: { type: 'boolean', about: 'show what each step would call and ask, without doing it' },
    detach: { type: 'boolean', about: 'print the id of the run at once; a running server of this folder continues it' },
  },
  examples: [
    ['toolpact run reports.todo_report folder=src', 'run a workflow'],
    ['toolpact run reports.todo_report folder=src --plan', 'see what it would do'],
    ['toolpact run reports.todo_report folder=src --json', 'print JSON for a script'],
  ],
  next: ([name]) => (name === undefined ? 'workflow' : { parametersOf: name }),
  pages: (_, { plan, json }) => Boolean(plan && json),
  async run(request) {
    const { positionals, options } = request
    const [name, ...pairs] = positionals
    if (name === undefined)
      throw new UsageError('run needs the name of a workflow.', 'Run `toolpact list` to see the tools.')
    if (pairs.length > 0 && options.input !== undefined)
      throw new UsageError('Give the input as key=value or with --input, not both.')
    if (options.plan && options.detach) throw new UsageError('--plan and --detach cannot be combined.')
    const opened = await openToDrive(request)
    try {
      const workflow = await findWorkflow(opened.toolpact, name)
      const { contract } = workflow
      const read = await readCallInput(request, { pairs, contract, status: opened.status })
      // Invalid JSON never becomes a call, because the pipeline would have nothing to check.
      if (!read.ok) return await printEnd({ success: false, callId: '', tool: workflow.id, error: read.error, ran: false, durationMs: 0 }, request) // biome-ignore format: one line
      const given = { ...workflow, input: read.input }
      if (options.plan) return await showPlan(opened, given, request)
      return await (options.detach ? startDetached(opened, given, request) : runHere(opened, given, request))
    } finally {
      opened.status?.show(undefined)
      await opened.toolpact.close()
    }
  },
}

export interface GivenWorkflow {
  readonly id: string
  readonly contract: Contract
  readonly document: JsonObject
  readonly input: JsonValue
}

async function findWorkflow(toolpact: Toolpact, name: string): Promise<Omit<GivenWorkflow, 'input'>> {
  const { id, contract, workflow } = await findTool(toolpact, name, commandCaller)
  if (workflow) return { id, contract, document: workflow }
  throw new UsageError(`${id} is not a workflow.`, `Use toolpact call ${id}.`)
}

/** Prints the plan. If the workflow is approved as a whole, a yes at the terminal runs it: no step asks again unless it deviates. */
async function showPlan(opened: Opened, given: GivenWorkflow, request: Request): Promise<number> {
  const { toolpact, approver } = opened
  const plan = await planRun(toolpact, given)
  const code = printPlan(plan, request)
  if (code !== exitCodes.success || given.document.approval !== 'plan' || request.options.json) return code
  const isMeant = await confirm('Run it as planned? One yes covers every step of this plan. (y/N) ', request)
  if (!isMeant || !approver) return code
  const approvePlan: Approver = async (asked, signal) => {
    const isShown = asked.binding.tool === given.id && isSamePlan(plan, await planRun(toolpact, given))
    return isShown ? { answer: 'yes', by: readUserName(), via: 'terminal' } : approver.ask(asked, signal)
  }
  return runHere(opened, given, request, approvePlan)
}

/** Runs to the end, or until Ctrl-C leaves the run. `ask`: who approves the call of the workflow itself. */
async function runHere(opened: Opened, given: GivenWorkflow, request: Request, ask?: Approver): Promise<number> {
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
    ...(ask && { ask, askSteps: approver!.ask }),
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

interface Start extends RunFollow {
  readonly ask?: Approver
  readonly askSteps?: Approver
}

function start(
  toolpact: Toolpact,
  { id, input }: GivenWorkflow,
  { ask, askSteps, ...run }: Start,
): Promise<CallResult> {
  const approvers = { ...(ask && { approver: ask }), ...(askSteps && { innerApprover: askSteps }) }
  return toolpact.query().call(id, input, { caller: commandCaller, origin: { surface: 'cli' }, run, ...approvers })
}

import type { Toolpact } from '../../app/app.ts'
import { printable, printableJson } from '../../contract/text/printable.ts'
import { type RunState, runStates } from '../../runtime/storage/runs.ts'
import { toRunDetailsJson, toRunJson } from '../../surfaces/run-json.ts'
import type { Run, RunDetails } from '../../workflow/run/workflow-runs.ts'
import { type Command, type Options, type OptionTable, type Request, UsageError } from '../options/command.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Line, paint } from '../terminal/terminal.ts'
import { readUserName } from '../terminal/user-name.ts'
import { createLeaver, type Opened, openToDrive, printRun } from './drive-run.ts'
import { findRun, requireRuns } from './find-run.ts'
import { createStepPrinter, followRun } from './follow-run.ts'
import { decideStep, decisions } from './resume.ts'
import { toRunLines, toRunRows, toStatePart } from './run-lines.ts'

/** Of actions that let a run go on. */
const detaching = {
  detach: { type: 'boolean', about: 'do not follow the run: a running server continues it' },
} as const satisfies OptionTable

export const runs: Command = {
  usage: ['runs [list] [--state STATE] [--workflow NAME] [--caller NAME] [--limit N] [--after ID]', 'runs ACTION …'],
  about: `Lists runs of workflows, newest first. A run lasts until its last step has ended: it survives restarts, and may wait for days for an
approval or a point in time.`,
  options: {
    state: { type: 'string', value: runStates.join('|'), about: 'only runs in this state' },
    workflow: { type: 'string', value: 'NAME', about: 'only runs of this workflow' },
    caller: { type: 'string', value: 'NAME', about: 'only runs that this caller started' },
    limit: { type: 'string', value: 'N', about: 'max number of runs (default: 20)' },
    after: { type: 'string', value: 'ID', about: 'the last run of the previous page' },
  },
  examples: [
    ['toolpact runs', 'the newest runs'],
    ['toolpact runs --state needs_person', 'runs that wait for a decision'],
    ['toolpact runs --json --limit 100', 'for a script'],
  ],
  actions: {
    show: {
      summary: 'show a run with its steps',
      usage: ['runs show [ID] [--follow]'],
      about: `Shows a run: each step, what it waits for with the command that answers, and what it returned. A unique prefix of its id is
enough; the default is the newest run.`,
      options: { follow: { type: 'boolean', about: 'keep running and print each step as it ends' } },
      examples: [
        ['toolpact runs show 3f2a91c4', 'one run'],
        ['toolpact runs show --follow', 'the newest run, until it ends'],
      ],
    },
    cancel: {
      summary: 'end runs',
      usage: ['runs cancel ID …'],
      about: `Ends runs that have not ended. Steps that finished stay done; the step in flight is aborted. A unique prefix of an id is
enough.`,
      options: {},
      examples: [['toolpact runs cancel 3f2a91c4', 'end one run']],
    },
    resume: {
      summary: 'continue a run, and say what became of an interrupted step',
      usage: ['runs resume ID [--step STEP] [--done OUTPUT | --again | --failed] [--detach]'],
      about: `Continues a run in this terminal until it ends. If a process ended during a step that may not run twice, the run needs a person:
this shows what is known of the step, and asks what became of it.`,
      options: {
        step: { type: 'string', value: 'STEP', about: 'the interrupted step, if there are several' },
        done: {
          type: 'string',
          value: 'OUTPUT',
          about: 'the step took effect and returned this: JSON, @FILE for a file, - for stdin',
        },
        again: { type: 'boolean', about: 'the step did not take effect: run it again' },
        failed: { type: 'boolean', about: 'the step failed: go on as its onError says' },
        ...detaching,
      },
      examples: [
        ['toolpact runs resume 3f2a91c4', 'see what is known, and decide'],
        ['toolpact runs resume 3f2a91c4 --again', 'run the interrupted step again'],
        [`toolpact runs resume 3f2a91c4 --done '{"path":"report.md"}'`, 'it had taken effect'],
      ],
    },
    retry: {
      summary: 'run a failed run again, from its failed step',
      usage: ['runs retry ID [--detach]'],
      about: 'Runs a failed run again in this terminal, from its failed step. Steps that finished do not run again.',
      options: detaching,
      examples: [['toolpact runs retry 3f2a91c4', 'try the failed step again']],
    },
  },
  pages: ([action], { follow }) => action === undefined || action === 'list' || (action === 'show' && !follow),
  next: ([action]) => (action === undefined ? Object.keys(actions) : action === 'list' ? undefined : 'run'),
  async run(request) {
    const { positionals, options } = request
    const [action = 'list', ...ids] = positionals
    if (!Object.hasOwn(actions, action))
      throw new UsageError(`runs has no action '${action}'.`, `Use ${Object.keys(actions).join(', ')}.`)
    checkIds(action, ids)
    const drives = (action === 'resume' || action === 'retry') && !options.detach
    const opened = drives ? await openToDrive(request) : { toolpact: await request.open(reading(action)) }
    try {
      return await actions[action]!(opened, request, ids)
    } finally {
      await opened.toolpact.close()
    }
  },
}

function reading(action: string) {
  return action === 'list' || action === 'show' ? ({ access: 'read', start: 'never' } as const) : {}
}

/** `status`: of an action that lets a run go on in this terminal. */
type Action = (opened: Opened, request: Request, ids: readonly string[]) => Promise<number>

const actions: { readonly [name: string]: Action } = { list, show, cancel, resume, retry }

function checkIds(action: string, ids: readonly string[]) {
  const advice = 'Run `toolpact runs` to list the ids.'
  if (action === 'list' && ids.length > 0) throw new UsageError('runs list takes no id.', 'Use runs show ID.')
  if (action !== 'list' && action !== 'cancel' && ids.length > 1) throw new UsageError(`runs ${action} takes one id, but also got '${ids[1]}'.`) // biome-ignore format: one line
  if (action !== 'list' && action !== 'show' && ids.length === 0) throw new UsageError(`runs ${action} needs the id of a run.`, advice) // biome-ignore format: one line
}

async function list({ toolpact }: Opened, { options, terminal }: Request): Promise<number> {
  const runs = requireRuns(toolpact)
  const { caller } = options
  const limit = toLimit(options)
  const state = toState(options)
  const workflow = options.workflow === undefined ? undefined : await toWorkflowId(toolpact, options.workflow)
  const after = options.after === undefined ? undefined : await findRun(runs, options.after)
  const found = await runs.list({
    limit: limit + 1,
    ...(state && { state }),
    ...(workflow !== undefined && { workflow }),
    ...(caller !== undefined && { caller }),
    ...(after && { after }),
  })
  const shown = found.slice(0, limit)
  if (options.json) terminal.print(printableJson(shown.map(toRunJson)))
  else if (shown.length === 0) terminal.log('No matching runs are stored. Start one with `toolpact run NAME`.')
  else terminal.print(...toRunRows(shown, terminal.columns))
  if (!options.json && found.length > limit)
    terminal.log(paint('dim', `There are more: add --after ${shown.at(-1)!.id.slice(0, 8)}`))
  return exitCodes.success
}

function toLimit({ limit = '20' }: Options): number {
  if (/^[1-9]\d{0,3}$/.test(limit)) return Number(limit)
  throw new UsageError(`--limit cannot be '${limit}'.`, 'Use a number from 1 to 9999.')
}

function toState({ state }: Options): RunState | undefined {
  const found = runStates.find((each) => each === state)
  if (state !== undefined && !found)
    throw new UsageError(`--state cannot be '${state}'.`, `Use ${runStates.join(', ')}.`)
  return found
}

/** Resolves a bare name. An unknown one is kept: runs outlast their workflow. */
async function toWorkflowId({ catalog }: Toolpact, name: string): Promise<string> {
  const found = await catalog.find(name)
  if (found.kind === 'ambiguous')
    throw new UsageError(`Several tools match the name '${name}'.`, `Use one of ${found.ids.join(', ')}.`)
  return 'id' in found ? found.id : name
}

async function show(
  { toolpact }: Opened,
  { options, terminal }: Request,
  [prefix]: readonly string[],
): Promise<number> {
  const runs = requireRuns(toolpact)
  const found = await findRun(runs, prefix)
  const { signal } = terminal
  const print = createStepPrinter({ terminal, quiet: options.json })
  const run = options.follow ? await followRun(runs, found.id, { print, signal }) : found
  if (options.json) terminal.print(printableJson(toRunDetailsJson(run)))
  else terminal.print(...toRunLines(run, terminal.columns))
  return exitCodes.success
}

/** Looks up all ids before ending the first. */
async function cancel({ toolpact }: Opened, request: Request, prefixes: readonly string[]): Promise<number> {
  const runs = requireRuns(toolpact)
  const found: RunDetails[] = []
  for (const prefix of prefixes) found.push(await findRun(runs, prefix))
  const ended: Run[] = []
  for (const id of new Set(found.map(({ id }) => id))) ended.push(await runs.cancel(id, readUserName()))
  if (request.options.json) request.terminal.print(printableJson(ended.map(toRunJson)))
  else request.terminal.print(...ended.map(toCancelledLine))
  return exitCodes.success
}

function toCancelledLine({ id, workflow, progress: { done, total } }: Run): Line {
  return [paint('green', '✓ '), `Cancelled ${id.slice(0, 8)} (${printable(workflow)}). ${done} of ${total} steps had ended and stay as they are.`] // biome-ignore format: one line
}

async function resume(opened: Opened, request: Request, [prefix]: readonly string[]): Promise<number> {
  const { options, terminal } = request
  const runs = requireRuns(opened.toolpact)
  let run = await findRun(runs, prefix)
  const isDecided = decisions(options).length > 0 || options.step !== undefined
  if (!isDecided) refuseEnded(run)
  // Whether a step was interrupted shows when the run goes on, if no process has looked at it since.
  if (run.state === 'running' || (run.state === 'waiting' && !isDecided)) run = await goOn(opened, request, run)
  else if (run.state !== 'needs_person') await decideStep(run, request)
  while (run.state === 'needs_person' && !terminal.signal.aborted) {
    const decision = await decideStep(run, request)
    if (!decision) {
      terminal.log('Nothing was decided. The run still needs a person.')
      return exitCodes.failed
    }
    await runs.resume(run.id, decision, readUserName())
    run = await goOn(opened, request, run)
    // An option decides about one step.
    if (isDecided) break
  }
  return printLast(run, request)
}

async function retry(opened: Opened, request: Request, [prefix]: readonly string[]): Promise<number> {
  const runs = requireRuns(opened.toolpact)
  const run = await findRun(runs, prefix)
  await runs.retry(run.id, readUserName())
  return printLast(await goOn(opened, request, run), request)
}

function refuseEnded({ id, state }: RunDetails) {
  if (state !== 'completed' && state !== 'failed' && state !== 'cancelled') return
  const advice = state === 'failed' ? `Run it again from its failed step: toolpact runs retry ${id.slice(0, 8)}` : undefined // biome-ignore format: one line
  throw new UsageError(`The run ${id.slice(0, 8)} has ended: ${state}.`, advice)
}

/** Lets a run go on in this terminal, until it ends, needs a person or is left; with `--detach`, not here. */
async function goOn({ toolpact, status }: Opened, request: Request, { id }: RunDetails): Promise<RunDetails> {
  const { options, terminal } = request
  const runs = requireRuns(toolpact)
  if (options.detach) return (await runs.find(id))!
  const { signal, look, stop } = createLeaver(request)
  const printSteps = createStepPrinter({ terminal, status, quiet: options.json })
  const print = (run: RunDetails) => {
    printSteps(run)
    look(run)
  }
  const [run] = await Promise.all([followRun(runs, id, { print, signal }), runs.wait(id, { signal })]).finally(stop)
  status?.show(undefined)
  return run
}

async function printLast(run: RunDetails, request: Request): Promise<number> {
  const { options, terminal } = request
  if (!options.detach) return printRun(run, request)
  const id = run.id.slice(0, 8)
  if (options.json) terminal.print(printableJson(toRunJson(run)))
  else terminal.print([`Run ${id}: `, toStatePart(run.state)], `To follow it: toolpact runs show ${id} --follow`)
  return exitCodes.success
}

import type { Toolpact } from '../../app/app.ts'
import type { Run, RunDetails, WorkflowRuns } from '../../workflow/run/workflow-runs.ts'
import { UsageError } from '../options/command.ts'

/** The runs of workflows; some storages have none. */
export function requireRuns({ runs }: Pick<Toolpact, 'runs'>): WorkflowRuns {
  if (runs) return runs
  throw new UsageError(
    'This storage keeps no runs of workflows.',
    'Use the state directory of the default storage, or Postgres, and run any command that writes to it once.',
  )
}

/** Finds a run by a unique prefix of its id; without one, the newest. */
export async function findRun(runs: WorkflowRuns, prefix: string | undefined): Promise<RunDetails> {
  const id = prefix === undefined ? (await runs.list({ limit: 1 }))[0]?.id : await findId(runs, prefix.toLowerCase())
  const run = id === undefined ? undefined : await runs.find(id)
  if (run) return run
  if (prefix === undefined)
    throw new UsageError('There are no runs of workflows.', 'Start one with `toolpact run NAME`.')
  throw new UsageError(`No run has an id that starts with '${prefix}'.`, 'Run `toolpact runs` to list the ids.')
}

const idLength = 36
const pageSize = 1000

async function findId(runs: WorkflowRuns, prefix: string): Promise<string | undefined> {
  if (prefix.length === idLength) return prefix
  const found: string[] = []
  for await (const { id } of readAll(runs)) if (id.startsWith(prefix)) found.push(id)
  if (found.length > 1)
    throw new UsageError(`${found.length} runs have an id that starts with '${prefix}'.`, 'Use a longer prefix.')
  return found[0]
}

/** The storage bounds how many there are. */
async function* readAll(runs: WorkflowRuns): AsyncGenerator<Run> {
  let after: Run | undefined
  do {
    const page: Run[] = await runs.list({ limit: pageSize, ...(after && { after }) })
    yield* page
    after = page.length < pageSize ? undefined : page.at(-1)
  } while (after)
}

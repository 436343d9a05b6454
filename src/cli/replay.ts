import { readRun } from '../agent/read-run.ts'
import type { Toolpact } from '../app/app.ts'
import { askAndPrint } from './ask/ask.ts'
import { findCallId } from './ledger/calls.ts'
import { type Command, UsageError } from './options/command.ts'
import { chooseApprover } from './terminal/choose-approver.ts'
import { paint, type Terminal } from './terminal/terminal.ts'
import { readUserName } from './terminal/user-name.ts'

export const replay: Command = {
  usage: ['replay [ID]'],
  about: `Reruns the plan of a question without a model, with the same checks and through the pipeline. It is a new run and asks for approval again.
A unique prefix of the run's id is enough; the default is the newest run. Only tools that were offered in the original run can be called.`,
  options: {},
  examples: [
    ['toolpact replay 1a2b3c4d', 'rerun one plan'],
    ['toolpact replay --json', 'rerun the newest plan, print JSON'],
  ],
  next: (before) => (before.length === 0 ? 'call' : undefined),
  async run(request) {
    const { positionals, options, open, terminal } = request
    const [prefix, ...more] = positionals
    if (more.length > 0) throw new UsageError(`replay takes one id, but also got '${more[0]}'.`)
    const approver = chooseApprover(terminal, options, () => toolpact.approvals)
    const toolpact: Toolpact = await open({ approver: approver.ask, person: readUserName(), start: 'eager' })
    try {
      const { ledger } = toolpact
      const callId = await findCallId(ledger, prefix, { tool: 'agent.ask' })
      const recorded = readRun((await ledger.read({ callId })).map(({ record }) => record))
      if ('fault' in recorded)
        throw new UsageError(
          `The run ${callId} cannot be replayed. ${recorded.fault}`,
          'Ask again with `toolpact ask`.',
        )
      const { question, tools, planner, digest } = recorded
      return await askAndPrint(toolpact, question, {
        request,
        approver,
        planner,
        only: tools,
        replays: callId,
        onEnd: (runId) => printChange(toolpact, { digest, runId, terminal }),
      })
    } finally {
      await toolpact.close()
    }
  },
}

/** The plan was made for other contracts, so the result may differ. */
async function printChange(
  { ledger }: Toolpact,
  { digest, runId, terminal }: { digest: string; runId: string; terminal: Terminal },
): Promise<void> {
  const records = (await ledger.read({ callId: runId })).map(({ record }) => record)
  const now = records.find((record) => record.kind === 'step' && record.stage === 'catalogue')
  if (now?.kind === 'step' && now.details.digest !== digest)
    terminal.log(paint('yellow', 'The tools have changed since the original run.'))
}

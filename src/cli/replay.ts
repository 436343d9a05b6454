import { readRun } from '../agent/read-run.ts'
import type { Toolpact } from '../app/app.ts'
import { askAndPrint } from './ask/ask.ts'
import { findCallId } from './ledger/find-call-id.ts'
import { type Command, UsageError } from './options/command.ts'
import { chooseApprover } from './terminal/choose-approver.ts'
import { paint, type Terminal } from './terminal/terminal.ts'

export const replay: Command = {
  usage: ['replay [ID]'],
  about: `Runs the plan of a question again, through the same gates and the pipeline, without a model. It is a run of its own, and asks for approval as the first one did.
The first characters of the id of the run are enough; without one it is the newest. Tools that were not offered then are not offered now.`,
  options: {},
  examples: [
    ['toolpact replay 1a2b3c4d', 'the same plan again'],
    ['toolpact replay --json', 'the newest one, for a script'],
  ],
  async run(request) {
    const { positionals, options, open, terminal } = request
    const [prefix, ...more] = positionals
    if (more.length > 0) throw new UsageError(`replay takes one id, and got '${more[0]}' too.`)
    const approver = chooseApprover(terminal, options, () => toolpact.approvals)
    const toolpact: Toolpact = await open({ approver: approver.ask, start: 'eager' })
    try {
      const { ledger } = toolpact
      const callId = await findCallId(ledger, prefix, { tool: 'agent.ask' })
      const recorded = readRun((await ledger.read({ callId })).map(({ record }) => record))
      if ('fault' in recorded)
        throw new UsageError(`The run ${callId} cannot be run again. ${recorded.fault}`, 'Ask again with toolpact ask.')
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

/** A plan that is judged by other contracts than those it was made for may end otherwise. */
async function printChange(
  { ledger }: Toolpact,
  { digest, runId, terminal }: { digest: string; runId: string; terminal: Terminal },
): Promise<void> {
  const records = (await ledger.read({ callId: runId })).map(({ record }) => record)
  const now = records.find((record) => record.kind === 'step' && record.stage === 'catalogue')
  if (now?.kind === 'step' && now.details.digest !== digest)
    terminal.log(paint('yellow', 'The tools that were offered then have changed since.'))
}

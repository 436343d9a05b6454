import type { ActionHelp } from '../../options/command.ts'

export const newWorkflowHelp: ActionHelp = {
  summary: 'create a workflow of tools, or from a session',
  usage: ['new workflow NAME TOOL … [--contracts DIR]', 'new workflow NAME --from SESSION [--contracts DIR]'],
  about: `Begins a workflow: a document that calls tools one after another, in a folder of your own (default: tools), to be served
with --contracts. A required parameter comes from an output of the same name of an earlier step if its type fits, else
from the input of the workflow. Missing parts are asked for at a terminal. Existing files are never overwritten.

With --from, the steps are the calls of a session of toolpact chat that succeeded, or of a question of toolpact ask by its
id in the ledger. Values that an earlier call of the session returned become references; all others become inputs. It is
written as NAME.draft.json, which is not served: review it first.`,
  options: {
    description: { type: 'string', value: 'TEXT', about: 'what the workflow does, in a sentence' },
    from: { type: 'string', value: 'SESSION', about: 'the session or agent run whose calls become steps, by its id' },
  },
  examples: [
    ['toolpact new workflow', 'asks for everything'],
    ['toolpact new workflow save_page web.fetch create_file', 'two steps'],
    ['toolpact new workflow weekly_report --from 3f2a91c4', 'the calls of a session, for review'],
  ],
}

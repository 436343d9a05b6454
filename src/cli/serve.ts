import { type Command, UsageError } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { printTools } from './list.ts'

export const serve: Command = {
  usage: ['serve'],
  about: 'Will serve the tools over MCP and HTTP. There is no server yet: it lists what would be served.',
  options: {},
  examples: [['toolpact serve', 'what would be served']],
  async run({ positionals, terminal, open }) {
    if (positionals.length > 0) throw new UsageError(`serve takes no name, and got '${positionals[0]}'.`)
    const toolpact = await open({ storage: 'memory' })
    printTools(await toolpact.catalog.all(), terminal)
    await toolpact.close()
    terminal.tell('', 'The server is still to come: these tools will be served over MCP and HTTP.')
    terminal.tell('Call them now with toolpact call TOOL, or from a program with openToolpact().')
    return exitCodes.success
  },
}

import { printableJson } from '../contract/text/printable.ts'
import { type Command, UsageError } from './options/command.ts'
import { makeConsoleLink } from './serve/make-console-link.ts'
import { exitCodes } from './terminal/exit-codes.ts'
import { openBrowser } from './terminal/open-browser.ts'

export const open: Command = {
  usage: ['open [--port N] [--view-only] [--print]'],
  about: `Opens the console of a running toolpact serve in the browser, signed in as you. There you answer the questions of calls, watch
them and look them up. The link works once, within an hour; the browser stays signed in for twelve hours.`,
  options: {
    port: { type: 'string', value: 'N', about: 'the port of the server (default: that of one that runs)' },
    host: { type: 'string', value: 'ADDRESS', about: 'its address (default: 127.0.0.1)' },
    'view-only': { type: 'boolean', about: 'sign in with the right to look, but not to answer or change anything' },
    print: { type: 'boolean', about: 'print the link instead of opening it' },
  },
  examples: [
    ['toolpact open', 'open the console'],
    ['toolpact open --view-only --print', 'print a link for someone who should only look'],
  ],
  async run(request) {
    const { positionals, options, terminal } = request
    if (positionals.length > 0) throw new UsageError(`open takes no name, but got '${positionals[0]}'.`)
    const link = await makeConsoleLink(request)
    const isOpened = !options.print && !options.json && (await openBrowser(link))
    if (options.json) terminal.print(printableJson({ url: link }))
    else if (isOpened) terminal.print(`Opened ${new URL(link).origin}/console in the browser.`)
    else {
      if (!options.print) terminal.log('No browser could be opened. Use this link; it works once:')
      terminal.print(link)
    }
    return exitCodes.success
  },
}

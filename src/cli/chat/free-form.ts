import type { Toolpact } from '../../app/app.ts'
import type { Config } from '../../app/config/config.ts'
import { printable } from '../../contract/text/printable.ts'
import { openChosenConfig } from '../options/chosen-config.ts'
import type { Request } from '../options/command.ts'
import { openTty } from '../terminal/prompt/open-tty.ts'
import { paint } from '../terminal/terminal.ts'
import { readUserName } from '../terminal/user-name.ts'

/** Who may read output without a schema; undefined if not decided yet. */
type FreeFormOutput = NonNullable<Config['agent']>['freeFormOutput']

/**
 * Decides whether the model may read output of tools without an output schema: by the option, the config, or by asking the
 * user once and saving the answer in the config.
 */
export function chooseFreeForm(
  { config }: Pick<Toolpact, 'config'>,
  request: Request,
  whileAsking: <Result>(ask: () => Promise<Result>) => Promise<Result>,
): (tool: string) => Promise<boolean> {
  const { options } = request
  const known = options['free-form'] ? 'chat' : config.agent?.freeFormOutput
  let answer: Promise<boolean> | undefined
  return async (tool) => {
    if (known !== undefined) return known !== 'people'
    if (options.prompt !== undefined) return false
    answer ??= whileAsking(() => askOnce(tool, request))
    return answer
  }
}

async function askOnce(tool: string, request: Request): Promise<boolean> {
  const tty = openTty()
  if (!tty) return false
  try {
    tty.print([
      '',
      paint('bold', `${printable(tool)} has no output schema. May the model read what such tools return?`),
      'It is quoted as data and hidden characters are removed, but nothing checks it: it may try to instruct the model.',
      '  y     yes, in every chat in this folder',
      '  n     no: you see such output, the model does not',
      '  Enter not in this session; ask again in the next one',
    ])
    const typed = await tty.ask(paint('bold', 'Your choice (y/n/Enter): '), request.terminal.signal)
    const reads = /^y(?:es)?$/i.test(typed?.trim() ?? '')
    if (reads || /^no?$/i.test(typed?.trim() ?? '')) await save(reads ? 'chat' : 'people', request)
    return reads
  } finally {
    tty.close()
  }
}

async function save(value: NonNullable<FreeFormOutput>, request: Request): Promise<void> {
  if (request.options['no-config']) return
  const changes = await openChosenConfig(request).set([{ path: ['agent', 'freeFormOutput'], value }], readUserName())
  for (const { path } of changes)
    request.terminal.log(paint('dim', `Saved "agent": { "freeFormOutput": "${value}" } in ${path}.`))
}

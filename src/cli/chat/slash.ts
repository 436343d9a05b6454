import type { Chat } from '../../agent/chat/chat.ts'
import type { Toolpact } from '../../app/app.ts'
import type { Restored } from '../../capabilities/restore.ts'
import { nearest } from '../../contract/text/nearest.ts'
import { printable } from '../../contract/text/printable.ts'
import { printTools } from '../list.ts'
import type { Request } from '../options/command.ts'
import { listRules } from '../rules/list.ts'
import { toColumns } from '../terminal/columns.ts'
import { type Line, paint } from '../terminal/terminal.ts'

interface SlashContext {
  readonly chat: Chat
  readonly request: Request
  readonly toolpact: Toolpact
  readonly session: string
}

/** Runs what a person typed with a slash before it. Gives whether the session ends. */
export async function runSlash(text: string, context: SlashContext): Promise<boolean> {
  const name = text.slice(1).trim()
  const { terminal } = context.request
  if (name === 'exit') return true
  if (Object.hasOwn(commands, name)) {
    await commands[name]!.run(context)
    return false
  }
  const close = nearest(name, Object.keys(commands))
  terminal.log(`There is no /${printable(name)}. ${close ? `Did you mean /${close}?` : '/help shows what there is.'}`)
  return false
}

interface SlashCommand {
  readonly about: string
  readonly run: (context: SlashContext) => Promise<void>
}

const commands: { readonly [name: string]: SlashCommand } = {
  tools: {
    about: 'the tools that the model may call',
    async run({ toolpact, request, session }) {
      printTools(await toolpact.catalog.all({ name: 'agent', session }), request.terminal)
    },
  },
  rules: {
    about: 'the rules about calls',
    async run({ toolpact, request }) {
      await listRules(toolpact, { ...request, options: {} }, [])
    },
  },
  undo: { about: 'put back the files that the last step changed; again: the step before', run: undo },
  help: {
    about: 'this',
    async run({ request }) {
      request.terminal.print(
        ...toColumns(Object.entries(commands).map(([name, { about }]) => [`  /${name}`, about])),
        '  Ctrl-C stops the step, and on an empty line ends the session.',
      )
    },
  },
  exit: { about: 'end the session; it is kept', run: async () => {} },
}

async function undo({ chat, request: { terminal } }: SlashContext) {
  const undone = await chat.undo()
  if (!undone) terminal.log('There is nothing to undo: no step of this session has changed files, or all are undone.')
  else terminal.print(`Step ${undone.step} is undone:`, ...undone.files.map(toFileLine))
}

const words: { readonly [outcome in Restored['outcome']]: string } = {
  restored: 'is as it was',
  removed: 'is gone, as it was',
  same: 'was as before',
  changed: 'is left alone',
  too_large: 'is left alone',
  failed: 'could not be put back',
}

function toFileLine({ path, outcome, reason }: Restored): Line {
  const isDone = ['restored', 'removed', 'same'].includes(outcome)
  const mark = isDone ? paint('green', '  ✓ ') : paint('yellow', '  ! ')
  return [mark, printable(`${path} ${words[outcome]}${reason === undefined ? '' : `: ${reason}`}`)]
}

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

/** Runs a slash command. Returns whether the session ends. */
export async function runSlash(text: string, context: SlashContext): Promise<boolean> {
  const name = text.slice(1).trim()
  const { terminal } = context.request
  if (name === 'exit') return true
  if (Object.hasOwn(commands, name)) {
    await commands[name]!.run(context)
    return false
  }
  const close = nearest(name, Object.keys(commands))
  terminal.log(`There is no /${printable(name)}. ${close ? `Did you mean /${close}?` : 'Type /help for a list.'}`)
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
    about: 'the approval rules',
    async run({ toolpact, request }) {
      await listRules(toolpact, { ...request, options: {} }, [])
    },
  },
  undo: { about: 'restore the files that the last step changed; repeat for earlier steps', run: undo },
  help: {
    about: 'this',
    async run({ request }) {
      request.terminal.print(
        ...toColumns(Object.entries(commands).map(([name, { about }]) => [`  /${name}`, about])),
        '  Ctrl-C stops the current step; on an empty line it ends the session.',
      )
    },
  },
  exit: { about: 'end the session; you can continue it later', run: async () => {} },
}

async function undo({ chat, request: { terminal } }: SlashContext) {
  const undone = await chat.undo()
  if (!undone) terminal.log('Nothing to undo: no step of this session has changed files, or all are undone already.')
  else terminal.print(`Undid step ${undone.step}:`, ...undone.files.map(toFileLine))
}

const words: { readonly [outcome in Restored['outcome']]: string } = {
  restored: 'was restored',
  removed: 'was removed again',
  same: 'was unchanged',
  changed: 'was left alone',
  too_large: 'was left alone',
  failed: 'could not be restored',
}

function toFileLine({ path, outcome, reason }: Restored): Line {
  const isDone = ['restored', 'removed', 'same'].includes(outcome)
  const mark = isDone ? paint('green', '  ✓ ') : paint('yellow', '  ! ')
  return [mark, printable(`${path} ${words[outcome]}${reason === undefined ? '' : `: ${reason}`}`)]
}

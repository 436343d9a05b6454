import { type CompleterResult, createInterface } from 'node:readline'
import type { Chat } from '../../agent/chat/chat.ts'
import { fromKept } from '../../agent/chat/chat-entry.ts'
import type { Toolpact } from '../../app/app.ts'
import type { Model } from '../../capabilities/model.ts'
import type { Restored } from '../../capabilities/restore.ts'
import { nearest } from '../../contract/text/nearest.ts'
import { printable } from '../../contract/text/printable.ts'
import { shorten } from '../../contract/text/shorten.ts'
import { printTools } from '../list.ts'
import type { Request } from '../options/command.ts'
import { listRules } from '../rules/list.ts'
import { toColumns, toLocalTime } from '../terminal/columns.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Line, paint, type Terminal } from '../terminal/terminal.ts'
import { completeInput } from './complete-input.ts'
import { toGutterRows } from './gutter.ts'

interface TalkOptions {
  readonly request: Request
  readonly toolpact: Toolpact
  readonly model: Model
  readonly session: string
}

/** An interactive session: reads questions until the user ends it. */
export async function talk(
  open: () => Promise<Chat>,
  { request, toolpact, model, session }: TalkOptions,
): Promise<number> {
  const { terminal } = request
  const id = session.slice(0, 8)
  terminal.log(paint('dim', `${model.name} works in ${toolpact.workspace}, session ${id}. Type /help for commands.`))
  const chat = await open()
  await printWhereLeftOff(toolpact, session, terminal)
  const lines = readLines((line) =>
    completeInput(line, { commands: Object.keys(commands), folder: toolpact.workspace }),
  )
  while (!terminal.signal.aborted) {
    const text = (await lines.next(terminal.signal))?.trim()
    if (text === undefined) break
    if (text === '') continue
    if (!text.startsWith('/')) await sayUntilStopped(text)
    else if (await runSlash(text, { chat, request, toolpact, session })) break
  }
  const [kept] = await toolpact.sessions.find(session)
  if (kept) terminal.log(paint('dim', `To continue: toolpact chat --session ${id}`))
  return exitCodes.success

  /** The first Ctrl-C stops the step, the next ends the session. */
  async function sayUntilStopped(text: string) {
    const stop = new AbortController()
    const release = terminal.onInterrupt(() => {
      const isFirst = !stop.signal.aborted
      stop.abort()
      return isFirst
    })
    await chat.say(text, AbortSignal.any([stop.signal, terminal.signal])).finally(release)
  }
}

/** Pasted lines arrive within this time of each other. */
const pasteMs = 30

/** Reads input with history. Releases the terminal between questions, so that approvals can use it. */
function readLines(complete: (line: string) => Promise<CompleterResult>) {
  let history: string[] = []
  return {
    /** Undefined at end of input, on Ctrl-C in an empty line, and when the signal aborts. */
    next(signal: AbortSignal): Promise<string | undefined> {
      const reader = createInterface({
        ...{ input: process.stdin, output: process.stdout, terminal: true },
        ...{ prompt: '> ', signal, history, historySize: 200, removeHistoryDuplicates: true },
        completer: (line: string, callback: (error: null, result: CompleterResult) => void) =>
          void complete(line).then((found) => callback(null, found)),
      })
      return new Promise((resolve) => {
        const typed: string[] = []
        const end = (text: string | undefined) => {
          resolve(text)
          reader.close()
        }
        reader.on('line', (line) => {
          if (typed.push(line) === 1) setTimeout(() => end(typed.join('\n')), pasteMs)
        })
        reader.on('SIGINT', () => {
          if (reader.line === '') end(undefined)
          else reader.write(null, { ctrl: true, name: 'u' })
        })
        reader.on('history', (lines) => {
          history = lines
        })
        reader.on('close', () => resolve(undefined))
        reader.prompt()
      })
    },
  }
}

const maxQuestion = 200
const maxAnswerRows = 6

/** The last question and the beginning of its answer, in a session that is continued. */
async function printWhereLeftOff({ sessions }: Toolpact, session: string, terminal: Terminal): Promise<void> {
  const [known] = await sessions.find(session)
  if (!known) return
  const entries = fromKept(await sessions.read(session))
  const asked = entries.findLastIndex(({ kind }) => kind === 'user')
  const question = entries[asked]
  if (question?.kind !== 'user') return
  const end = entries.slice(asked).findLast((entry) => entry.kind === 'end')
  const answer = entries.slice(asked).findLast((entry) => entry.kind === 'answer' && entry.text !== '')
  const rows = answer?.kind === 'answer' ? toGutterRows(answer.text.trimEnd(), terminal.columns) : []
  terminal.log(
    paint('dim', `Last question, ${toLocalTime(question.at)}:`),
    `  ${printable(shorten(question.text.replace(/\s+/g, ' '), maxQuestion))}`,
    ...rows.slice(0, maxAnswerRows),
    ...(rows.length > maxAnswerRows
      ? [paint('dim', `│ … To see it all: toolpact sessions show ${session.slice(0, 8)}`)]
      : []),
    ...(end?.kind === 'end' && end.outcome !== 'answered'
      ? [paint('dim', `  (${end.outcome}${end.code ? `: ${end.code}` : ''})`)]
      : []),
  )
}

interface SlashContext {
  readonly chat: Chat
  readonly request: Request
  readonly toolpact: Toolpact
  readonly session: string
}

/** Runs a slash command. Returns whether the session ends. */
async function runSlash(text: string, context: SlashContext): Promise<boolean> {
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

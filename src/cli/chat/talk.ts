import { createInterface } from 'node:readline'
import type { Chat } from '../../agent/chat/chat.ts'
import type { Toolpact } from '../../app/app.ts'
import type { Model } from '../../capabilities/model.ts'
import type { Request } from '../options/command.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { paint } from '../terminal/terminal.ts'
import { runSlash } from './slash.ts'

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
  const lines = readLines()
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
function readLines() {
  let history: string[] = []
  return {
    /** Undefined at end of input, on Ctrl-C in an empty line, and when the signal aborts. */
    next(signal: AbortSignal): Promise<string | undefined> {
      const reader = createInterface({
        ...{ input: process.stdin, output: process.stdout, terminal: true },
        ...{ prompt: '> ', signal, history, historySize: 200, removeHistoryDuplicates: true },
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

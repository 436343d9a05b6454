import { randomUUID } from 'node:crypto'
import type { Chat, ChatOptions } from '../../agent/chat/chat.ts'
import type { ChatEvent, EndEvent } from '../../agent/chat/chat-event.ts'
import type { Toolpact } from '../../app/app.ts'
import type { Model } from '../../capabilities/model.ts'
import { printableJson } from '../../contract/text/printable.ts'
import { type Approver, toDenier } from '../../runtime/approval/approver.ts'
import { allowSending, type Command, type Options, type Request, UsageError } from '../options/command.ts'
import { toTimeoutMs } from '../options/to-timeout.ts'
import { findSession } from '../sessions.ts'
import { chooseApprover } from '../terminal/choose-approver.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { paint } from '../terminal/terminal.ts'
import { chooseFreeForm } from './free-form.ts'
import { type ShownEvents, showEvents } from './show-events.ts'

export const chat: Command = {
  usage: ['chat [--continue | --session ID]', 'chat -p QUESTION [--yes] [--json]'],
  about: `Works with a model that calls tools, step by step, until it has said all. Every call is checked, decided and recorded
as any other; where a call asks, you are asked. Ctrl-C stops the step, then the session; /help tells what else there is.
With -p one question is worked on and nobody is asked: what asks is refused, unless a rule or --yes allows it.
The model is the one of TOOLPACT_MODEL_URL, TOOLPACT_MODEL and TOOLPACT_MODEL_KEY, or of model in the config.`,
  options: {
    prompt: {
      type: 'string',
      short: 'p',
      value: 'QUESTION',
      about: 'answer one question without asking for approval, then exit',
    },
    continue: { type: 'boolean', about: 'continue the last session of this workspace' },
    session: { type: 'string', value: 'ID', about: 'continue this session; a unique prefix of its id is enough' },
    'max-steps': { type: 'string', value: 'N', about: 'max model requests per question (default: 25)' },
    'free-form': { type: 'boolean', about: 'let the model read output without a schema' },
    'single-step': { type: 'boolean', about: 'one tool call for each question' },
    timeout: { type: 'string', value: 'SECONDS', about: 'timeout of each model request (default: 30)' },
    ...allowSending,
  },
  examples: [
    ['toolpact chat', 'start a session'],
    ['toolpact chat --continue', 'continue the last session'],
    ['toolpact chat -p "Which files mention TODO?"', 'one question, for a script'],
    ['toolpact chat -p "Format notes.md" --yes --json', 'approve every call, print events as JSON lines'],
  ],
  async run(request) {
    const { options, terminal, open, positionals } = request
    const bounds = checkUsage(options, positionals)
    const { prompt } = options
    const shown = showEvents(terminal)
    const chosen = chooseApprover(terminal, options, () => toolpact.approvals)
    const { isBlind = false } = chosen.ask
    const ask = (...asked: Parameters<Approver>) => shown.whileAsking(() => chosen.ask(...asked))
    const askPerson: Approver = Object.assign(ask, { isBlind })
    const alone = prompt !== undefined && !options.yes
    const toolpact: Toolpact = await open({
      approver: alone ? askNobody : askPerson,
      start: 'eager',
      ...(!options['allow-sending'] && { dataFlow: 'session' }),
    })
    try {
      const { openLazyModel } = await import('../../capabilities/model/open-lazy-model.ts')
      const model = openLazyModel({ environment: process.env, config: toolpact.config.model })
      // At a terminal, report problems before the user types a question.
      if (prompt === undefined && model.fault) throw new UsageError(model.fault.message, model.fault.suggestion)
      const session = await chooseSession(toolpact, options)
      const readsFreeForm = chooseFreeForm(toolpact, request, shown.whileAsking)
      const chat = (onEvent: (event: ChatEvent) => void) =>
        openSession(toolpact, { session, model, bounds, onEvent, readsFreeForm })
      if (prompt !== undefined) return await sayOnce(chat, prompt, { request, model, session, shown })
      const { talk } = await import('./talk.ts')
      return await talk(() => chat(shown.show), { request, toolpact, model, session })
    } finally {
      await toolpact.close()
    }
  },
}

const askNobody = toDenier('no one: chat -p does not ask')

interface Bounds {
  readonly maxSteps?: number
  readonly timeoutMs?: number
  readonly singleStep?: true
}

function checkUsage(options: Options, [extra]: readonly string[]): Bounds {
  const { prompt, json, session, continue: goesOn, 'max-steps': steps } = options
  if (extra !== undefined) throw new UsageError('chat takes no arguments.', 'Quote the question: chat -p "QUESTION".')
  if (goesOn && session !== undefined) throw new UsageError('Give --continue or --session, not both.')
  if (prompt !== undefined && prompt.trim() === '') throw new UsageError('The question after -p is empty.')
  if (prompt === undefined && json) throw new UsageError('chat --json needs a question.', 'Add -p QUESTION.')
  if (prompt === undefined && !(process.stdin.isTTY && process.stdout.isTTY))
    throw new UsageError('chat needs a terminal.', 'Add -p QUESTION to use it without one.')
  const timeoutMs = toTimeoutMs(options.timeout)
  return {
    ...toMaxSteps(steps),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(options['single-step'] && { singleStep: true }),
  }
}

const stepLimit = 1000

function toMaxSteps(text: string | undefined): Bounds {
  if (text === undefined) return {}
  const maxSteps = /^\d+$/.test(text) ? Number(text) : 0
  if (maxSteps >= 1 && maxSteps <= stepLimit) return { maxSteps }
  throw new UsageError(`--max-steps cannot be '${text}'.`, `Use a number from 1 to ${stepLimit}.`)
}

/** The id of an existing session, or of a new one. */
async function chooseSession({ sessions, workspace }: Toolpact, options: Options): Promise<string> {
  if (options.continue) {
    const [last] = await sessions.list({ workspace, limit: 1 })
    if (last) return last.id
    throw new UsageError('This workspace has no session to continue.', 'Run `toolpact sessions` to list all sessions.')
  }
  if (options.session === undefined) return randomUUID()
  const found = await findSession(sessions, options.session)
  if (found.workspace === workspace) return found.id
  throw new UsageError(
    `The session ${found.id.slice(0, 8)} belongs to the folder ${found.workspace}.`,
    'Continue it there, or name that folder with --workspace.',
  )
}

interface SessionOptions extends Pick<ChatOptions, 'readsFreeForm'> {
  readonly session: string
  readonly model: Model
  readonly bounds: Bounds
  readonly onEvent: (event: ChatEvent) => void
}

async function openSession(toolpact: Toolpact, { bounds, ...options }: SessionOptions): Promise<Chat> {
  const { openChat } = await import('../../agent/chat/chat.ts')
  // Wait for servers, otherwise their tools would be missing.
  await toolpact.upstreams.statuses()
  const { policy } = toolpact.config
  return openChat(toolpact, { ...options, singleStep: policy?.singleStep || policy?.requireQuery || false, ...bounds })
}

async function sayOnce(
  open: (onEvent: (event: ChatEvent) => void) => Promise<Chat>,
  prompt: string,
  { request, model, session, shown }: { request: Request; model: Model; session: string; shown: ShownEvents },
): Promise<number> {
  const { options, terminal } = request
  if (options.json) {
    terminal.print(printableJson({ type: 'begin', session, model: model.name }))
    const skipped = ['text', 'asking']
    const chat = await open((event) => skipped.includes(event.type) || terminal.print(printableJson(event)))
    return toExitCode(await chat.say(prompt, terminal.signal))
  }
  const chat = await open(shown.show)
  const end = await chat.say(prompt, terminal.signal)
  if (end.refused > 0 && !options.yes)
    terminal.log(
      'chat -p asks no one, so calls that need approval are refused. Allow them with --yes, or with a rule: toolpact rules add --help.',
      ...(options['allow-sending'] ? [] : ['--allow-sending lets the session send data to new hosts.']),
    )
  terminal.log(
    paint('dim', `Session ${session.slice(0, 8)}. To continue: toolpact chat --session ${session.slice(0, 8)}`),
  )
  return toExitCode(end)
}

function toExitCode({ outcome, refused, code }: EndEvent): number {
  if (outcome === 'answered') return refused > 0 ? exitCodes.refused : exitCodes.success
  if (outcome === 'stopped') return exitCodes.interrupted
  return code === 'timeout' ? exitCodes.later : exitCodes.failed
}

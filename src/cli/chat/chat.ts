import { randomUUID } from 'node:crypto'
import type { Chat, ChatOptions } from '../../agent/chat/chat.ts'
import type { ChatEvent, EndEvent } from '../../agent/chat/chat-entry.ts'
import type { Toolpact } from '../../app/app.ts'
import type { Config } from '../../app/config/config.ts'
import type { Model } from '../../capabilities/model.ts'
import { printable, printableJson } from '../../contract/text/printable.ts'
import { type Approver, toDenier } from '../../runtime/approval/approver.ts'
import { openChosenConfig } from '../options/chosen-config.ts'
import { allowSending, type Command, type Options, type Request, UsageError } from '../options/command.ts'
import { toTimeoutMs } from '../options/option-values.ts'
import { findSession } from '../sessions.ts'
import { chooseApprover } from '../terminal/choose-approver.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { openTty } from '../terminal/prompt/open-tty.ts'
import { paint, type Terminal } from '../terminal/terminal.ts'
import { readUserName } from '../terminal/user-name.ts'
import { waitForServers } from '../terminal/wait-for-servers.ts'
import { type ShownEvents, showEvents } from './show-events.ts'

export const chat: Command = {
  usage: ['chat [--continue | --session ID]', 'chat -p QUESTION [--yes] [--json]'],
  about: `Works with a model that calls tools, step by step, until the model is done. Every call is checked and recorded
like any other, and asks you where it needs approval. Ctrl-C stops the step, then the session; /help lists the commands.
-p answers one question without asking for approval: a call that needs it is refused, unless a rule or --yes allows it.
The model is set by TOOLPACT_MODEL_URL, TOOLPACT_MODEL and TOOLPACT_MODEL_KEY, or by model in the config.`,
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
    timeout: { type: 'string', value: 'SECONDS', about: 'how long the model may be silent (default: 30)' },
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
        openSession(toolpact, {
          ...{ session, model, bounds, onEvent, readsFreeForm, terminal },
          ...(!options.json && { onProgress: shown.status.setProgress, onOutput: shown.status.addOutput }),
        })
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

interface SessionOptions extends Pick<ChatOptions, 'readsFreeForm' | 'onProgress' | 'onOutput'> {
  readonly terminal: Terminal
  readonly session: string
  readonly model: Model
  readonly bounds: Bounds
  readonly onEvent: (event: ChatEvent) => void
}

async function openSession(toolpact: Toolpact, { bounds, terminal, ...options }: SessionOptions): Promise<Chat> {
  const { openChat } = await import('../../agent/chat/chat.ts')
  // Otherwise their tools would be missing.
  await waitForServers(toolpact, terminal)
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

/** Who may read output without a schema; undefined if not decided yet. */
type FreeFormOutput = NonNullable<Config['agent']>['freeFormOutput']

/**
 * Decides whether the model may read output of tools without an output schema: by the option, the config, or by asking the
 * user once and saving the answer in the config.
 */
function chooseFreeForm(
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

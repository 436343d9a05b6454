import { setTimeout as sleep } from 'node:timers/promises'
import { printableJson } from '../contract/text/printable.ts'
import type { QueuedDetails, QueuedSummary } from '../runtime/approval/queue.ts'
import { reveal } from '../runtime/approval/text/reveal.ts'
import { toRows } from '../runtime/approval/text/rows.ts'
import { toFullText } from '../runtime/approval/text/to-full-text.ts'
import { toSummary } from '../runtime/approval/text/to-summary.ts'
import { textOf, widthOf } from '../runtime/approval/text/wrap.ts'
import type { Approvals, RememberedQuestion } from '../runtime/storage/storage.ts'
import { type Command, type Request, UsageError } from './options/command.ts'
import { toColumns } from './terminal/columns.ts'
import { exitCodes } from './terminal/exit-codes.ts'
import { confirm } from './terminal/prompt/confirm.ts'
import { type Line, type Part, paint } from './terminal/terminal.ts'
import { readUserName } from './terminal/user-name.ts'

export const approvals: Command = {
  usage: [
    'approvals [list]',
    'approvals show ID',
    'approvals approve ID... [--for-tool]',
    'approvals approve --all-from CALLER [--yes]',
    'approvals deny ID...',
    'approvals deny --all-from CALLER',
  ],
  about: `Answers calls that wait for approval in other processes. The first characters of an id are enough.
A yes is for that one call, in its folder, with its contract, input, preview and rules as they are, and is used once: by
the call if it still waits, else by the same call when it is made again.`,
  options: {
    'for-tool': {
      type: 'boolean',
      about: 'with approve: also let further calls of the tool run unasked in that workspace',
    },
    'all-from': {
      type: 'string',
      value: 'CALLER',
      about: 'with approve and deny: every call of this caller that waits now, after listing them',
    },
    yes: { type: 'boolean', about: 'with approve --all-from: approve what is listed without asking' },
  },
  examples: [
    ['toolpact approvals', 'which calls wait'],
    ['toolpact approvals show 3f2a91c4', 'what one of them would do, in full'],
    ['toolpact approvals approve 3f2a91c4', 'let it run'],
    ['toolpact approvals approve 3f2a91c4 --for-tool', 'and do not ask about this tool again'],
    ['toolpact approvals deny 3f2a91c4 77b0e1d2', 'refuse two calls'],
    ['toolpact approvals deny --all-from nightly', 'refuse every call of a caller'],
  ],
  next: (before) => (before.length === 0 ? Object.keys(actions) : undefined),
  async run(request) {
    const [action = 'list', ...ids] = request.positionals
    checkUsage(action, ids, request)
    const toolpact = await request.open()
    try {
      return await actions[action]!(toolpact.approvals, request, ids)
    } finally {
      await toolpact.close()
    }
  },
}

type Action = (approvals: Approvals, request: Request, ids: readonly string[]) => Promise<number>

const actions: { readonly [name: string]: Action } = {
  list,
  show: (queue, request, [id]) => show(queue, request, id!),
  approve: (queue, request, ids) => answerAll(queue, request, { ids, answer: 'yes' }),
  deny: (queue, request, ids) => answerAll(queue, request, { ids, answer: 'no' }),
}

function checkUsage(action: string, ids: readonly string[], { options }: Request) {
  if (!Object.hasOwn(actions, action))
    throw new UsageError(`approvals has no action '${action}'.`, `Use ${Object.keys(actions).join(', ')}.`)
  const advice = 'toolpact approvals shows the ids.'
  if (action === 'list' && ids.length > 0) throw new UsageError('approvals list takes no id.', advice)
  if (action === 'show' && ids.length !== 1) throw new UsageError('approvals show takes one id.', advice)
  const from = options['all-from']
  const answers = action === 'approve' || action === 'deny'
  if (from !== undefined && !answers)
    throw new UsageError(
      '--all-from goes with approvals approve and deny.',
      'toolpact approvals deny --all-from CALLER',
    )
  if (answers && (ids.length === 0) === (from === undefined))
    throw new UsageError(`approvals ${action} takes one or more ids, or --all-from CALLER.`, advice)
  if (options['for-tool'] && (action !== 'approve' || from !== undefined))
    throw new UsageError('--for-tool goes with approvals approve.', 'toolpact approvals approve ID --for-tool')
}

async function list(queue: Approvals, { options, terminal }: Request): Promise<number> {
  const questions = (await queue.questions(Date.now())).filter(({ state }) => state === 'pending')
  if (options.json) terminal.print(printableJson(questions.map(toListed)))
  else if (questions.length === 0) terminal.log('No call waits for approval.')
  else terminal.print(...toListRows(questions, terminal.columns ?? Infinity))
  return exitCodes.success
}

async function show(queue: Approvals, { options, terminal }: Request, id: string): Promise<number> {
  const question = findQuestion(await queue.questions(Date.now()), id)
  const details = await readDetails(queue, question)
  if (!details) return printOver(question, terminal)
  if (options.json) terminal.print(printableJson(toJson(question, details)))
  else terminal.print(...toFullText(details, terminal.columns ?? usualColumns))
  return exitCodes.success
}

interface Answering {
  readonly ids: readonly string[]
  readonly answer: 'yes' | 'no'
}

/** Everything is looked up first: a mistyped id, or one without a rule to save, answers nothing. */
async function answerAll(queue: Approvals, request: Request, { ids, answer }: Answering): Promise<number> {
  const from = request.options['all-from']
  const all = await queue.questions(Date.now())
  if (from !== undefined) return answerFrom(queue, request, { all, from, answer })
  const questions = new Set(ids.map((id) => findQuestion(all, id)))
  if (request.options['for-tool']) for (const question of questions) await requireOffer(queue, question)
  const answered: object[] = []
  for (const question of questions) {
    const given = await answerOne(queue, request, { question, answer })
    if (given) answered.push(given)
  }
  if (request.options.json && answered.length > 0)
    request.terminal.print(printableJson(questions.size === 1 ? answered[0] : answered))
  return answered.length === questions.size ? exitCodes.success : exitCodes.failed
}

async function requireOffer(queue: Approvals, question: RememberedQuestion): Promise<void> {
  const details = await readDetails(queue, question)
  if (!details || details.forTool !== undefined) return
  const id = question.id.slice(0, 8)
  throw new UsageError(`No rule would let further calls like ${id} run unasked.`, `toolpact approvals approve ${id}`)
}

/** Answers exactly what was listed: a question that comes meanwhile waits. */
async function answerFrom(
  queue: Approvals,
  request: Request,
  { all, from, answer }: { all: readonly RememberedQuestion[]; from: string; answer: 'yes' | 'no' },
): Promise<number> {
  const { options, terminal } = request
  const questions = all.filter(({ state, caller }) => state === 'pending' && caller === from)
  if (questions.length === 0) {
    terminal.log(`No call of ${reveal(from).parts.map(textOf).join('')} waits for approval.`)
    return exitCodes.success
  }
  if (options.json && answer === 'yes' && !options.yes)
    throw new UsageError(
      'With --json the calls are not listed before they are approved.',
      'Add --yes, or leave out --json.',
    )
  if (!options.json) terminal.print(...toListRows(questions, terminal.columns ?? Infinity))
  const count = questions.length === 1 ? 'this call' : `these ${questions.length} calls`
  const isMeant = answer === 'no' || options.yes || (await confirm(`Approve ${count}? (y/N) `, request))
  if (isMeant === undefined)
    throw new UsageError(`There is no terminal to ask whether ${count} may run.`, 'Name the ids, or add --yes.')
  if (!isMeant) {
    terminal.log('Nothing is approved.')
    return exitCodes.failed
  }
  const by = readUserName()
  const answers = await Promise.all(questions.map(({ id }) => queue.answer(id, { answer, by }, Date.now())))
  const taken = answers.filter((answered) => answered.taken).length
  const left = questions.length - taken
  if (options.json)
    terminal.print(printableJson(questions.map((question, index) => ({ ...toListed(question), answer, taken: answers[index]!.taken })))) // biome-ignore format: one line
  else {
    terminal.print(`${answer === 'yes' ? 'Approved' : 'Denied'}: ${taken} of ${questions.length}.`)
    if (answer === 'yes') terminal.print('Calls that wait run now; other clients must repeat the same call.')
    if (left > 0) terminal.log(`${left} had been answered, or had ended, meanwhile.`)
  }
  return left > 0 ? exitCodes.failed : exitCodes.success
}

/** What was answered; undefined if the question is over. */
async function answerOne(
  queue: Approvals,
  { options, terminal }: Request,
  { question, answer }: { question: RememberedQuestion; answer: 'yes' | 'no' },
): Promise<object | undefined> {
  const details = await readDetails(queue, question)
  if (!details) return void printOver(question, terminal)
  const { id } = question
  const forTool = Boolean(options['for-tool'])
  const { forTool: offer } = details
  const answered = await queue.answer(id, { answer, by: readUserName(), forTool }, Date.now())
  if (!answered.taken) return void printOver({ ...question, ...answered }, terminal)
  const runs = answer === 'yes' && answered.isAwaited && (await isUsedSoon(queue, id))
  if (!options.json) {
    terminal.print(...toSummary(details, { columns: terminal.columns ?? usualColumns, rows: summaryRows }))
    if (answer === 'no') terminal.print(`Denied: ${id.slice(0, 8)} does not run.`)
    else terminal.print(paint('green', toApproved(id, runs, answered.expiresAt)))
    if (forTool) terminal.print(`With it, ${offer} runs unasked in that workspace. toolpact rules lists the rule.`)
  }
  return { ...toJson(question, details), answer, runs, ...(forTool && { forTool }) }
}

function toApproved(id: string, runs: boolean, expiresAt: number): string {
  if (runs) return `Approved: ${id.slice(0, 8)} runs now.`
  const minutes = Math.max(1, Math.round((expiresAt - Date.now()) / 60_000))
  return `Approved: ${id.slice(0, 8)}. No call is waiting for it: its client must repeat the same call within ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.` // biome-ignore format: one line
}

/** The process of a waiting call may have died just now, so only a call that took the answer counts. */
async function isUsedSoon(queue: Approvals, id: string): Promise<boolean> {
  for (const until = performance.now() + usedWithinMs; performance.now() < until; await sleep(50)) {
    const found = await queue.look(id, Date.now())
    if (found.state !== 'answered') return false
    if (found.isUsed) return true
  }
  return false
}

const usedWithinMs = 3000

const usualColumns = 100
const summaryRows = 40

/** Among those that wait, else among those that did. */
function findQuestion(all: readonly RememberedQuestion[], prefix: string): RememberedQuestion {
  const found = all.filter(({ id }) => id.startsWith(prefix.toLowerCase()))
  const pending = found.filter(({ state }) => state === 'pending')
  const [first, ...others] = pending.length > 0 ? pending : found
  if (!first)
    throw new UsageError(`No call waits whose id begins with '${prefix}'.`, 'toolpact approvals shows those that wait.')
  if (others.length > 0)
    throw new UsageError(`Several calls have an id that begins with '${prefix}'.`, 'Use more of it.')
  return first
}

function printOver(question: RememberedQuestion, terminal: Request['terminal']): number {
  const id = question.id.slice(0, 8)
  terminal.log(
    question.state === 'answered'
      ? `${id} was ${question.answer === 'yes' ? 'approved' : 'denied'} already, by ${question.by}.`
      : `${id} waits no more: its time is over, or its process has ended. Make the call again.`,
  )
  return exitCodes.failed
}

/** One line for each question. What it touches goes below, in rows of its own, if that does not fit. */
function toListRows(questions: readonly RememberedQuestion[], columns: number): Line[] {
  const touched = questions.map((question) => summaryOf(question).target)
  const rows = toColumns(questions.map(toQuestionRow))
  const lines = toColumns(questions.map((question, index) => [...toQuestionRow(question), touched[index]!]))
  const fits = (line: Line) => widthOf([line].flat().map(textOf).join('')) <= columns
  if (lines.every(fits)) return lines
  const below = (text: string) =>
    text === '' ? [] : toRows('    ', reveal(text, 8).parts, { width: columns, indent: 4 })
  return rows.flatMap((row, index) => [row, ...below(touched[index]!)])
}

function toQuestionRow(question: RememberedQuestion): Part[] {
  const { risk, caller, waitsUntil } = summaryOf(question)
  const left = Math.max(0, Math.round((waitsUntil - Date.now()) / 1000))
  return [question.id.slice(0, 8), question.tool, paint('yellow', risk), `by ${caller.name}`, `${left} s left`]
}

/** Without input and preview, which may be megabytes: `show` has them. */
function toListed(question: RememberedQuestion) {
  const { id, tool, workspace, askedAt, bytes } = question
  const { risk, caller, target, waitsUntil } = summaryOf(question)
  const times = { askedAt: new Date(askedAt).toISOString(), waitsUntil: new Date(waitsUntil).toISOString() }
  return { id, tool, risk, caller, workspace, target, bytes, ...times }
}

function toJson({ id, tool, askedAt }: RememberedQuestion, details: QueuedDetails) {
  const { contract, contractDigest, caller, workspace, input, effects, reason, foreseen, waitsUntil, forTool } = details
  return {
    ...{ id, tool, risk: contract.risk, contractDigest, caller, workspace, input, effects, reason, foreseen },
    askedAt: new Date(askedAt).toISOString(),
    waitsUntil: new Date(waitsUntil).toISOString(),
    ...(forTool !== undefined && { forToolAllows: forTool }),
  }
}

/** Only the queue's own approver puts questions there. */
function summaryOf({ summary }: RememberedQuestion): QueuedSummary {
  return summary as unknown as QueuedSummary
}

async function readDetails(queue: Approvals, { id }: RememberedQuestion): Promise<QueuedDetails | undefined> {
  return (await queue.details(id, Date.now())) as unknown as QueuedDetails | undefined
}

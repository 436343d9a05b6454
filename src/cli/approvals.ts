import { setTimeout as sleep } from 'node:timers/promises'
import { printable, printableJson } from '../contract/text/printable.ts'
import { answerQuestion, type QuestionResult, toEnded } from '../runtime/approval/answer-question.ts'
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
  usage: ['approvals [list]', 'approvals ACTION …'],
  about: `Lists the calls that wait for approval in other processes. An approval covers one call: the same folder, contract,
input, preview and rules. It is used once, by the waiting call or, if that has ended, by the next identical call.`,
  options: {},
  examples: [
    ['toolpact approvals', 'list pending calls'],
    ['toolpact approvals approve 3f2a91c4', 'let one run'],
  ],
  actions: {
    show: {
      summary: 'show everything that a call would do',
      usage: ['approvals show ID'],
      about: 'Shows everything that a pending call would do. A unique prefix of its id is enough.',
      options: {},
      examples: [['toolpact approvals show 3f2a91c4', 'one pending call']],
    },
    approve: {
      summary: 'let calls run',
      usage: ['approvals approve ID … [--for-tool]', 'approvals approve --all-from CALLER [--yes]'],
      about: 'Approves pending calls. A unique prefix of an id is enough.',
      options: {
        'for-tool': { type: 'boolean', about: 'stop asking about this tool in that workspace' },
        'all-from': {
          type: 'string',
          value: 'CALLER',
          about: 'list all pending calls of this caller and answer them together',
        },
        yes: { type: 'boolean', about: 'with --all-from: do not ask for confirmation' },
      },
      examples: [
        ['toolpact approvals approve 3f2a91c4', 'let it run'],
        ['toolpact approvals approve 3f2a91c4 --for-tool', 'and stop asking about this tool'],
      ],
    },
    deny: {
      summary: 'refuse calls',
      usage: ['approvals deny ID …', 'approvals deny --all-from CALLER'],
      about: 'Refuses pending calls. A unique prefix of an id is enough.',
      options: { 'all-from': { type: 'string', value: 'CALLER', about: 'all pending calls of this caller' } },
      examples: [
        ['toolpact approvals deny 3f2a91c4 77b0e1d2', 'refuse two calls'],
        ['toolpact approvals deny --all-from nightly', 'refuse every call of a caller'],
      ],
    },
  },
  pages: ([action]) => action === undefined || action === 'list' || action === 'show',
  next: ([action]) => (action === undefined ? Object.keys(actions) : action === 'list' ? undefined : 'question'),
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
  const advice = 'Run `toolpact approvals` to list the ids.'
  if (action === 'list' && ids.length > 0) throw new UsageError('approvals list takes no id.', advice)
  if (action === 'show' && ids.length !== 1) throw new UsageError('approvals show takes one id.', advice)
  const from = options['all-from']
  const answers = action === 'approve' || action === 'deny'
  if (answers && (ids.length === 0) === (from === undefined))
    throw new UsageError(`approvals ${action} takes one or more ids, or --all-from CALLER.`, advice)
  if (options['for-tool'] && from !== undefined)
    throw new UsageError('--for-tool goes with ids.', 'toolpact approvals approve ID --for-tool')
}

async function list(queue: Approvals, { options, terminal }: Request): Promise<number> {
  const questions = (await queue.questions(Date.now())).filter(({ state }) => state === 'pending')
  if (options.json) terminal.print(printableJson(questions.map(toListed)))
  else if (questions.length === 0) terminal.log('No calls are waiting for approval.')
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

/** Looks up everything before answering, so a mistyped id, or one without a rule to save, changes nothing. */
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
  throw new UsageError(`No rule can cover further calls like ${id}.`, `toolpact approvals approve ${id}`)
}

/** Answers only the listed questions; one that arrives meanwhile stays pending. */
async function answerFrom(
  queue: Approvals,
  request: Request,
  { all, from, answer }: { all: readonly RememberedQuestion[]; from: string; answer: 'yes' | 'no' },
): Promise<number> {
  const { options, terminal } = request
  const questions = all.filter(({ state, caller }) => state === 'pending' && caller === from)
  if (questions.length === 0) {
    terminal.log(`No calls of ${reveal(from).parts.map(textOf).join('')} are waiting for approval.`)
    return exitCodes.success
  }
  if (options.json && answer === 'yes' && !options.yes)
    throw new UsageError('--json cannot list the calls before approving them.', 'Add --yes, or leave out --json.')
  if (!options.json) terminal.print(...toListRows(questions, terminal.columns ?? Infinity))
  const calls = questions.length === 1 ? 'this call' : `these ${questions.length} calls`
  const isMeant = answer === 'no' || options.yes || (await confirm(`Approve ${calls}? (y/N) `, request))
  if (isMeant === undefined)
    throw new UsageError(`There is no terminal to confirm ${calls}.`, 'Name the ids, or add --yes.')
  if (!isMeant) {
    terminal.log('Nothing was approved.')
    return exitCodes.failed
  }
  const person = readUserName()
  const answers = await Promise.all(questions.map(({ id }) => answerQuestion(queue, { id, answer, person, via: 'queue' }))) // biome-ignore format: one line
  const count = (...results: string[]) => answers.filter(({ result }) => results.includes(result)).length
  const taken = count('approved', 'denied')
  const [recorded, over] = [count('recorded'), count('answered_before', 'expired')]
  const left = questions.length - taken - recorded
  if (options.json)
    terminal.print(printableJson(questions.map((question, index) => ({ ...toListed(question), answer, taken: isTaken(answers[index]!), result: answers[index]!.result })))) // biome-ignore format: one line
  else {
    terminal.print(`${answer === 'yes' ? 'Approved' : 'Denied'}: ${taken} of ${questions.length}.`)
    if (answer === 'yes') terminal.print('Waiting calls run now; clients that gave up must repeat the same call.')
    if (recorded > 0) terminal.print(`${recorded} need another person's yes.`)
    if (over > 0) terminal.log(`${over} had already been answered or had ended.`)
    for (const { result, message } of answers) if (result === 'refused') terminal.log(printable(message))
  }
  return left > 0 ? exitCodes.failed : exitCodes.success
}

function isTaken({ result }: QuestionResult): boolean {
  return result === 'approved' || result === 'denied' || result === 'recorded'
}

/** Undefined if the answer was not taken. */
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
  const given = { id, answer, person: readUserName(), via: 'queue', forTool }
  const answered = await answerQuestion(queue, given)
  if (!isTaken(answered)) return void terminal.log(printable(answered.message))
  const runs = answered.result === 'approved' && answered.isAwaited && (await isUsedSoon(queue, id))
  if (!options.json) {
    terminal.print(...toSummary(details, { columns: terminal.columns ?? usualColumns, rows: summaryRows }))
    if (answered.result === 'approved') terminal.print(paint('green', toApproved(id, runs, answered.expiresAt)))
    else terminal.print(answered.message)
    if (forTool && answered.result === 'approved')
      terminal.print(`Saved a rule: ${offer} runs without asking in that workspace. Run \`toolpact rules\` to see it.`)
  }
  const { result } = answered
  return { ...toJson(question, details), answer, result, runs, ...(forTool && { forTool }) }
}

function toApproved(id: string, runs: boolean, expiresAt: number): string {
  if (runs) return `Approved: ${id.slice(0, 8)} runs now.`
  const minutes = Math.max(1, Math.round((expiresAt - Date.now()) / 60_000))
  return `Approved: ${id.slice(0, 8)}. No call is waiting for it, so its client must repeat the same call within ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.` // biome-ignore format: one line
}

/** The waiting process may have died a moment ago, so check that a call has used the answer. */
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

/** Searches pending questions first, then answered and expired ones. */
function findQuestion(all: readonly RememberedQuestion[], prefix: string): RememberedQuestion {
  const found = all.filter(({ id }) => id.startsWith(prefix.toLowerCase()))
  const pending = found.filter(({ state }) => state === 'pending')
  const [first, ...others] = pending.length > 0 ? pending : found
  if (!first)
    throw new UsageError(
      `No pending call has an id that starts with '${prefix}'.`,
      'Run `toolpact approvals` to list pending calls.',
    )
  if (others.length > 0)
    throw new UsageError(`Several calls have an id that starts with '${prefix}'.`, 'Use a longer prefix.')
  return first
}

function printOver(question: RememberedQuestion, terminal: Request['terminal']): number {
  terminal.log(printable(toEnded(question.id, question).message))
  return exitCodes.failed
}

/** One line per question. Paths and hosts move to their own rows if they do not fit. */
function toListRows(questions: readonly RememberedQuestion[], columns: number): Line[] {
  const touched = questions.map((question) => summaryOf(question).target)
  const rows = toColumns(questions.map(toQuestionRow), { width: columns, drop: [2] })
  const lines = toColumns(questions.map((question, index) => [...toQuestionRow(question), touched[index]!]))
  const fits = (line: Line) => widthOf([line].flat().map(textOf).join('')) <= columns
  if (lines.every(fits)) return lines
  const below = (text: string) =>
    text === '' ? [] : toRows('    ', reveal(text, 8).parts, { width: columns, indent: 4 })
  return rows.flatMap((row, index) => [row, ...below(touched[index]!)])
}

function toQuestionRow(question: RememberedQuestion): Part[] {
  const { risk, caller, waitsUntil } = summaryOf(question)
  const { id, tool, approvedBy, peopleNeeded } = question
  const left = Math.max(0, Math.round((waitsUntil - Date.now()) / 1000))
  const yeses = peopleNeeded > 1 ? `, ${approvedBy.length} of ${peopleNeeded} yes` : ''
  return [id.slice(0, 8), tool, paint('yellow', risk), `by ${caller.name}`, `${left} s left${yeses}`]
}

/** Omits input and preview, which can be megabytes; `show` prints them. */
function toListed(question: RememberedQuestion) {
  const { id, tool, workspace, askedAt, bytes, approvedBy, peopleNeeded } = question
  const { risk, caller, target, waitsUntil } = summaryOf(question)
  const times = { askedAt: new Date(askedAt).toISOString(), waitsUntil: new Date(waitsUntil).toISOString() }
  return { id, tool, risk, caller, workspace, target, bytes, approvedBy, peopleNeeded, ...times }
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

/** Only the queue approver stores questions here. */
function summaryOf({ summary }: RememberedQuestion): QueuedSummary {
  return summary as unknown as QueuedSummary
}

async function readDetails(queue: Approvals, { id }: RememberedQuestion): Promise<QueuedDetails | undefined> {
  return (await queue.details(id, Date.now())) as unknown as QueuedDetails | undefined
}

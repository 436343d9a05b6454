import { setTimeout as sleep } from 'node:timers/promises'
import { printableJson } from '../contract/printable.ts'
import { reveal } from '../pipeline/approval-text/reveal.ts'
import { toRows } from '../pipeline/approval-text/rows.ts'
import { toFullText } from '../pipeline/approval-text/to-full-text.ts'
import { toSummary } from '../pipeline/approval-text/to-summary.ts'
import { textOf, widthOf } from '../pipeline/approval-text/wrap.ts'
import type { QueuedDetails } from '../pipeline/kept-question.ts'
import type { Approvals, RememberedQuestion } from '../storage/storage.ts'
import { toColumns } from './columns.ts'
import { type Command, type Request, UsageError } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { type Line, type Part, paint } from './terminal.ts'
import { readUserName } from './user-name.ts'

export const approvals: Command = {
  usage: ['approvals [list]', 'approvals show ID', 'approvals approve ID [--for-tool]', 'approvals deny ID'],
  about: `Answers calls that wait for approval in other processes. The first characters of an id are enough.
A yes is for that one call, with its contract and its input as they are, and is used once: by the call if it still
waits, else by the same call when it is made again.`,
  options: {
    'for-tool': {
      type: 'boolean',
      about: 'with approve: also let further calls of the tool run unasked in that workspace',
    },
  },
  examples: [
    ['toolpact approvals', 'which calls wait'],
    ['toolpact approvals show 3f2a91c4', 'what one of them would do, in full'],
    ['toolpact approvals approve 3f2a91c4', 'let it run'],
    ['toolpact approvals approve 3f2a91c4 --for-tool', 'and do not ask about this tool again'],
  ],
  next: (before) => (before.length === 0 ? Object.keys(actions) : undefined),
  async run(request) {
    const [action = 'list', id, ...more] = request.positionals
    if (!Object.hasOwn(actions, action))
      throw new UsageError(`approvals has no action '${action}'.`, `Use ${Object.keys(actions).join(', ')}.`)
    if ((id === undefined) === (action !== 'list') || more.length > 0)
      throw new UsageError(
        action === 'list' ? 'approvals list takes no id.' : `approvals ${action} takes one id.`,
        'toolpact approvals shows the ids.',
      )
    if (request.options['for-tool'] && action !== 'approve')
      throw new UsageError('--for-tool goes with approvals approve.', 'toolpact approvals approve ID --for-tool')
    const toolpact = await request.open()
    try {
      return await actions[action]!(toolpact.approvals, request, id ?? '')
    } finally {
      await toolpact.close()
    }
  },
}

type Action = (approvals: Approvals, request: Request, id: string) => Promise<number>

const actions: { readonly [name: string]: Action } = {
  list,
  show,
  approve: (queue, request, id) => answer(queue, request, { id, answer: 'yes' }),
  deny: (queue, request, id) => answer(queue, request, { id, answer: 'no' }),
}

async function list(queue: Approvals, { options, terminal }: Request): Promise<number> {
  const questions = (await queue.questions(Date.now())).filter(({ state }) => state === 'pending')
  if (options.json) terminal.print(printableJson(questions.map(toJson)))
  else if (questions.length === 0) terminal.tell('No call waits for approval.')
  else terminal.print(...toListRows(questions, terminal.columns ?? Infinity))
  return exitCodes.success
}

async function show(queue: Approvals, { options, terminal }: Request, id: string): Promise<number> {
  const question = await findQuestion(queue, id)
  if (question.state !== 'pending') return tellOver(question, terminal)
  if (options.json) terminal.print(printableJson(toJson(question)))
  else terminal.print(...toFullText(detailsOf(question), terminal.columns ?? usualColumns))
  return exitCodes.success
}

async function answer(
  queue: Approvals,
  { options, terminal }: Request,
  { id, answer }: { id: string; answer: 'yes' | 'no' },
): Promise<number> {
  const question = await findQuestion(queue, id)
  const forTool = Boolean(options['for-tool'])
  const offer = question.state === 'pending' ? detailsOf(question).forTool : undefined
  if (forTool && question.state === 'pending' && offer === undefined)
    throw new UsageError(
      'No rule would let further calls of this tool run unasked.',
      `toolpact approvals approve ${id}`,
    )
  const answered = await queue.answer(question.id, { answer, by: readUserName(), forTool }, Date.now())
  if (!answered.taken) return tellOver({ ...question, ...answered }, terminal)
  const runs = answer === 'yes' && answered.isAwaited && (await isUsedSoon(queue, question.id))
  if (options.json) terminal.print(printableJson({ ...toJson(question), answer, runs, ...(forTool && { forTool }) }))
  else {
    const size = { columns: terminal.columns ?? usualColumns, rows: summaryRows }
    terminal.print(...toSummary(detailsOf(question), size))
    if (answer === 'no') terminal.print(`Denied: ${question.id.slice(0, 8)} does not run.`)
    else terminal.print(paint('green', toApproved(question.id, runs, answered.expiresAt)))
    if (forTool) terminal.print(`With it, ${offer} runs unasked in that workspace. toolpact rules lists the rule.`)
  }
  return exitCodes.success
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
async function findQuestion(queue: Approvals, prefix: string): Promise<RememberedQuestion> {
  const found = (await queue.questions(Date.now())).filter(({ id }) => id.startsWith(prefix.toLowerCase()))
  const pending = found.filter(({ state }) => state === 'pending')
  const [first, ...others] = pending.length > 0 ? pending : found
  if (!first)
    throw new UsageError(`No call waits whose id begins with '${prefix}'.`, 'toolpact approvals shows those that wait.')
  if (others.length > 0)
    throw new UsageError(`Several calls have an id that begins with '${prefix}'.`, 'Use more of it.')
  return first
}

function tellOver(question: RememberedQuestion, terminal: Request['terminal']): number {
  const id = question.id.slice(0, 8)
  terminal.tell(
    question.state === 'answered'
      ? `${id} was ${question.answer === 'yes' ? 'approved' : 'denied'} already, by ${question.by}.`
      : `${id} waits no more: its time is over, or its process has ended. Make the call again.`,
  )
  return exitCodes.failed
}

/** One line for each question. What it touches goes below, in rows of its own, if that does not fit. */
function toListRows(questions: readonly RememberedQuestion[], columns: number): Line[] {
  const touched = questions.map((question) => Object.values(detailsOf(question).effects).flat().join(', '))
  const rows = toColumns(questions.map(toQuestionRow))
  const lines = toColumns(questions.map((question, index) => [...toQuestionRow(question), touched[index]!]))
  const fits = (line: Line) => widthOf([line].flat().map(textOf).join('')) <= columns
  if (lines.every(fits)) return lines
  const below = (text: string) =>
    text === '' ? [] : toRows('    ', reveal(text, 8).parts, { width: columns, indent: 4 })
  return rows.flatMap((row, index) => [row, ...below(touched[index]!)])
}

function toQuestionRow(question: RememberedQuestion): Part[] {
  const { contract, caller, waitsUntil } = detailsOf(question)
  const left = Math.max(0, Math.round((waitsUntil - Date.now()) / 1000))
  return [question.id.slice(0, 8), question.tool, paint('yellow', contract.risk), `by ${caller.name}`, `${left} s left`]
}

function toJson(question: RememberedQuestion) {
  const { id, tool, askedAt } = question
  const { contract, contractDigest, caller, input, effects, reason, foreseen, waitsUntil, forTool } =
    detailsOf(question)
  return {
    id,
    tool,
    risk: contract.risk,
    contractDigest,
    caller,
    input,
    effects,
    reason,
    foreseen,
    askedAt: new Date(askedAt).toISOString(),
    waitsUntil: new Date(waitsUntil).toISOString(),
    ...(forTool !== undefined && { forToolAllows: forTool }),
  }
}

/** Only the queue's own approver puts questions there. */
function detailsOf({ details }: RememberedQuestion): QueuedDetails {
  return details as unknown as QueuedDetails
}

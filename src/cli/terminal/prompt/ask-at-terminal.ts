import type { RuleOffer, RuleProposal, RuleScope } from '../../../contract/rule.ts'
import { findCut } from '../../../contract/text/shorten.ts'
import type { ApprovalAnswer, ApprovalRequest } from '../../../runtime/approval/approver.ts'
import { offerRuleAfter } from '../../../runtime/approval/count-same-approvals.ts'
import { reveal } from '../../../runtime/approval/text/reveal.ts'
import { type Row, toCount, toRows } from '../../../runtime/approval/text/rows.ts'
import { toFullText } from '../../../runtime/approval/text/to-full-text.ts'
import { question, toSummary } from '../../../runtime/approval/text/to-summary.ts'
import { toDetails } from '../../../runtime/approval/to-details.ts'
import { paint } from '../terminal.ts'
import type { Tty } from './open-tty.ts'
import { page } from './page.ts'

interface AskOptions {
  readonly tty: Tty
  /** The user at the terminal. */
  readonly by: string
  /** Without an answer within this time, the call is denied. */
  readonly waitMs: number
  readonly signal: AbortSignal
}

const maxTries = 5

/** Asks at the terminal. Only an explicit yes approves; Enter, end of input, Ctrl-C and a timeout deny. */
export async function askAtTerminal(request: ApprovalRequest, options: AskOptions): Promise<ApprovalAnswer> {
  const { tty, by, waitMs, signal } = options
  const [details, offers, approved] = await Promise.all([
    toDetails(request),
    request.offerRules(),
    // Only for a hint: a ledger that cannot be read must not prevent the question.
    request.countApprovals().catch(() => 0),
  ])
  const [narrowest, widest] = [offers[0], offers.at(-1)]
  let silence: AbortSignal | undefined
  const signalOf = () => {
    silence = AbortSignal.timeout(waitMs)
    return AbortSignal.any([signal, silence])
  }
  const yes = (rule?: RuleProposal) => ({ answer: 'yes', by, via: 'terminal', ...(rule && { rule }) }) as const
  const no = () => ({ answer: silence?.aborted ? 'timeout' : 'no', by, via: 'terminal' }) as const
  const shown = () => ({ ...details, waitsUntil: Date.now() + waitMs })
  const show = () => {
    const size = tty.size()
    tty.print([
      '',
      ...toSummary(shown(), { ...size, hint: 'type v' }),
      ...toHints(offers, { approved, columns: size.columns }),
      '',
    ])
  }
  show()
  for (let tries = 0; tries < maxTries; tries++) {
    const typed = await tty.ask([paint('bold', question), ' '], signalOf(), show)
    switch (typed?.trim().toLowerCase()) {
      case 'y':
      case 'yes':
        return yes()
      case 'a':
      case 'always':
        if (narrowest) return yes(toSaved(narrowest, tty))
        tty.print([noRule])
        break
      case 't':
      case 'tool':
        if (widest) return yes(toSaved(widest, tty))
        tty.print([noRule])
        break
      case undefined:
      case '':
      case 'n':
      case 'no':
        return no()
      case 'v':
      case 'view':
        if (!(await page(toFullText(shown(), tty.size().columns), tty, signalOf))) return no()
        show()
        tries = -1
        break
      case 'r':
      case 'rule': {
        const rule = await findRule(request, { offers, tty, signalOf })
        if (rule) return yes(rule)
        if (signal.aborted || silence?.aborted) return no()
        break
      }
      default:
        tty.print(['Type y, n, always, t, r or v, then Enter.'])
    }
  }
  return no()
}

/** Explains the answers other than y and n, and proposes the narrowest rule for a call that is approved again and again. */
function toHints(offers: readonly RuleOffer[], { approved, columns }: { approved: number; columns: number }): Row[] {
  const [narrowest, widest] = [offers[0], offers.at(-1)]
  const saved = narrowest
    ? `always: also lets ${narrowest.about} run unasked in this workspace. ${widest === narrowest ? '' : `t: ${widest!.about}. `}r: choose a rule. `
    : ''
  const hints = toRows(paint('dim', `${saved}v: show everything. Enter: no.`), [], { width: columns - 1, indent: 4 })
  if (!narrowest || approved < offerRuleAfter) return hints
  const proposal = `You approved this call ${approved} times. Type always to let ${narrowest.about} run unasked in this folder from now on.`
  return [...toRows(paint('bold', proposal), [], { width: columns - 1, indent: 4 }), ...hints]
}

/** Announces the rule that an approval saves for this workspace. */
function toSaved({ tool, pattern, about }: RuleOffer, tty: Tty): RuleProposal {
  tty.print([`Saves a rule for ${about}, in this workspace. Run \`toolpact rules\` to see it.`])
  return { tool, pattern, scope: 'workspace' }
}

interface RuleQuestion {
  readonly offers: readonly RuleOffer[]
  readonly tty: Tty
  readonly signalOf: () => AbortSignal
}

const noRule = 'No rule is narrow enough for this call. Approve or deny this one.'

async function findRule(
  request: ApprovalRequest,
  { offers, tty, signalOf }: RuleQuestion,
): Promise<RuleProposal | undefined> {
  if (offers.length === 0) {
    tty.print([noRule])
    return undefined
  }
  // A rule for a session that ends with this call would be useless.
  const scopes = ['workspace', 'everywhere'] as const
  const rule = await chooseRule(tty, {
    offers,
    scopes: request.caller.session === undefined ? scopes : ['session', ...scopes],
    signalOf,
  })
  tty.print([rule ? toKept(rule) : 'Nothing is saved.'])
  return rule
}

function toKept({ scope }: RuleProposal): string {
  return scope === 'session'
    ? 'It ends with this process and is not listed by `toolpact rules`.'
    : 'Run `toolpact rules` to see it.'
}

interface ChooseOptions {
  readonly offers: readonly RuleOffer[]
  /** Scopes that are possible for this call. */
  readonly scopes: readonly RuleScope['scope'][]
  /** Creates a signal for each question. */
  readonly signalOf: () => AbortSignal
}

const maxPattern = 600

/** Lets the user choose a rule and its scope. Undefined if they choose none. */
async function chooseRule(tty: Tty, options: ChooseOptions): Promise<RuleProposal | undefined> {
  const { offers, scopes, signalOf } = options
  const width = tty.size().columns - 1
  tty.print([
    '',
    paint('bold', 'A rule would be saved that allows such calls without asking:'),
    ...offers.flatMap((offer, index) => toOfferRows(offer, index + 1, width)),
    '',
  ])
  const numbers = offers.map((_, index) => `${index + 1}`)
  const number = await choose(tty, `Which one? (${numbers.join('/')}, Enter for none): `, { words: numbers, signalOf })
  if (number === undefined) return undefined
  const question = `Where does it hold? (${scopes.join('/')}, Enter for none): `
  const scope = await choose(tty, question, { words: scopes, signalOf })
  if (scope === undefined) return undefined
  const { tool, pattern } = offers[Number(number) - 1]!
  return { tool, pattern, scope }
}

function toOfferRows({ about, tool, pattern }: RuleOffer, number: number, width: number): Row[] {
  const beginning = pattern.slice(0, findCut(pattern, maxPattern))
  const more = pattern.length - beginning.length
  const shown = [
    ...reveal(`${tool} ${beginning}`).parts,
    ...(more > 0 ? [paint('yellow', `[${toCount(more, 'character')} more]`)] : []),
  ]
  return [
    ...toRows(paint('bold', `  ${number}  `), reveal(about).parts, { width, indent: 5 }),
    ...toRows('     ', shown, { width, indent: 7 }),
  ]
}

/** Accepts one of the words or a prefix; anything else means none. */
async function choose<Word extends string>(
  tty: Tty,
  question: string,
  { words, signalOf }: { words: readonly Word[]; signalOf: () => AbortSignal },
): Promise<Word | undefined> {
  const typed = (await tty.ask(paint('bold', question), signalOf()))?.trim().toLowerCase()
  return typed ? words.find((word) => word.startsWith(typed)) : undefined
}

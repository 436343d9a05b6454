import type { RuleOffer, RuleProposal } from '../../contract/rule.ts'
import type { ApprovalAnswer, ApprovalRequest } from '../../pipeline/approver.ts'
import { toDetails } from '../../pipeline/to-details.ts'
import { paint } from '../terminal.ts'
import { chooseRule } from './choose-rule.ts'
import type { Tty } from './open-tty.ts'
import { page } from './page.ts'
import { toFullText } from './to-full-text.ts'
import { toSummary } from './to-summary.ts'

interface AskOptions {
  readonly tty: Tty
  /** Who sits at the terminal. */
  readonly by: string
  /** After so long without an answer, it is no. */
  readonly waitMs: number
  readonly signal: AbortSignal
}

const mostTries = 5
const hint = paint('dim', 'v shows everything in full. Enter means no.')

/** Asks the person at the terminal. Only a clear yes is one; Enter, the end of input, Ctrl-C and silence are not. */
export async function askAtTerminal(request: ApprovalRequest, options: AskOptions): Promise<ApprovalAnswer> {
  const { tty, by, waitMs, signal } = options
  const [details, offers] = await Promise.all([toDetails(request), request.offerRules()])
  const widest = offers.at(-1)
  let silence: AbortSignal | undefined
  const signalOf = () => {
    silence = AbortSignal.timeout(waitMs)
    return AbortSignal.any([signal, silence])
  }
  const yes = (rule?: RuleProposal) => ({ answer: 'yes', by, via: 'terminal', ...(rule && { rule }) }) as const
  const no = () => ({ answer: silence?.aborted ? 'timeout' : 'no', by, via: 'terminal' }) as const
  const offer = widest ? [paint('dim', `t also lets ${widest.about} run unasked in this workspace.`)] : []
  const show = () => tty.print(['', ...toSummary(details, tty.size()), '', ...offer, hint])

  show()
  for (let tries = 0; tries < mostTries; tries++) {
    const typed = await tty.ask(paint('bold', 'Approve? (y/n/t/always): '), signalOf())
    switch (typed?.trim().toLowerCase()) {
      case 'y':
      case 'yes':
        return yes()
      case 't':
      case 'tool':
        if (widest) return yes({ tool: widest.tool, pattern: widest.pattern, scope: 'workspace' })
        tty.print([noRule])
        break
      case undefined:
      case '':
      case 'n':
      case 'no':
        return no()
      case 'v':
      case 'view':
        if (!(await page(toFullText(details, tty.size().columns), tty, signalOf))) return no()
        show()
        tries = -1
        break
      case 'a':
      case 'always': {
        const rule = await findRule(request, { offers, tty, signalOf })
        if (rule) return yes(rule)
        if (signal.aborted || silence?.aborted) return no()
        break
      }
      default:
        tty.print(['Type y, n, t, always or v, then Enter.'])
    }
  }
  return no()
}

interface RuleQuestion {
  readonly offers: readonly RuleOffer[]
  readonly tty: Tty
  readonly signalOf: () => AbortSignal
}

const noRule = 'No rule would help: none that is narrow enough allows this call. Approve this one, or not.'

async function findRule(
  request: ApprovalRequest,
  { offers, tty, signalOf }: RuleQuestion,
): Promise<RuleProposal | undefined> {
  if (offers.length === 0) {
    tty.print([noRule])
    return undefined
  }
  // A session that ends with this call would take its rule along.
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
    ? 'It ends with this process, and toolpact rules does not list it.'
    : 'toolpact rules lists it.'
}

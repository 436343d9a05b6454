import type { RuleOffer, RuleProposal, RuleScope } from '../../../contract/rule.ts'
import { findCut } from '../../../contract/text/shorten.ts'
import { reveal } from '../../../runtime/approval/text/reveal.ts'
import { type Row, toCount, toRows } from '../../../runtime/approval/text/rows.ts'
import { paint } from '../terminal.ts'
import type { Tty } from './open-tty.ts'

interface ChooseOptions {
  readonly offers: readonly RuleOffer[]
  /** Scopes that are possible for this call. */
  readonly scopes: readonly RuleScope['scope'][]
  /** Creates a signal for each question. */
  readonly signalOf: () => AbortSignal
}

const maxPattern = 600

/** Lets the user choose a rule and its scope. Undefined if they choose none. */
export async function chooseRule(tty: Tty, options: ChooseOptions): Promise<RuleProposal | undefined> {
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

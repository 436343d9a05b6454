import { operator, toPerson } from '../../contract/principal.ts'
import type { Rule, RuleOffer, RuleWidth } from '../../contract/rule.ts'
import { printable } from '../../contract/text/printable.ts'
import { shorten } from '../../contract/text/shorten.ts'
import { findNotAllowed } from '../data-flow.ts'
import type { PolicyCall } from '../policy-call.ts'
import { compileRules, type RuleSet } from './compile-rules.ts'
import { toRealCall } from './to-readings.ts'
import { toRulePattern } from './to-rule-pattern.ts'

const widths: { readonly [width in RuleWidth]: string } = {
  exact: 'exactly this call',
  file: 'the same file, with any other arguments',
  folder: 'files in the same folder',
  subcommand: 'the same command and subcommand, with plain arguments',
  'command-word': 'the same command, with plain arguments',
  site: 'pages of the same site',
  tool: 'every call of this tool',
}

/**
 * Rules to offer to a person, narrowest first. Each allows the call that it was made from. The last is saved by a yes "for this
 * tool": every call, unless the tool runs commands or fetches, where such a rule would allow nothing.
 */
export async function offerRules(call: PolicyCall, protectedPaths: readonly string[] = []): Promise<RuleOffer[]> {
  const offers: RuleOffer[] = []
  const whose = toPerson(call.caller) === operator ? '' : ` (by ${printable(shorten(call.caller.name, 80))})`
  for (const [width, about] of Object.entries(widths) as [RuleWidth, string][]) {
    const pattern = toRulePattern(call.contract, call.input, width, toRealCall(call)?.input)
    if (pattern === undefined || offers.some((offer) => offer.pattern === pattern)) continue
    const trial = await compileRules([toTrial(call, pattern)], { protectedPaths })
    if (trial.decide(call).action === 'allow' || (width === 'site' && allowsHost(call, trial)))
      offers.push({ tool: call.toolId, width, pattern, about: `${about}${whose}` })
  }
  // If a call asks because of its host, the decision is about the host, not about one page.
  const isAboutHost = asksAboutHost(call) && offers.some(({ width }) => width === 'site')
  return isAboutHost ? offers.filter(({ width }) => width !== 'exact') : offers
}

/** A rule for the host is sufficient then, even if it does not match the URL text. */
function allowsHost({ flow: _, ...call }: PolicyCall, rules: RuleSet): boolean {
  return asksAboutHost(call) && findNotAllowed(call, rules).length === 0
}

/** A tool that needs no approval asks only because of the receiver of its data. */
function asksAboutHost({ contract: { approval, effects } }: PolicyCall): boolean {
  return approval === 'never' || effects.askPerHost === true
}

function toTrial({ toolId, now }: PolicyCall, pattern: string): Rule {
  const createdAt = new Date(now).toISOString()
  return { id: 'trial', tool: toolId, pattern, action: 'allow', scope: 'everywhere', createdBy: 'trial', createdAt }
}

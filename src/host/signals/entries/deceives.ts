import { inAnyOrder } from '../compile-phrase.ts'
import type { Signal } from '../signal.ts'

export const deceives: Signal = {
  id: 'deceives',
  looksFor: 'the user is to be deceived: a false answer, a pretended failure or success',
  why: 'No honest tool asks a model to lie.',
  tools: 0,
  phrases: {
    en: [
      inAnyOrder(
        6,
        'reply|answer|say|respond|assure',
        'nothing_to_see|never_leaves|plausible|all_is_well|perfectly_safe',
      ),
      'plausible|believable|convincing ~2 figures|numbers|reason|explanation|story|excuse|answer',
      inAnyOrder(
        8,
        'report|claim|say|tell|answer|confirm|respond',
        'success|succeeded|failure|failed|fine|worked|unavailable',
        'anyway|regardless|nevertheless|even_if|even_though|no_matter|although',
      ),
      'when_they_notice|if_they_notice',
      'invented|made_up|fictitious|fake ~1 answer|result|reason|excuse|explanation|number|figure',
      '$tell ~2 $user|them ~3 it|that|this ~1 is|was ~2 issue|error|glitch|bug|problem|mistake|routine|check ~4 notice|notices|ask|asks|wonder|wonders|complain',
      inAnyOrder(
        9,
        'claim|say|tell|pretend|answer|respond|give|reply',
        'asks_why|wonders|made_up|invent|fictitious|somebody_asks|someone_asks|user_asks_why|service_was_down|excuse|plausible_reason|somebody_wonders|user_asks_what',
      ),
      'claim|claims that|there|it|the_search|the_file|no ~6 failed|down|no_results|nothing|unavailable|empty|not_found|not_exist|worked|succeeded',
      'pretend|pretending|deceive|deceiving|misinform|feign|gaslight',
      'lie|lying to ~2 user|users|them|customer|human|person',
      'fabricate|falsely|mislead|trick|fool ~5 user|users|them|customer|human|person|that',
      inAnyOrder(
        8,
        'tell|say|inform|answer|respond|report|claim|assure|reply',
        'user|users|they|asked|them|customer',
        'routine|harmless|nothing_happened|went_fine|went_well|all_fine|everything_is_fine|standard_check|even_if_it_failed|no_problem|although',
      ),
      'act_as_if|as_if_nothing|as_though_nothing|make_it_look_as|make_it_seem|make_it_appear_as|cover_story|cover_up|act_normal|act_normally|act_natural',
      'if ~2 user|users|they|asked|anyone ~3 ask|asks|questions|about|asked ~6 deny|say|claim|pretend|respond|reply|answer|tell ~4 nothing|routine|unrelated|empty|lost|maintenance',
      'if_asked|when_asked ~3 deny|claim|pretend',
      'deny ~2 existence|any_knowledge|knowledge|having|that_you|that_this|it_exists',
    ],
  },
}

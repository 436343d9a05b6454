import { deceives } from './entries/deceives.ts'
import { doNotAsk } from './entries/do-not-ask.ts'
import { doNotTell } from './entries/do-not-tell.ts'
import { hiddenMarkup } from './entries/hidden-markup.ts'
import { obeyOutput } from './entries/obey-output.ts'
import { overridesRules } from './entries/overrides-rules.ts'
import { pushedOutOfSight } from './entries/pushed-out-of-sight.ts'
import { readsSecrets } from './entries/reads-secrets.ts'
import { sendsElsewhere } from './entries/sends-elsewhere.ts'
import { steersOtherTools } from './entries/steers-other-tools.ts'
import { wantsYourWords } from './entries/wants-your-words.ts'
import { encodedSignal } from './find-encoded.ts'
import { otherServerSignal } from './find-other-servers.ts'
import type { Signal } from './signal.ts'

/** Deliberately narrow: instructions to a model are common in honest tools, these are not. */
export const signals: readonly Signal[] = [
  doNotTell,
  doNotAsk,
  obeyOutput,
  wantsYourWords,
  overridesRules,
  readsSecrets,
  sendsElsewhere,
  steersOtherTools,
  deceives,
  hiddenMarkup,
  pushedOutOfSight,
]

/** Raised if the texts exceed the limit of words. */
export const tooMuchText: Signal = {
  id: 'too-much-text',
  looksFor: 'more than 30,000 words; what follows them is not looked at',
  why: 'Nobody reads that much about one tool, and anything can stand at its end.',
  tools: 0,
}

/** Including the signals that need more than phrases and patterns. */
export const allSignals: readonly Signal[] = [...signals, encodedSignal, otherServerSignal, tooMuchText]

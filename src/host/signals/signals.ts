import { deceives } from './entries/deceives.ts'
import { doNotAsk } from './entries/do-not-ask.ts'
import { doNotTell } from './entries/do-not-tell.ts'
import { obeyOutput } from './entries/obey-output.ts'
import { overridesRules } from './entries/overrides-rules.ts'
import { readsSecrets } from './entries/reads-secrets.ts'
import { sendsElsewhere } from './entries/sends-elsewhere.ts'
import { steersOtherTools } from './entries/steers-other-tools.ts'
import { wantsYourWords } from './entries/wants-your-words.ts'
import { encodedSignal } from './find-encoded.ts'
import { otherServerSignal } from './find-other-servers.ts'
import type { Signal } from './signal.ts'

const hiddenMarkup: Signal = {
  id: 'hidden-markup',
  looksFor: 'comments and tags that pretend to be markup, a system message or a chat template',
  why: 'People see rendered text; a model also reads the comment, and may obey the tag.',
  tools: 0,
  pattern:
    /<!--(?!\s{0,8}-->|\s{0,8}\[(?:if|endif))(?=[^>]{8})|<\/?(?:important|system|hidden|critical|instructions?|admin|assistant|override|sys|secret[_-]instructions?|developer|priority|confidential|directive)\b[^<>]{0,60}>|\[\/?(?:system|inst|sys|hidden|override|admin)(?:[ :_-][^\]\n]{0,30})?\]|<<\/?sys>>|<\|[a-z_]{2,24}\|>|\bdisplay\s{0,4}:\s{0,4}none|\bfont-size\s{0,4}:\s{0,4}0(?![.\d])|\[\/\/\]:\s{0,4}#/i,
}

const pushedOutOfSight: Signal = {
  id: 'pushed-out-of-sight',
  looksFor: 'long runs of spaces or empty lines with text behind them',
  why: 'In a window of ordinary size, the text after it is out of sight.',
  tools: 0,
  pattern: /[ \t\u00a0\u2000-\u200a\u3000]{100}|(?:\n[ \t]{0,40}\r?){24}/,
}

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
  looksFor: 'more than 30,000 words; the rest is not checked',
  why: 'No reviewer reads that much about one tool, and instructions can hide at the end.',
  tools: 0,
}

/** Including the signals that need more than phrases and patterns. */
export const allSignals: readonly Signal[] = [...signals, encodedSignal, otherServerSignal, tooMuchText]

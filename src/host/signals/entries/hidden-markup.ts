import type { Signal } from '../signal.ts'

export const hiddenMarkup: Signal = {
  id: 'hidden-markup',
  looksFor: 'comments and tags that pretend to be markup, a system message or a chat template',
  why: 'People see rendered text; a model reads the comment too, and takes the tag for authority.',
  tools: 0,
  pattern:
    /<!--(?!\s{0,8}-->|\s{0,8}\[(?:if|endif))(?=[^>]{8})|<\/?(?:important|system|hidden|critical|instructions?|admin|assistant|override|sys|secret[_-]instructions?|developer|priority|confidential|directive)\b[^<>]{0,60}>|\[\/?(?:system|inst|sys|hidden|override|admin)(?:[ :_-][^\]\n]{0,30})?\]|<<\/?sys>>|<\|[a-z_]{2,24}\|>|\bdisplay\s{0,4}:\s{0,4}none|\bfont-size\s{0,4}:\s{0,4}0(?![.\d])|\[\/\/\]:\s{0,4}#/i,
}

import type { Word } from '../words.ts'
import { isNumber } from './is-protected.ts'
import type { Language } from './language.ts'
import type { Spoken } from './languages.ts'

/** Sounds that are not words in any supported language, drawn out or not. */
const sounds =
  /^(?:u+h+m*|u+m{2,}|e+r+m+|e{2,}r+m*|e+h+m+|e+m{2,}|e+h{2,}|e{2,}h+|a+h+m+|a+h{2,}|a{2,}h+|ä+h*m*|ö+h+m*|h+m+h*|m+h+|m{3,}|h*e+u+h+m*|h+e+u{2,}|e+u{2,}|h+u{2,}m+|h+u+m{2,}|p+f{2,}t*|h+ã+|ã+h+n*|a+hn+)$/
/** Fillers in scripts without spaces, matched character by character. */
const dense = ['嗯', '呃', 'えーと', 'えっと', 'ええと', 'えー'].map((text) => [...text])
const denseStarts = new Set(dense.map(([first]) => first))

export function findFillers(words: readonly Word[], { language, rivals }: Spoken): boolean[] {
  const found = words.map((word, index) => {
    if (!isFiller(word, language)) return false
    const before = words[index - 1]
    // `It is late, eh?` would become a question.
    if (/^\s*[?？]/.test(word.gap) && !word.first) return false
    // `38 mm` is a length, `Ben Jones` a name.
    if (before && isNumber(before, language) && /^m+$/.test(word.key)) return false
    const after = words[index + 1]?.text ?? ''
    // Spelled out: `g ä h n e n`.
    if ([before?.text, word.text, after].every((text) => /^\p{L}$/u.test(text ?? ''))) return false
    if (!isFillerSound(word.key) && word.text !== word.key && /^\p{Lu}\p{Ll}/u.test(after) && word.gap.trim() === '')
      return false
    if (isJoined(before) || isJoined(word) || isAnswer(before, word) || isAnswer(word, words[index + 1])) return false
    const isSetOff = hasBreak(before?.gap) || hasBreak(word.gap)
    // `em outubro` and `um acht` are no fillers, and never come before a comma.
    if (rivals.some(({ common }) => common.has(word.key)) && !hasBreak(word.gap)) return false
    if (language?.looseFillers.has(word.key)) return isSetOff || index === 0
    return !(/^(?:ah|eh)$/.test(word.key) && language?.answers.has(words[index + 1]?.key ?? ''))
  })
  for (let index = 0; index < words.length; index++) {
    const length = countDense(words, index)
    for (let offset = 0; offset < length; offset++) found[index + offset] = true
  }
  return found
}

/** Whether it is a filler sound in any language. */
export function isFillerSound(key: string): boolean {
  return sounds.test(key)
}

function isFiller({ text, key, first }: Word, language: Language | undefined): boolean {
  // Capitalized, it is a name or an abbreviation.
  if (!(text === key || (first && text.slice(1) === key.slice(1)))) return false
  return isFillerSound(key) || (language !== undefined && (language.fillers.has(key) || language.looseFillers.has(key)))
}

function isJoined(word: Word | undefined): boolean {
  return word !== undefined && /^[-‐‑'’]$/.test(word.gap)
}

/** `uh huh` and `mm hm` are a yes, `uh oh` is a warning. */
function isAnswer(one: Word | undefined, other: Word | undefined): boolean {
  if (!one || !other || one.gap.trim() !== '') return false
  return /^(?:u[hm] (?:huh|hum|oh)|m{1,3}h? h+m+)$/.test(`${one.key} ${other.key}`)
}

function hasBreak(gap = ''): boolean {
  return gap.trim() !== ''
}

function countDense(words: readonly Word[], at: number): number {
  if (!denseStarts.has(words[at]!.key)) return 0
  const filler = dense.find((characters) =>
    characters.every((character, offset) => {
      const word = words[at + offset]
      return word?.key === character && (offset === characters.length - 1 || word.gap === '')
    }),
  )
  return filler?.length ?? 0
}

import type { Word } from '../words.ts'
import type { Language } from './language.ts'

/** Sounds that are not words in any supported language, drawn out or not. */
const sounds = /^(?:u+h+m*|u+m{2,}|u+hm+|e+r+m+|e+h+m+|a+h+m+|ä+h+m*|ö+h+m*|h+m+|m{3,}|e+u+h+m*)$/
/** Fillers in scripts without spaces, matched character by character. */
const dense = ['嗯', '呃', 'えーと', 'えっと', 'ええと', 'えー'].map((text) => [...text])
const denseStarts = new Set(dense.map(([first]) => first))

export function findFillers(words: readonly Word[], language: Language | undefined): boolean[] {
  const found = words.map((word, index) => {
    if (!isFiller(word, language)) return false
    // `uh-huh` is a yes and `uh-uh` a no.
    return !isJoined(words[index - 1]) && !isJoined(word) && !/^(?:huh|oh)$/.test(words[index + 1]?.key ?? '')
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
  return isFillerSound(key) || (language?.fillers.has(key) ?? false)
}

function isJoined(word: Word | undefined): boolean {
  return word !== undefined && /^[-‐‑'’]$/.test(word.gap)
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

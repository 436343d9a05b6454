/** What a person would not see, or would read as something else, in what a model wrote. */
export function findHidden(written: string, source: string): 'hidden' | 'look_alike' | undefined {
  if (!written.isWellFormed() || hidden.test(withoutUsual(written))) return 'hidden'
  // Letters set apart are read as a word by people alone.
  if (/(?<![\p{L}\p{M}])\p{L}(?:[\s.\-_*]\p{L}){2,}(?![\p{L}\p{M}])/u.test(written) && !source.includes(written)) {
    const spelt = /(?<![\p{L}\p{M}])\p{L}(?:[\s.\-_*]\p{L}){2,}(?![\p{L}\p{M}])/u.exec(written)![0]
    if (!source.includes(spelt)) return 'hidden'
  }
  const words = written.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const hasLatin = /\p{Script=Latin}/u.test(written)
  const isDoubtful = (word: string) => hasLatin && likeLatin.test(word) && !source.includes(word)
  return words.some(isDoubtful) ? 'look_alike' : undefined
}

const hidden = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2800\ufffc]/u

/** Joiners between letters of scripts that need them, and in emoji, are seen by what they do. White space is no secret. */
function withoutUsual(text: string): string {
  return text
    .replace(/[\t\n\r]/g, ' ')
    .replace(
      /(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Sinhala}\p{M}])[\u200c\u200d](?=\p{L})/gu,
      '',
    )
    .replace(/(?<=\p{Extended_Pictographic}\ufe0f?)\u200d(?=\p{Extended_Pictographic})/gu, '')
    .replace(/(?<=[\p{Extended_Pictographic}\d#*])\ufe0f/gu, '')
}

/** Scripts whose letters can be taken for Latin ones. */
const likeLatin =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}\p{Script=Deseret}]/u

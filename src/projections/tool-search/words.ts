/** The words of a text, normalized: `readFiles`, `read_file` and `reading a file` give `read` and `file`. */
export function toWords(text: string): string[] {
  const found = isAscii.test(text)
    ? text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').match(/[A-Za-z0-9]+/g)
    : text
        .normalize('NFKC')
        .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
        .match(/[\p{L}\p{M}\p{N}]+/gu)
  return (found ?? [])
    .map((word) => word.toLowerCase())
    .filter((word) => !stopWords.has(word))
    .map(toStem)
}

/** Fast path: most definitions are ASCII. */
const isAscii = /^[\x00-\x7f]*$/

const stopWords = new Set(
  'a an and are as at be by do for from how i in is it me my of on or that the this to what with'.split(' '),
)

function toStem(word: string): string {
  if (word.length < 4 || !/^[a-z]+(?:s|e|ed|ing)$/.test(word)) return word
  const stem = word
    .replace(/ies$/, 'y')
    .replace(/(?:ing|ed)$/, '')
    .replace(/(ch|sh|ss|x)es$/, '$1')
    .replace(/([^s])s$/, '$1')
    .replace(/e$/, '')
  return stem.length < 3 ? word : stem
}

import { analyse } from 'chardet'

/** Enough to recognize a language, and little enough to be fast. */
const maxSample = 65_536
const minLetters = 40

/**
 * The encoding of a page that declares none and is not UTF-8, from the statistics of its text (by chardet), or from the
 * language that it declares; undefined if unknown.
 */
export function guessCharset(bytes: Uint8Array): string | undefined {
  const html = new TextDecoder('latin1').decode(bytes.subarray(0, maxSample * 4))
  const sample = toSample(html)
  if (isThai(sample)) return 'windows-874'
  const found = analyse(sample)
    .map(({ name }) => name as string)
    .find((name) => isValid(name, sample))
  const byLanguage = findByLanguage(html)
  if (byLanguage === undefined || !isValid(byLanguage, sample)) return found
  // A short text has too few letters for statistics. Western European is what remains if nothing is recognized.
  if (sample.filter((byte) => byte > 127).length < minLetters) return byLanguage
  return found === undefined || /^(?:ISO-8859-1|windows-1252|ASCII)$/i.test(found) ? byLanguage : found
}

/** The bytes of the text: markup and scripts look like English. */
function toSample(html: string): Uint8Array {
  const text = html.replace(/<!--[\s\S]*?(?:-->|$)|<(script|style)\b[\s\S]*?(?:<\/\1|$)|<[^<>]*>/gi, ' ')
  return Uint8Array.from(text.slice(0, maxSample), toByte)
}

/** `latin1` is windows-1252 to a decoder, which has other characters from 0x80 to 0x9f. */
function toByte(character: string): number {
  const code = character.charCodeAt(0)
  return code < 256 ? code : (specials.get(character) ?? 63)
}

const specials = new Map(
  Array.from({ length: 32 }, (_, at) => [new TextDecoder('latin1').decode(Uint8Array.of(128 + at)), 128 + at]),
)

/** A text that ends in the middle of a character is valid. */
function isValid(charset: string, sample: Uint8Array): boolean {
  try {
    new TextDecoder(charset, { fatal: true }).decode(sample, { stream: true })
    return true
  } catch {
    return false
  }
}

/** Chardet has no Thai. Its consonants are bytes that are rare together in other encodings. */
function isThai(sample: Uint8Array): boolean {
  if (!isValid('windows-874', sample)) return false
  let [high, consonants] = [0, 0]
  for (const byte of sample) {
    if (byte > 0x9f) high++
    if (byte >= 0xa1 && byte <= 0xce) consonants++
  }
  return (
    high > 20 && consonants > high / 2 && !['euc-kr', 'euc-jp', 'gb18030', 'big5'].some((one) => isValid(one, sample))
  )
}

function findByLanguage(html: string): string | undefined {
  const [, language = '', region = ''] =
    /<html\s[^<>]{0,500}?lang\s?=\s?["']?([a-z]{2})(?:[-_]([a-z]{2,4}))?/i.exec(html) ?? []
  if (language.toLowerCase() === 'zh') return /^(?:tw|hk|mo|hant)$/i.test(region) ? 'big5' : 'gb18030'
  return Object.entries(languages).find(([, codes]) => codes.split(' ').includes(language.toLowerCase()))?.[0]
}

/** The encodings in which these languages were written before UTF-8. */
const languages: Readonly<Record<string, string>> = {
  'windows-1250': 'pl cs sk hu sl hr bs ro sq',
  'windows-1251': 'ru uk be bg mk sr',
  'windows-1253': 'el',
  'windows-1254': 'tr az',
  'windows-1255': 'he iw',
  'windows-1256': 'ar fa ur',
  'windows-1257': 'lt lv et',
  'windows-1258': 'vi',
  'windows-874': 'th',
  'euc-kr': 'ko',
  shift_jis: 'ja',
}

import { decodeHTMLStrict } from 'entities/decode'

const maxCharacters = 20_000

/** Removes tags and decodes character references, up to a maximum length. Keeps `a < b`. */
export function stripMarkup(text: string): string {
  const [first = '', ...parts] = text.slice(0, maxCharacters).split('<')
  const plain = parts.map((part) => {
    if (!/^[a-z/!?]/i.test(part)) return `<${part}`
    const end = part.indexOf('>')
    return end < 0 ? '' : ` ${part.slice(end + 1)}`
  })
  // Strict: `?a=1&copy=2` in a snippet keeps its `&copy`.
  return decodeHTMLStrict([first, ...plain].join(''))
    .replace(/\s+/g, ' ')
    .trim()
}

import { decodeHTMLStrict } from 'entities/decode'

const longest = 20_000

/** Text without tags and character references, of a bounded length. What is no tag stays: `a < b`. */
export function stripMarkup(text: string): string {
  const [first = '', ...parts] = text.slice(0, longest).split('<')
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

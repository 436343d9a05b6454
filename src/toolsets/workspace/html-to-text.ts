import { decodeEntities } from './decode-entities.ts'

/**
 * What a person would read of a page: without tags, scripts and styles, one line for each block. Goes through the text
 * once, whatever it looks like.
 */
export function htmlToText(html: string): string {
  const pieces: string[] = []
  let at = 0
  let preformatted = 0

  function say(text: string) {
    const decoded = decodeEntities(text)
    pieces.push(preformatted > 0 ? decoded : decoded.replace(/[ \t\r\n\f]+/g, ' '))
  }

  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open < 0) {
      say(html.slice(at))
      break
    }
    if (open > at) say(html.slice(at, open))
    if (html.startsWith('<!--', open)) {
      at = after(html, '-->', open + 4)
      continue
    }
    const tag = readTag(html, open)
    if (!tag) {
      say('<')
      at = open + 1
      continue
    }
    at = tag.end
    if (tag.opens && unseen.has(tag.name)) at = findClosing(html, tag.name, at)
    else if (tag.name === 'pre') preformatted = tag.opens ? preformatted + 1 : Math.max(0, preformatted - 1)
    pieces.push(toSpace(tag))
  }
  return tidy(pieces.join(''))
}

/** What stands in these is for machines. */
const unseen = new Set(['script', 'style', 'template', 'svg', 'iframe', 'noembed', 'noframes'])

const blocks = new Set(
  (
    'address article aside blockquote body br dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 ' +
    'h6 head header hr html legend li main nav ol option p pre section summary table tbody tfoot thead title tr ul'
  ).split(' '),
)

interface Tag {
  readonly name: string
  readonly opens: boolean
  /** Behind its `>`. */
  readonly end: number
}

/** The tag that begins here; undefined where `<` is just a character. */
function readTag(html: string, open: number): Tag | undefined {
  tagName.lastIndex = open
  const found = tagName.exec(html)
  if (!found) return undefined
  return { name: found[2]!.toLowerCase(), opens: found[1] === '', end: findTagEnd(html, tagName.lastIndex) }
}

const tagName = /<(\/?)([a-z][a-z0-9-]*|[!?])/iy

/** A `>` in quotes does not end a tag. */
function findTagEnd(html: string, from: number): number {
  let quote = ''
  for (let at = from; at < html.length; at++) {
    const character = html[at]!
    if (quote) {
      if (character === quote) quote = ''
    } else if (character === '>') return at + 1
    else if (character === '"' || character === "'") quote = character
  }
  return html.length
}

function findClosing(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}[\\s/>]`, 'gi')
  closing.lastIndex = from
  const found = closing.exec(html)
  return found ? found.index : html.length
}

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from)
  return found < 0 ? html.length : found + mark.length
}

function toSpace({ name, opens }: Tag): string {
  if (name === 'li' && opens) return '\n- '
  if (name === 'td' || name === 'th') return opens ? '' : ' | '
  return blocks.has(name) ? '\n' : ''
}

/** No blanks around line ends, and at most one blank line in a row. */
function tidy(text: string): string {
  const lines = text.split('\n').map((line) =>
    line
      .trimEnd()
      .replace(/^ (?=\S)/, '')
      .replace(/ \|$/, ''),
  )
  return lines
    .filter((line, index) => line !== '' || (index > 0 && lines[index - 1] !== ''))
    .join('\n')
    .trim()
}

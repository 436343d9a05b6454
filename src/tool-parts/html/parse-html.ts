import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { type Attributes, attributeNames, type Page } from './tree.ts'
import { TreeBuilder } from './tree-builder.ts'

/** A power of two. On a collision the later name replaces the earlier one. */
const places = 512

/**
 * Parses a page, even a broken one. Time and memory are linear in its length: at most `maxElements` elements, nested up
 * to `maxLevels` deep (see `tree-builder.ts`), without recursion.
 */
export function parseHtml(html: string): Page {
  let firstCdata = -1
  const page = parse(html, (at) => {
    if (firstCdata < 0) firstCdata = at
  })
  if (firstCdata < 0) return page
  // In HTML, unlike XML, `<![CDATA[` is a comment up to the next `>`. The replacement has the same length.
  const rest = html.slice(firstCdata).replaceAll('<![CDATA[', '<!?CDATA[')
  return parse(html.slice(0, firstCdata) + rest, () => {})
}

function parse(html: string, onCdata: (at: number) => void): Page {
  const builder = new TreeBuilder()
  const readName = createNames(html)
  let tag = ''
  let attributes: Record<string, string> | undefined
  let name: string | undefined
  let value = ''

  const callbacks: TokenizerCallbacks = {
    onopentagname(start, end) {
      tag = readName(start, end)
      attributes = undefined
    },
    onattribname(start, end) {
      name = readName(start, end)
      if (!keptNames.has(name) || ownersOf[name]?.has(tag) === false) name = undefined
      value = ''
    },
    onattribdata(start, end) {
      if (name !== undefined) value += html.slice(start, end)
    },
    onattribentity(codePoint) {
      if (name !== undefined) value += String.fromCodePoint(codePoint)
    },
    onattribend() {
      if (name === undefined) return
      attributes ??= {}
      // The first of duplicate attributes wins.
      attributes[name] ??= value
    },
    onopentagend: open,
    onselfclosingtag: open,
    onclosetag(start, end) {
      builder.close(readName(start, end))
    },
    ontext(start, end) {
      builder.say(html.slice(start, end))
    },
    ontextentity(codePoint) {
      builder.say(String.fromCodePoint(codePoint))
    },
    oncdata(start) {
      onCdata(Math.max(0, html.lastIndexOf('<![CDATA[', start)))
    },
    oncomment(start) {
      // One that never ends.
      if (html.startsWith('[CDATA[', start)) onCdata(start - 2)
    },
    ondeclaration() {},
    onprocessinginstruction() {},
    onend() {},
  }
  const tokenizer = new Tokenizer({ decodeEntities: true }, callbacks)

  function open() {
    if (!builder.open(tag, attributes as Attributes | undefined)) tokenizer.pause()
  }

  tokenizer.write(html)
  tokenizer.end()
  return builder.finish()
}

const keptNames: ReadonlySet<string> = new Set(attributeNames)

const images = new Set(['img'])
const cells = new Set(['td', 'th'])
const numbered = new Set(['ol'])
/** Attributes that are kept of some elements only. */
const ownersOf: Readonly<Record<string, ReadonlySet<string> | undefined>> = {
  href: new Set(['a', 'base']),
  alt: images,
  src: images,
  'data-src': images,
  colspan: cells,
  rowspan: cells,
  start: numbered,
  reversed: numbered,
  value: new Set(['li']),
}

/**
 * Interns tag and attribute names in lower case. A page repeats few names very often: a known name is found by its
 * character codes, without allocating a string.
 */
export function createNames(html: string): (start: number, end: number) => string {
  const known: (string | undefined)[] = new Array(places).fill(undefined)
  return (start, end) => {
    let place = end - start
    for (let at = start; at < end; at++) place = (place * 31 + toLower(html.charCodeAt(at))) & (places - 1)
    const before = known[place]
    if (before !== undefined && isSame(before, html, start, end)) return before
    const name = html.slice(start, end).toLowerCase()
    known[place] = name
    return name
  }
}

function isSame(name: string, html: string, start: number, end: number): boolean {
  if (name.length !== end - start) return false
  for (let at = 0; at < name.length; at++) {
    const code = html.charCodeAt(start + at)
    // Non-ASCII: fall back to toLowerCase().
    if (code > 127 || toLower(code) !== name.charCodeAt(at)) return false
  }
  return true
}

function toLower(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code
}

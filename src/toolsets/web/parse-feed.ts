import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'

/** A feed or one of its entries, as written. */
interface FeedPart {
  readonly title: string
  readonly link: string
  /** Often HTML. */
  readonly summary: string
  readonly date: string
  readonly author: string
}

export interface Feed extends FeedPart {
  readonly entries: readonly FeedPart[]
}

type Field = keyof FeedPart

/** Elements of RSS, RDF and Atom by name without prefix. The first in an entry wins. */
const fields: { readonly [tag: string]: Field } = {
  title: 'title',
  link: 'link',
  description: 'summary',
  subtitle: 'summary',
  summary: 'summary',
  content: 'summary',
  encoded: 'summary',
  pubdate: 'date',
  published: 'date',
  updated: 'date',
  lastbuilddate: 'date',
  date: 'date',
  author: 'author',
  creator: 'author',
}

const maxText = 200_000

/** Reads a feed in one pass. Only direct children of an entry count as its fields. */
export function parseFeed(xml: string, maxEntries: number): Feed {
  const feed = toPart()
  const entries: ReturnType<typeof toPart>[] = []
  let part = feed
  let depth = 0
  /** Depth at which the current entry and field were opened; 0 if there is none. */
  let entryAt = 0
  let fieldAt = 0
  let field: Field | undefined
  let text = ''
  let tag = ''
  let attribute = ''
  let value = ''
  let href = ''

  const say = (words: string) => {
    if (field && text.length < maxText) text += words.slice(0, maxText)
  }
  const open = () => {
    depth++
    if (fieldAt > 0) return
    const isEntry = tag === 'item' || tag === 'entry'
    if (isEntry && entryAt === 0 && entries.length < maxEntries) {
      entryAt = depth
      part = toPart()
      entries.push(part)
      return
    }
    field = Object.hasOwn(fields, tag) ? fields[tag] : undefined
    if (!field || (entryAt > 0 && depth !== entryAt + 1)) return
    fieldAt = depth
    text = field === 'link' ? href : ''
  }
  const close = () => {
    if (depth === fieldAt && field) {
      part[field] ||= text.trim()
      fieldAt = 0
      field = undefined
    }
    if (depth === entryAt) {
      entryAt = 0
      part = feed
    }
    depth = Math.max(0, depth - 1)
  }
  const callbacks: TokenizerCallbacks = {
    onopentagname(start, end) {
      tag = xml
        .slice(start, end)
        .toLowerCase()
        .replace(/^[^:]*:/, '')
      href = ''
    },
    onattribname(start, end) {
      attribute = xml.slice(start, end).toLowerCase()
      value = ''
    },
    onattribdata(start, end) {
      value += xml.slice(start, end)
    },
    onattribentity(codePoint) {
      value += String.fromCodePoint(codePoint)
    },
    onattribend() {
      if (attribute === 'href') href = value
    },
    onopentagend: open,
    onselfclosingtag() {
      open()
      close()
    },
    onclosetag: close,
    ontext: (start, end) => say(xml.slice(start, end)),
    ontextentity: (codePoint) => say(String.fromCodePoint(codePoint)),
    oncdata: (start, end, endOffset) => say(xml.slice(start, end - endOffset)),
    oncomment() {},
    ondeclaration() {},
    onprocessinginstruction() {},
    onend() {},
  }
  const tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: true }, callbacks)
  tokenizer.write(xml)
  tokenizer.end()
  return { ...feed, entries }
}

function toPart(): { -readonly [Key in Field]: string } {
  return { title: '', link: '', summary: '', date: '', author: '' }
}

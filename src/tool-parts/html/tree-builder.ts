import type { Attributes, Element, Page } from './tree.ts'

/** About 60 MB; real pages have a few thousand elements. */
const maxElements = 250_000
/** The limit of browsers. Deeper elements become siblings at this level. */
const maxLevels = 512

/** An element under construction. */
interface OpenElement extends Element {
  children: readonly (Element | string)[]
  attributes: Attributes
  end: number
}

/**
 * Builds the tree from a stream of tags and texts, with the error handling of HTML that real pages need: unclosed tags,
 * tags closed in the wrong order, a missing body. Invariant: element count and depth are bounded, and each event costs
 * amortized constant time, so that a hostile page cannot make it slow.
 */
export class TreeBuilder {
  readonly #elements: OpenElement[] = []
  readonly #stack: OpenElement[] = []
  /** Children of all open elements, innermost last. Each element gets an exactly sized array when it is closed. */
  readonly #children: (Element | string)[] = []
  /** Start of each open element in `#children`. */
  readonly #starts: number[] = []
  /** Open elements per tag, so that a stray closing tag is cheap. */
  readonly #openTags = new Map<string, number>()
  readonly #blanks = new Map<string, string>()
  #text = ''
  #tooDeep = 0
  #truncated = false
  #head: OpenElement | undefined
  #body: OpenElement | undefined

  constructor() {
    this.#push('html', none)
  }

  /** Returns false once `maxElements` is reached. */
  open(tag: string, attributes: Attributes = none): boolean {
    if (tag === 'html') return this.#merge(this.#elements[0]!, attributes)
    if (tag === 'body' && this.#body) return this.#merge(this.#body, attributes)
    if (tag === 'head' && (this.#head || this.#body)) return true
    if (!this.#body && tag !== 'head' && tag !== 'body' && !headTags.has(tag)) this.#openBody()
    if (tag === 'body') this.#closeHead()

    this.#closeImplied(tag)
    if (this.#elements.length >= maxElements) {
      this.#truncated = true
      return false
    }
    const isVoid = voidTags.has(tag)
    if (this.#stack.length >= maxLevels) {
      this.#add(tag, attributes)
      if (!isVoid) this.#tooDeep++
      return true
    }
    if (isVoid) this.#add(tag, attributes)
    else this.#push(tag, attributes)
    if (tag === 'head') this.#head = this.#stack.at(-1)
    if (tag === 'body') this.#body = this.#stack.at(-1)
    return true
  }

  close(tag: string): void {
    if (this.#tooDeep > 0) {
      this.#flush()
      if (!voidTags.has(tag)) this.#tooDeep--
      return
    }
    if (tag === 'br') this.open('br')
    if (tag === 'html' || tag === 'body' || !this.#openTags.get(tag)) return
    const isInline = !blockTags.has(tag)
    let between: OpenElement[] | undefined
    for (let at = this.#stack.length - 1; at > 0; at--) {
      const open = this.#stack[at]!
      if (open.tag === tag) {
        this.#closeTo(open)
        // <a><div></a>…</div>: the block continues after the link.
        for (const block of between?.reverse() ?? []) this.#push(block.tag, block.attributes)
        return
      }
      if (open.tag !== 'button' && scopeTags.has(open.tag) && !tableTags.has(tag)) return
      if (isInline && blockTags.has(open.tag)) {
        between ??= []
        if (tag !== 'a' || between.length >= 8) return
        between.push(open)
      }
    }
  }

  say(text: string): void {
    if (!this.#body && this.#stack.length <= 2 && /\S/.test(text)) {
      const top = this.#stack.at(-1)!
      if (top.tag === 'html' || top.tag === 'head') this.#openBody()
    }
    const { tag, attributes } = this.#stack.at(-1)!
    if (tag === 'style' || (tag === 'script' && !isJson(attributes.type))) return
    this.#text += text
  }

  finish(): Page {
    this.#closeTo(this.#elements[0]!)
    return { root: this.#elements[0]!, elements: this.#elements, truncated: this.#truncated }
  }

  #openBody() {
    this.#closeHead()
    this.#push('body', none)
    this.#body = this.#stack.at(-1)
  }

  #closeHead() {
    if (this.#head && this.#stack.includes(this.#head)) this.#closeTo(this.#head)
  }

  /** Implied end tags: `<p>` ends a paragraph, `<li>` an item, and so on, up to the enclosing scope. */
  #closeImplied(tag: string) {
    const closes = impliedEnds.get(tag)
    if (closes) this.#closeNearest(closes.tags, closes.within)
    if (closesParagraph.has(tag) && this.#openTags.get('p')) this.#closeNearest(paragraph, scopeTags)
  }

  #closeNearest(tags: ReadonlySet<string>, within: ReadonlySet<string>) {
    for (let at = this.#stack.length - 1; at > 0; at--) {
      const open = this.#stack[at]!
      if (tags.has(open.tag)) return this.#closeTo(open)
      if (within.has(open.tag)) return
    }
  }

  #closeTo(element: OpenElement) {
    this.#flush()
    this.#tooDeep = 0
    for (let open = this.#stack.pop(); open; open = this.#stack.pop()) {
      open.end = this.#elements.length
      const start = this.#starts.pop()!
      if (start < this.#children.length) open.children = this.#children.splice(start)
      this.#openTags.set(open.tag, this.#openTags.get(open.tag)! - 1)
      if (open === element) return
    }
  }

  #push(tag: string, attributes: Attributes) {
    this.#stack.push(this.#add(tag, attributes))
    this.#starts.push(this.#children.length)
    this.#openTags.set(tag, (this.#openTags.get(tag) ?? 0) + 1)
  }

  #add(tag: string, attributes: Attributes): OpenElement {
    this.#flush()
    const parent = this.#stack.at(-1) ?? null
    const index = this.#elements.length
    const element: OpenElement = { tag, attributes, parent, children: empty, index, end: index + 1 }
    this.#elements.push(element)
    if (parent) this.#children.push(element)
    return element
  }

  #flush() {
    if (this.#text === '') return
    this.#children.push(this.#text.charCodeAt(0) <= space ? this.#toShared(this.#text) : this.#text)
    this.#text = ''
  }

  /** Interns white space: half of the texts of a page are indentation. */
  #toShared(text: string): string {
    if (/\S/.test(text)) return text
    const known = this.#blanks.get(text)
    if (known !== undefined) return known
    this.#blanks.set(text, text)
    return text
  }

  #merge(element: OpenElement, attributes: Attributes): true {
    element.attributes = { ...attributes, ...element.attributes }
    return true
  }
}

const none: Attributes = Object.freeze({})
const empty: readonly never[] = Object.freeze([])
const space = 32

function isJson(type: string | undefined): boolean {
  return type !== undefined && /json/i.test(type)
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}

const voidTags = words(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr',
)

const headTags = words('base basefont bgsound link meta noscript script style template title')

/** Scopes that a closing tag of another element does not cross; for a button this is true of `</p>` only. */
const scopeTags = words('html table td th caption template object marquee applet button')
const tableTags = words('table thead tbody tfoot tr td th caption')

const paragraph = words('p')

const closesParagraph = words(
  'address article aside blockquote center details dialog dir div dl dd dt fieldset figcaption figure footer form h1 h2 h3 ' +
    'h4 h5 h6 header hgroup hr li main menu nav ol p pre section summary table ul',
)

const blockTags = words(
  'address article aside blockquote body button caption center dd details dialog dir div dl dt fieldset figcaption figure ' +
    'footer form h1 h2 h3 h4 h5 h6 header hgroup html iframe li listing main menu nav noscript ol p pre section select ' +
    'summary table tbody td template tfoot th thead tr ul',
)

const headings = words('h1 h2 h3 h4 h5 h6')
const rows = words('table template')
const impliedEnds = new Map<string, { tags: ReadonlySet<string>; within: ReadonlySet<string> }>([
  ['li', { tags: words('li'), within: words('ul ol menu dir table td th template div section article') }],
  ['dd', { tags: words('dd dt'), within: words('dl table td th template') }],
  ['dt', { tags: words('dd dt'), within: words('dl table td th template') }],
  ['td', { tags: words('td th'), within: words('tr table template') }],
  ['th', { tags: words('td th'), within: words('tr table template') }],
  ['tr', { tags: words('tr'), within: words('thead tbody tfoot table template') }],
  ['tbody', { tags: words('thead tbody tfoot'), within: rows }],
  ['tfoot', { tags: words('thead tbody tfoot'), within: rows }],
  ['thead', { tags: words('thead tbody tfoot'), within: rows }],
  ['option', { tags: words('option'), within: words('select datalist optgroup') }],
  ['optgroup', { tags: words('optgroup'), within: words('select') }],
  ['button', { tags: words('button'), within: words('html table td th caption template object marquee applet') }],
  ['a', { tags: words('a'), within: words('td th table template') }],
  ...[...headings].map((tag) => [tag, { tags: headings, within: words('div section article td th li') }] as const),
])

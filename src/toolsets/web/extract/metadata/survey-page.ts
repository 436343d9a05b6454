import { closest, type Element, type Page, textOf } from '../tree.ts'
import { fold } from './plain-line.ts'
import { type LinkedPage, readJsonLd } from './read-json-ld.ts'

/** What metadata is read from, gathered in one pass over the page. */
export interface Survey {
  readonly page: Page
  readonly url: string
  /** What `<meta>` says, by name in lower case; of several with one name all. */
  readonly metas: ReadonlyMap<string, readonly string[]>
  readonly linked: LinkedPage
  /** `<title>`. */
  readonly title: Element | undefined
  readonly headings: readonly Element[]
  /** Elements that say when and who, by their tag or attributes, in document order. */
  readonly dated: readonly Element[]
  readonly signed: readonly Element[]
  readonly lang: string
  /** Is it in a footer, a comment, a list of other articles? */
  isAside(element: Element): boolean
  /** The words of what people can read, asides left out, as `fold` makes them, with a space at both ends. */
  bodyWords(): string
}

const mostMetas = 2000
const mostOfAKind = 1000

export function surveyPage(page: Page, url: string): Survey {
  const metas = new Map<string, string[]>()
  const scripts: string[] = []
  const headings: Element[] = []
  const dated: Element[] = []
  const signed: Element[] = []
  const asides: Element[] = []
  let title: Element | undefined
  let metaCount = 0
  let asideEnd = 0
  for (const element of page.elements) {
    const { tag, attributes, index } = element
    if (tag === 'meta') {
      if (metaCount++ < mostMetas) addMeta(metas, attributes)
    } else if (tag === 'title') {
      if (element.parent?.tag !== 'svg') title ??= element
    } else if (tag === 'script') {
      if (/ld\+json/i.test(attributes.type ?? '')) scripts.push(textOf(element))
    } else if (headingTags.has(tag)) {
      if (headings.length < mostOfAKind) headings.push(element)
    }
    const hint = hintOf(element)
    if (index >= asideEnd && isAsideOf(element, hint)) {
      asides.push(element)
      asideEnd = element.end
    }
    if (tag === 'time' || datedHint.test(hint)) if (dated.length < mostOfAKind) dated.push(element)
    if (hint !== '' && signedHint.test(hint) && signed.length < mostOfAKind) signed.push(element)
  }
  const main = findMainHeading(headings, asides)
  const isAside = toAsideCheck(main === undefined ? asides : asides.filter((aside) => !contains(aside, main)))
  let words: string | undefined
  const bodyWords = () => {
    words ??= ` ${fold(readBody(page, isAside))} `
    return words
  }
  const lang = page.root.attributes.lang ?? page.root.attributes['xml:lang'] ?? ''
  return { page, url, metas, linked: readJsonLd(scripts), title, headings, dated, signed, lang, isAside, bodyWords }
}

const headingTags = new Set(['h1', 'h2', 'h3'])
const mostHint = 300

/** What an element says about its role. */
function hintOf({ attributes: { class: classes, id, itemprop, rel, 'data-testid': testId } }: Element): string {
  if (classes === undefined && id === undefined && itemprop === undefined && rel === undefined) return testId ?? ''
  return `${classes ?? ''} ${id ?? ''} ${itemprop ?? ''} ${rel ?? ''} ${testId ?? ''}`.slice(0, mostHint)
}

const datedHint = /date|datum|data|fecha|time|publi|posted|veroeff|meta|stand\b|byline|info/i
const signedHint =
  /author|autor|byline|writer|verfasser|redakteur|creator|journalist|posted-?by|contributor|username|\bfn\b/i
const asideHint =
  /(?:^|[\s_-])(?:footer|sidebar|side-bar|comments?|kommentare?|commentlist|related|recommend\w*|teasers?|widget\w*|popular|trending|newsletter|nav(?:igation)?|menu|breadcrumbs?|cookie\w*|more-(?:news|articles|stories)|mehr-zum-thema|recent-?posts|promo|advert\w*|carousel|share|sharing|social)(?:$|[\s_-])/i

function isAsideOf(element: Element, hint: string): boolean {
  const { tag, index } = element
  if (tag === 'aside' || tag === 'nav') return true
  // The footer of an article has its date and its author.
  if (tag === 'footer') return closest(element, ({ tag }) => tag === 'article') === undefined
  return index > 0 && hint !== '' && !rootTags.has(tag) && asideHint.test(hint)
}

const rootTags = new Set(['html', 'head', 'body', 'main', 'article', 'meta', 'link', 'time'])

function addMeta(metas: Map<string, string[]>, attributes: Element['attributes']) {
  const { content } = attributes
  if (content === undefined || content.trim() === '') return
  for (const attribute of ['property', 'name', 'itemprop', 'http-equiv']) {
    const name = attributes[attribute]?.trim().toLowerCase()
    if (!name) continue
    const values = metas.get(name) ?? []
    if (values.length < 50) values.push(content)
    metas.set(name, values)
  }
}

const mostBody = 300_000
const unread = new Set(['script', 'style', 'noscript', 'template', 'title', 'option'])

function readBody({ elements }: Page, isAside: (element: Element) => boolean): string {
  const texts: string[] = []
  let length = 0
  for (const element of elements) {
    if (unread.has(element.tag) || isAside(element)) continue
    for (const child of element.children) {
      if (typeof child !== 'string') continue
      texts.push(child)
      length += child.length
    }
    if (length > mostBody) break
  }
  return texts.join(' ').slice(0, mostBody)
}

/** A page whose frame is called a sidebar is still a page: what has its first large heading is not beside it. */
function findMainHeading(headings: readonly Element[], asides: readonly Element[]): Element | undefined {
  const largest = headings.filter(({ tag }) => tag === 'h1')
  return largest.find((heading) => !asides.some((aside) => contains(aside, heading))) ?? largest[0]
}

function contains(element: Element, other: Element): boolean {
  return other.index > element.index && other.index < element.end
}

/** Asides do not overlap and are in document order. */
function toAsideCheck(asides: readonly Element[]): (element: Element) => boolean {
  return ({ index }) => {
    let [low, high] = [0, asides.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (asides[middle]!.end <= index) low = middle + 1
      else high = middle
    }
    return low < asides.length && asides[low]!.index <= index
  }
}

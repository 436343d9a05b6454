import { fold, lineOf, toPlainLine } from '../../../../tool-parts/html/plain-line.ts'
import { type Element, type Page, textOf } from '../../../../tool-parts/html/tree.ts'
import { leadsToAuthor } from './leads-to-author.ts'
import { isTime, marksOf, toMarkTest } from './marks-of.ts'
import { type LinkedPage, readJsonLd } from './read-json-ld.ts'

const rootTags = new Set(['html', 'head', 'body', 'main', 'article', 'meta', 'link', 'time'])

const asideMark =
  /(?:^|[\s_-])(?:footer|side-?bar|comments?|kommentare?|commentlist|related|recommend\w*|teasers?|widget\w*|popular|trending|newsletter|nav(?:igation)?|menu|breadcrumbs?|cookie\w*|more-(?:news|articles|stories)|mehr-zum-thema|recent-?posts|promo|advert\w*|carousel|share|sharing|social)(?:$|[\s_-])/i

const otherMark =
  /comment|kommentar|comentari|comentári|commenti|reactie|testimonial|trackback|pingback|leserbrief|related|teaser|popular/i

/** The sources of metadata, collected in two passes over the page. */
export interface Survey extends Asides {
  readonly page: Page
  readonly url: string
  /** Contents of `<meta>` by name in lower case; all values if a name repeats. */
  readonly metas: ReadonlyMap<string, readonly string[]>
  readonly linked: LinkedPage
  /** The title tags, most reliable first. */
  readonly names: readonly string[]
  readonly headings: readonly Element[]
  /** Elements marked as dates and as authors, in document order. */
  readonly dated: readonly Element[]
  readonly signed: readonly Element[]
  readonly lang: string
  /** The visible words outside asides, normalized by `fold`, with a space at both ends. */
  bodyWords(): string
  /** Words that the page writes in lower case, which are not names. */
  plainWords(): ReadonlySet<string>
}

const maxMetas = 2000
const maxContent = 2000
const maxOfAKind = 1000

export function surveyPage(page: Page, address: string): Survey {
  const url = address.replace(archived, '')
  const metas = new Map<string, string[]>()
  const scripts: string[] = []
  const headings: Element[] = []
  const dated: Element[] = []
  const signed: Element[] = []
  const isDated = toMarkTest(datedMark)
  const isSigned = toMarkTest(signedMark)
  let title: Element | undefined
  let metaCount = 0
  for (const element of page.elements) {
    const { tag, attributes } = element
    if (tag === 'meta' && metaCount++ < maxMetas) addMeta(metas, attributes)
    else if (tag === 'title' && element.parent?.tag !== 'svg') title ??= element
    else if (tag === 'script' && /ld\+json/i.test(attributes.type ?? '')) scripts.push(textOf(element))
    else if (headingTags.has(tag) && headings.length < maxOfAKind) headings.push(element)
    if (tag === 'meta') continue
    const marks = marksOf(element)
    if ((isTime(element) || isDated(marks)) && dated.length < maxOfAKind) dated.push(element)
    if (!isTime(element) && (isSigned(marks) || leadsToAuthor(element)) && signed.length < maxOfAKind)
      signed.push(element)
  }
  const linked = readJsonLd(scripts)
  const names = toNames([linked.title, ...titleMetas.map((name) => metas.get(name)?.[0]), title && lineOf(title)])
  const asides = findAsides(page, findMainHeading(headings, names))
  const body = once(() => readBody(page, asides))
  const bodyWords = once(() => ` ${fold(body())} `)
  const plainWords = once(() => new Set(body().match(plainWord)))
  const lang = page.root.attributes.lang ?? page.root.attributes['xml:lang'] ?? ''
  return { page, url, metas, linked, names, headings, dated, signed, lang, ...asides, bodyWords, plainWords }
}

/** The address of a copy in the Internet Archive ends with that of the page. */
const archived = /^https?:\/\/web\.archive\.org\/web\/\d{4,14}\w{0,5}\/(?=https?:\/\/)/i

/** Not in addresses and account names. */
const plainWord = /(?<![\p{L}\p{N}./@_-])\p{Ll}{2,30}(?![\p{L}\p{N}@/_-])/gu

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const headingTags = new Set(['h1', 'h2', 'h3'])
const titleMetas = ['og:title', 'twitter:title', 'dc.title', 'dcterms.title', 'headline', 'title']
const datedMark = /date|datum|data|fecha|veroeffentl|erschien|tarih|time|publi|posted|meta|stand\b|byline|author|info/i
const signedMark = /author|autor|byline|writer|verfasser|redakteur|creator|journalist|posted-?by|contributor|username/i

function addMeta(metas: Map<string, string[]>, attributes: Element['attributes']) {
  const { content } = attributes
  if (content === undefined || content.trim() === '') return
  for (const attribute of ['property', 'name', 'itemprop', 'http-equiv'] as const) {
    const name = attributes[attribute]?.trim().toLowerCase()
    if (!name) continue
    const values = metas.get(name) ?? []
    if (values.length < 50) values.push(content.slice(0, maxContent))
    metas.set(name, values)
  }
}

function toNames(texts: readonly (string | null | undefined)[]): string[] {
  return texts.flatMap((text) => (text ? [toPlainLine(text)] : [])).filter((name) => name !== '')
}

/** The first heading that occurs in a title tag; otherwise the first large one. */
function findMainHeading(headings: readonly Element[], names: readonly string[]): Element | undefined {
  const called = names.map((name) => ` ${fold(name)} `)
  const isNamed = (heading: Element) => {
    const words = fold(lineOf(heading))
    return words.includes(' ') && called.some((name) => name.includes(` ${words} `))
  }
  const largest = headings.filter(({ tag }) => tag === 'h1')
  return largest.find(isNamed) ?? headings.find(isNamed) ?? largest[0]
}

const maxBody = 300_000
const unread = new Set(['script', 'style', 'noscript', 'template', 'title', 'option'])

function readBody({ elements }: Page, { isAside }: Asides): string {
  const texts: string[] = []
  let length = 0
  for (const element of elements) {
    if (unread.has(element.tag) || isAside(element)) continue
    for (const child of element.children) {
      if (typeof child !== 'string') continue
      texts.push(child.slice(0, maxBody))
      length += child.length
    }
    if (length > maxBody) break
  }
  return texts.join(' ').slice(0, maxBody)
}

interface Asides {
  /** Whether it is in a footer, a comment, a menu or a list of other articles. */
  isAside(element: Element): boolean
  /** Whether it is in comments or in teasers of other articles. */
  isOfOthers(element: Element): boolean
  /** Whether it is in one of several `<article>` elements that lead to other articles. */
  isInTeaser(element: Element): boolean
  /** Whether it is in the header of the site, where newspapers write the date of today. */
  isInSiteHeader(element: Element): boolean
}

/** Finds the parts that are not content. An element marked as a sidebar is content if it contains the main heading. */
function findAsides({ elements }: Page, main: Element | undefined): Asides {
  const asides: Element[] = []
  const others: Element[] = []
  const headers: Element[] = []
  const teasers = findTeasers(elements, main)
  const hasAsideMark = toMarkTest(asideMark)
  const hasOtherMark = toMarkTest(otherMark)
  let [asideEnd, otherEnd, articleEnd] = [0, 0, 0]
  for (const element of elements) {
    const { tag, index, end } = element
    if (tag === 'article') articleEnd = Math.max(articleEnd, end)
    if ((rootTags.has(tag) && !teasers.has(element)) || (main && main.index >= index && main.index < end)) continue
    const marks = marksOf(element)
    const isReview = element.attributes.itemprop === 'review'
    if (tag === 'header' && main && end <= main.index && index >= articleEnd) headers.push(element)
    if (index >= asideEnd && (isReview || isAsideTag(tag, index < articleEnd) || hasAsideMark(marks))) {
      asides.push(element)
      asideEnd = end
    }
    if (index >= otherEnd && (isReview || teasers.has(element) || hasOtherMark(marks))) {
      others.push(element)
      otherEnd = end
    }
  }
  return {
    isAside: toCheck(asides),
    isOfOthers: toCheck(others),
    isInTeaser: toCheck([...teasers]),
    isInSiteHeader: toCheck(headers),
  }
}

/** Several `<article>` elements with linked headings of their own are a list of other articles. */
function findTeasers(elements: readonly Element[], main: Element | undefined): ReadonlySet<Element> {
  const found = new Set<Element>()
  let article: Element | undefined
  for (const element of elements) {
    const { tag, index, end, parent } = element
    if (tag === 'article' && !(main && main.index >= index && main.index < end)) article = element
    if (article === undefined || index >= article.end || !titleTags.has(tag)) continue
    const inside = elements.slice(index + 1, Math.min(end, index + 4))
    if (parent?.tag === 'a' || inside.some(({ tag, attributes }) => tag === 'a' && attributes.href !== undefined))
      found.add(article)
  }
  return found.size > 1 ? found : new Set()
}

const titleTags = new Set(['h1', 'h2', 'h3', 'h4'])

/** The footer inside an article is not an aside: it has the date and the author. */
function isAsideTag(tag: string, isInArticle: boolean): boolean {
  return tag === 'aside' || tag === 'nav' || (tag === 'footer' && !isInArticle)
}

/** Binary search; the areas do not overlap and are in document order. */
function toCheck(areas: readonly Element[]): (element: Element) => boolean {
  return ({ index }) => {
    let [low, high] = [0, areas.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (areas[middle]!.end <= index) low = middle + 1
      else high = middle
    }
    return low < areas.length && areas[low]!.index <= index
  }
}

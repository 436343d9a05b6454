import { lineOf, partsOf } from '../../../../tool-parts/html/plain-line.ts'
import type { Element } from '../../../../tool-parts/html/tree.ts'
import { cleanNames } from './clean-names.ts'
import { leadsToAuthor } from './leads-to-author.ts'
import { labelBefore } from './line-before.ts'
import { marksOf } from './marks-of.ts'
import { byline, bylineStart, datedByline, label, labelAlone, labelStart } from './name-words.ts'
import type { Survey } from './survey-page.ts'

export const nameMark =
  /(?:^|[\s_-])author(?:[\s_-]*name)?(?:$|\s)|authorname|byline[\s_-]*name|(?:^|\s)(?:p-author|posted-by|by-author|username|user-name|article-author|post-author|entry-author)(?:$|\s)/i
export const bylineMark = /author|autor|byline|writer|verfasser|redakteur|journalist|posted-?by|creator/i
const notNameMark =
  /comment|avatar|image|img|picture|photo|bild|desc|social|follow|icon|bypostauthor|authorit|authoriz|autoriz|email|more|credit|testimonial|review/i
const otherMark = new RegExp(`${notNameMark.source}|bio|about|related|-box|_box`, 'i')

/** In elements; distances above the title count twice. */
export const near = 120

/** The names in the marked element nearest to the title. */
export function fromSigned(survey: Survey, heading: Element | undefined, mark: RegExp): string | null {
  const place = heading?.index ?? 0
  const distance = ({ index }: Element) => (index >= place ? index - place : (place - index) * 2)
  const marked = survey.signed.filter((element) => {
    if (distance(element) > near || (survey.isAside(element) && distance(element) > 15)) return false
    if (survey.isOfOthers(element) || isOfReviewer(element)) return false
    const marks = marksOf(element)
    return (mark.test(marks) || (mark === bylineMark && leadsToAuthor(element))) && !otherMark.test(marks)
  })
  for (const element of marked.sort((a, b) => distance(a) - distance(b)).slice(0, 20)) {
    const line = namesIn(survey, element)
    const names = line.length > 150 ? fullNameIn(survey, element) : cleanNames(line, { groups: true })
    if (names !== null) return names
  }
  return null
}

/** Marked names anywhere on the page, if they are all the same. */
export function fromUnique(survey: Survey): string | null {
  const found = new Set<string>()
  for (const element of survey.signed.slice(0, 100)) {
    const marks = marksOf(element)
    const isMarked = bylineMark.test(marks) || (leadsToAuthor(element) && byline.test(labelBefore(element)))
    if (!isMarked || notNameMark.test(marks) || survey.isOfOthers(element) || isOfReviewer(element)) continue
    const line = namesIn(survey, element)
    const names = line.length > 100 ? null : cleanNames(line)
    if (names !== null) found.add(names)
  }
  return found.size === 1 ? [...found][0]! : null
}

/** The parts of an author that are names. */
function namesIn({ page }: Survey, element: Element): string {
  const inside = page.elements.slice(element.index + 1, Math.min(element.end, element.index + 30))
  for (const isName of [isAuthorLink, isNamed, leadsToAuthor]) {
    const names = inside
      .filter((part) => isName(part) && !isOfReviewer(part))
      .map((name) => name.attributes.content ?? lineOf(name, 100))
    const found = [...new Set(names.filter((name) => name !== ''))]
    if (found.length > 0) return found.join(', ')
  }
  return element.attributes.content ?? partsOf(element).join(' | ')
}

/** The full name that is a title in a box about the author. */
function fullNameIn({ page }: Survey, element: Element): string | null {
  for (const part of page.elements.slice(element.index + 1, Math.min(element.end, element.index + 30))) {
    if (!/^h[2-6]$/.test(part.tag)) continue
    const name = cleanNames(partsOf(part, 60)[0] ?? '')
    return name?.includes(' ') ? name : null
  }
  return null
}

/** After `Reviewed by` and the like. */
function isOfReviewer(element: Element): boolean {
  return reviewer.test(labelBefore(element))
}

const reviewer =
  /(?:review|edit|check|verifi|translat|illustrat|photo)\w* by\s?:?\s?$|(?:geprüft|übersetzt|fotografiert|traduit|traducido) (?:von|durch|par|por)\s?:?\s?$|(?:reviewer|fact[ -]?checker)\s?:?\s?$/i

function isNamed({ attributes }: Element): boolean {
  return /^name$/i.test(attributes.itemprop ?? '')
}

function isAuthorLink({ attributes }: Element): boolean {
  return /author/i.test(attributes.rel ?? '')
}

/** The names in a line near the title that begins with "By". */
export function fromBylines(survey: Survey, heading: Element | undefined): string | null {
  for (const element of around(survey, heading)) {
    const names = startsWith(element, byline) ? readLine(element, bylineStart) : readText(element, explicitStart)
    if (names !== null && !(startsWith(element, label) && isOfBook(element))) return names
  }
  return null
}

/** The full names in a line near the title such as `4. März 2021 von Ada Lovelace`. */
export function fromDatedLines(survey: Survey, heading: Element | undefined): string | null {
  for (const element of around(survey, heading)) {
    const names = readLine(element, datedByline)
    if (names?.includes(' ') || (names !== null && isLast(element, names))) return names
  }
  return null
}

/** `4. März 2021 von Ada`, with nothing after the name. */
function isLast(element: Element, name: string): boolean {
  return /^\p{Lu}/u.test(name) && lineOf(element, 60).endsWith(` ${name}`)
}

function around({ page: { elements } }: Survey, heading: Element | undefined): Element[] {
  if (!heading) return []
  const below = elements.slice(heading.end, heading.end + 40)
  const next = below.findIndex(isLinkedHeading)
  return [
    ...(next < 0 ? below : below.slice(0, next)),
    ...elements.slice(Math.max(0, heading.index - 15), heading.index),
  ]
}

/** The title of another article. */
function isLinkedHeading({ tag, children, parent }: Element): boolean {
  const isLink = (node: Element | string | null) =>
    typeof node === 'object' && node?.tag === 'a' && node.attributes.href !== undefined
  return /^h[1-4]$/.test(tag) && (isLink(parent) || children.some(isLink))
}

/** The names in a line below the title with an explicit label such as "Author:". Lists of books have many. */
export function fromLabels(survey: Survey, heading: Element | undefined): string | null {
  const found = new Set<string>()
  for (const element of survey.page.elements.slice(heading?.end ?? 0, maxLabels)) {
    const names = startsWith(element, label) ? readLine(element, labelStart) : readText(element, labelStart)
    if (names !== null && !survey.isAside(element) && !isOfBook(element)) found.add(names)
  }
  return found.size === 1 ? [...found][0]! : null
}

const maxLabels = 20_000

/** The names after a label that is not at the start of its element. */
function readText({ children }: Element, start: RegExp): string | null {
  for (const child of children.slice(1, 20))
    if (typeof child === 'string' && child.length < 300 && start.test(child)) return cleanNames(child)
  return null
}

/** Whether the lines around it describe a book, whose author is not that of the page. */
function isOfBook(element: Element): boolean {
  for (let place = element, level = 0; place.parent && level < 3; place = place.parent, level++) {
    const { children } = place.parent
    if (children.length > maxSiblings) return false
    const siblings = children.filter((child) => typeof child !== 'string')
    if (siblings.length === 1) continue
    const at = siblings.indexOf(place)
    const lines = siblings.slice(Math.max(0, at - 4), at + 5).map((sibling) => lineOf(sibling, 100))
    return lines.some((line) => bookWord.test(line))
  }
  return false
}

/** Bounds the work on lists of thousands of labels. */
const maxSiblings = 500
const bookWord = /\b(?:ISBN|Verlag|Seiten(?:zahl)?|Publisher|Pages|Paperback|Taschenbuch)\b/

/** Cheap check of the first characters, which rules out most lines. */
function startsWith(element: Element, words: RegExp): boolean {
  let node: Element | string | undefined = element
  for (let depth = 0; depth < 4 && typeof node === 'object'; depth++)
    node = node.children.slice(0, 3).find((child) => typeof child !== 'string' || child.trim() !== '')
  return typeof node === 'string' && words.test(node)
}

function readLine(element: Element, start: RegExp): string | null {
  if (!lineTags.has(element.tag) || captionMark.test(marksOf(element))) return null
  const whole = partsOf(element).join(' | ')
  const line = explicitStart.test(whole) ? whole.slice(0, 120) : whole
  if (line.length > 120) return null
  if (labelAlone.test(line)) return start.test(`${line} x`) ? readNext(element) : null
  if (!start.test(line)) return null
  const names = cleanNames(line)
  return names !== null && /^\p{Ll}/u.test(names) && !explicitStart.test(line) ? null : names
}

/** The names after a label in an element of its own. */
function readNext(element: Element): string | null {
  const children = element.parent?.children ?? []
  if (children.length > 50) return null
  const next = children
    .slice(children.indexOf(element) + 1)
    .find((node) => (typeof node === 'string' ? node.trim() !== '' : node.tag !== 'br'))
  if (next === undefined) return null
  const line = typeof next === 'string' ? next : partsOf(next).join(' | ')
  const names = line.length > 100 ? null : cleanNames(line)
  return names?.split(', ').every((name) => name.includes(' ')) ? names : null
}

const explicitStart = /^\s{0,50}(?:(?:posted|written) by|(?:geschrieben|verfasst|veröffentlicht|erstellt) von)\s/i
const captionMark = /credit|caption|photo|bild|comment/i
const lineTags = new Set('p div span address em i small strong b li dt h4 h5 h6 td th'.split(' '))

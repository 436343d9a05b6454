import { fold, lineOf } from '../../../../tool-parts/html/plain-line.ts'
import type { Element } from '../../../../tool-parts/html/tree.ts'
import { cleanNames } from './clean-names.ts'
import type { FoundTitle } from './find-title.ts'
import { marksOf } from './marks-of.ts'
import { bylineStart, label, labelStart } from './name-words.ts'
import { type SiteNames, toSiteNames } from './site-names.ts'
import type { Survey } from './survey-page.ts'

type Step = (survey: Survey, heading: Element | undefined, site: SiteNames) => string | null

/**
 * Sources in order of reliability. A name that is only in the metadata counts only if the page shows no author: where
 * the two differ, the metadata usually names the owner of the site.
 */
const steps: readonly Step[] = [
  (survey, heading, site) => asShown(survey, heading, fromLinked(survey, heading, site)),
  (survey, heading) => fromSigned(survey, heading, nameMark),
  (survey, heading, site) => asShown(survey, heading, fromMetas(survey, heading, site)),
  (survey, heading) => fromSigned(survey, heading, bylineMark),
  fromTexts,
  fromUnique,
  (survey, heading, site) => asPerson(fromLinked(survey, heading, site), survey.linked.authors),
  (survey, heading, site) => asPerson(notOwner(survey, fromMetas(survey, heading, site))),
]

/** The authors of the page, joined by commas; null if unknown. */
export function findByline(survey: Survey, title: FoundTitle | null): string | null {
  const site = toSiteNames(survey)
  const heading = title?.heading
  const titleWords = ` ${fold(title?.text ?? '')} `
  for (const step of steps) {
    const names = step(survey, heading, site)
    if (names === null || names.split(', ').every((name) => titleWords.includes(` ${fold(name)} `))) continue
    return withMore(names, fromSigned(survey, heading, bylineMark))
  }
  return null
}

/** Metadata often has only the first of several authors, or only a first name: prefer the longer visible byline. */
function withMore(names: string, shown: string | null): string {
  return shown !== null && shown.length > names.length && fold(shown).startsWith(`${fold(names)} `) ? shown : names
}

/** Returns the names only if all are visible on the page. */
function asShown(
  { page, bodyWords, signed, isOfOthers }: Survey,
  heading: Element | undefined,
  names: string | null,
): string | null {
  if (names === null) return null
  const place = heading?.index ?? 0
  const around = page.elements.slice(Math.max(0, place - 20), place + near).filter(({ tag }) => tag !== 'script')
  const texts = around.flatMap(({ children }) =>
    children.flatMap((child) =>
      typeof child === 'string' && !rightsMark.test(child.slice(0, 500)) ? [child.slice(0, 500)] : [],
    ),
  )
  const marked = signed.filter((element) => !isOfOthers(element)).slice(0, 50)
  const words = ` ${fold([...texts, ...marked.map((element) => lineOf(element, 150))].join(' '))} `
  const isShown = (name: string) => words.includes(` ${fold(name)} `) || bodyWords().includes(` ${fold(name)} `)
  return names.split(', ').every(isShown) ? names : null
}

/** A single word is usually an account or an organization, unless it is declared as a person's name. */
function asPerson(names: string | null, authors: readonly { readonly isPerson: boolean }[] = []): string | null {
  const areDeclared = authors.length > 0 && authors.every(({ isPerson }) => isPerson)
  return names !== null && (areDeclared || names.split(', ').every((name) => name.includes(' '))) ? names : null
}

/** Marked names anywhere on the page, if they are all the same. */
function fromUnique(survey: Survey): string | null {
  const found = new Set<string>()
  for (const element of survey.signed.slice(0, 100)) {
    const marks = marksOf(element)
    if (!bylineMark.test(marks) || notNameMark.test(marks) || survey.isOfOthers(element)) continue
    const line = nameIn(survey, element)
    const names = line.length > 80 ? null : cleanNames(line)
    if (names !== null) found.add(names)
  }
  return found.size === 1 ? [...found][0]! : null
}

function fromLinked({ linked }: Survey, _: Element | undefined, site: SiteNames): string | null {
  const people = linked.authors.filter(({ isOrganization, name }) => !isOrganization && !site.has(name))
  return cleanNames(people.map(({ name }) => name).join(', '))
}

const authorMetas = [
  'author',
  'article:author',
  'og:article:author',
  'article.author',
  'dc.creator',
  'dcterms.creator',
  'dc.contributor',
  'citation_author',
  'parsely-author',
  'sailthru.author',
  'article:author_name',
  'byl',
  'byline',
  'creator',
  'authors',
  'bt:author',
  'cxenseparse:author',
]

/** Names in the metadata of many sites are those of their owner, who also has the rights. */
function notOwner({ page, metas }: Survey, names: string | null): string | null {
  if (names === null) return null
  const rights = rightsMetas.flatMap((name) => metas.get(name) ?? [])
  for (const { children } of page.elements)
    for (const child of children)
      if (typeof child === 'string' && child.length < 300 && rightsMark.test(child)) rights.push(child)
  const words = ` ${fold(rights.slice(0, 50).join(' '))} `
  return names.split(', ').some((name) => words.includes(` ${fold(name)} `)) ? null : names
}

const rightsMetas = [
  'copyright',
  'rights',
  'dc.rights',
  'dcterms.rights',
  'dc.rights.rightsholder',
  'dc.publisher',
  'owner',
]
const rightsMark = /©|\(c\)|copyright|all rights|alle rechte|tous droits|derechos reservados/i

/** `twitter:label1` says what `twitter:data1` is. */
function fromLabelled({ metas }: Survey, site: SiteNames): string | null {
  for (const at of [1, 2]) {
    const value = metas.get(`twitter:data${at}`)?.[0]
    if (value === undefined || !writtenBy.test(metas.get(`twitter:label${at}`)?.[0] ?? '') || site.has(value)) continue
    const names = cleanNames(value)
    if (names !== null) return names
  }
  return null
}

const writtenBy =
  /^(?:written by|author|by|verfasst von|geschrieben von|von|autor|écrit par|auteur|escrito por|scritto da|autore|geschreven door|napisane przez|написано автором)\s?:?$/i

function fromMetas(survey: Survey, _: Element | undefined, site: SiteNames): string | null {
  const { metas } = survey
  for (const name of authorMetas) {
    const values = (metas.get(name) ?? []).slice(0, 10).filter((value) => !site.has(value))
    const names = values.length === 0 ? null : cleanNames(values.map(withFirstNameFirst).join(', '))
    if (names !== null) return names
  }
  return fromLabelled(survey, site)
}

/** Turns the library form `Lovelace, Ada` into `Ada Lovelace`. */
function withFirstNameFirst(value: string): string {
  return value.trim().replace(/^(\p{Lu}[\p{L}'’-]{1,40}), (\p{Lu}[\p{L}'’-]{1,40}(?: \p{Lu}\.)?)$/u, '$2 $1')
}

const nameMark =
  /(?:^|[\s_-])author(?:[\s_-]*name)?(?:$|\s)|authorname|byline[\s_-]*name|(?:^|\s)(?:fn|p-author|posted-by|by-author|username|user-name|article-author|post-author|entry-author)(?:$|\s)/i
const bylineMark = /author|autor|byline|writer|verfasser|redakteur|journalist|posted-?by|creator/i
const notNameMark =
  /comment|avatar|image|img|picture|photo|bild|desc|social|follow|icon|bypostauthor|authority|authoriz|autoriz|email|more/i
const otherMark = new RegExp(`${notNameMark.source}|bio|about|related|-box|_box`, 'i')

/** In elements; distances above the title count twice. */
const near = 80

/** The names in the marked element nearest to the title. */
function fromSigned(survey: Survey, heading: Element | undefined, mark: RegExp): string | null {
  const place = heading?.index ?? 0
  const distance = ({ index }: Element) => (index >= place ? index - place : (place - index) * 2)
  const marked = survey.signed.filter((element) => {
    if (distance(element) > near || (survey.isAside(element) && distance(element) > 15)) return false
    const marks = marksOf(element)
    return mark.test(marks) && !otherMark.test(marks)
  })
  for (const element of marked.sort((a, b) => distance(a) - distance(b)).slice(0, 20)) {
    const line = nameIn(survey, element)
    const names = line.length > 120 ? null : cleanNames(line, { groups: true })
    if (names !== null) return names
  }
  return null
}

/** The part of an author that is the name. */
function nameIn({ page }: Survey, element: Element): string {
  const inside = page.elements.slice(element.index + 1, Math.min(element.end, element.index + 30))
  const name =
    inside.find(({ attributes }) => /^name$/i.test(attributes.itemprop ?? '')) ??
    inside.find(({ attributes }) => /author/i.test(attributes.rel ?? ''))
  return name?.attributes.content ?? (name ? lineOf(name, 200) : (element.attributes.content ?? lineOf(element, 200)))
}

/** A line near the title that begins with "By", or a line anywhere with an explicit label such as "Author:". */
function fromTexts(survey: Survey, heading: Element | undefined): string | null {
  const { elements } = survey.page
  if (heading) {
    const lines = [
      ...elements.slice(heading.end, heading.end + 40),
      ...elements.slice(Math.max(0, heading.index - 15), heading.index),
    ]
    const names = lines.map((element) => readLine(element, bylineStart)).find((found) => found !== null)
    if (names) return names
  }
  for (const element of elements.slice(heading?.end ?? 0, maxLabels)) {
    if (!isLabelled(element) || survey.isAside(element)) continue
    const names = readLine(element, labelStart)
    if (names !== null) return names
  }
  return null
}

const maxLabels = 20_000

/** Cheap check of the first characters, which rules out most lines. */
function isLabelled({ children: [first, second] }: Element): boolean {
  const start = typeof first === 'string' && first.trim() === '' ? second : first
  const text = typeof start === 'string' ? start : start?.children[0]
  return typeof text === 'string' && label.test(text)
}

function readLine(element: Element, start: RegExp): string | null {
  if (!lineTags.has(element.tag)) return null
  const line = lineOf(element, 130)
  if (line.length > 120 || !start.test(line)) return null
  const names = cleanNames(line)
  return names !== null && /^\p{Ll}/u.test(names) && !/^(?:posted|written) by/i.test(line) ? null : names
}

const lineTags = new Set('p div span address em i small strong b li h4 h5 h6 td'.split(' '))

import { lineOf } from '../../../../tool-parts/html/plain-line.ts'
import type { Element } from '../../../../tool-parts/html/tree.ts'
import { type DateOptions, findDate } from './find-date.ts'
import { marksOf as allMarksOf } from './marks-of.ts'
import { findLabelledDate, findShownDate } from './shown-date.ts'
import type { Survey } from './survey-page.ts'

type Step = (survey: Survey, heading: Element | undefined, options: DateOptions) => string | null

/** Metadata, in order of reliability. All steps skip dates in the future. */
const statedSteps: readonly Step[] = [
  (survey, _, options) => fromMetas(survey, articleMetas, options),
  ({ linked }, _, options) => read(linked.published, options),
  (survey, _, options) => fromMetas(survey, otherMetas, options),
]

/** What the page and its address show, in order of reliability. */
const shownSteps: readonly Step[] = [
  fromMarked,
  ({ url }) => fromUrl(url),
  (survey, heading, options) => nearest(survey.dated.filter(isTime), { survey, heading, options, most: 400 }),
  (survey, heading, options) => nearest(survey.dated.filter(isDate), { survey, heading, options, most: 150 }),
  (survey, heading, options) => nearest(survey.dated.filter(isInfo), { survey, heading, options, most: 100 }),
  findShownDate,
  (survey, heading, options) => nearest(survey.dated, { survey, heading, options, most: 30, asides: true }),
  (survey, _, options) => findLabelledDate(survey, options),
  ({ names }, _, options) => read(names.map((name) => datedTitle.exec(name)?.[0]).find(Boolean), options),
]

/** `23.01.2022 - The title` */
const datedTitle = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?=\s?[-–:|]\s)/

/** The date of publication, from the first source that has one. */
export function findPublished(survey: Survey, heading: Element | undefined): string | null {
  const options = { monthFirst: /^en(?:-us)?$/i.test(survey.lang.trim()) }
  const first = (steps: readonly Step[]) => {
    for (const step of steps) {
      const date = step(survey, heading, options)
      if (date !== null) return date
    }
    return null
  }
  const stated = first(statedSteps)
  // A home page shows the dates of other pages.
  if (stated !== null || isHome(survey.url)) return stated
  const shown = first(shownSteps)
  return shown === null ? null : (read(survey.linked.pagePublished, options) ?? shown)
}

function isHome(url: string): boolean {
  const target = URL.parse(url)
  return target !== null && target.pathname === '/' && target.search === ''
}

const articleMetas = ['article:published_time', 'og:article:published_time', 'og:published_time', 'article:published']

const otherMetas = [
  'datepublished',
  'dc.date.issued',
  'dcterms.issued',
  'dc.date.created',
  'dcterms.created',
  'dc.date',
  'dcterms.date',
  'dcterms.available',
  'citation_publication_date',
  'citation_date',
  'citation_online_date',
  'parsely-pub-date',
  'sailthru.date',
  'publish-date',
  'publish_date',
  'publication_date',
  'publicationdate',
  'published_time',
  'published',
  'pubdate',
  'date',
  'article.published',
  'article.created',
  'created',
  'creation_date',
  'datecreated',
  'cxenseparse:recs:publishtime',
  'bt:pubdate',
  'last.published',
  'originalpublicationdate',
  'video:release_date',
]
function fromMetas({ metas }: Survey, names: readonly string[], options: DateOptions): string | null {
  for (const name of names) {
    for (const value of metas.get(name) ?? []) {
      const date = read(value, options)
      if (date !== null) return date
    }
  }
  return null
}

function read(text: string | null | undefined, options: DateOptions): string | null {
  return text ? findDate(text, options) : null
}

const publishedMark =
  /date-?published|date-?created|pubdate|(?:^|[\s_-])(?:published|entry-date|post-date|publish-date|posted-on|article-date|dt-published)(?:$|[\s_-])/i

function fromMarked(survey: Survey, _: Element | undefined, options: DateOptions): string | null {
  for (const element of survey.dated) {
    if (!publishedMark.test(marksOf(element)) || survey.isAside(element)) continue
    const date = dateOf(element, options)
    if (date !== null) return date
  }
  return null
}

function marksOf(element: Element): string {
  return `${allMarksOf(element)}${element.attributes.pubdate === undefined ? '' : ' pubdate'}`
}

function dateOf(element: Element, options: DateOptions): string | null {
  const { datetime, content, title } = element.attributes
  return (
    read(datetime, options) ?? read(content, options) ?? read(title, options) ?? read(lineOf(element, 120), options)
  )
}

function fromUrl(url: string): string | null {
  const path = url.replace(/^[a-z]+:\/\/[^/]*/i, '').slice(0, 500)
  const match =
    /[/_-](?<year>(?:19|20)\d{2})(?<separator>[/_-]?)(?<month>[01]?\d)\k<separator>(?<day>[0-3]?\d)(?:[/_.-]|$)/.exec(
      path,
    )
  if (!match) return null
  const { year, month, day } = match.groups!
  return findDate(`${year}-${month}-${day}`)
}

function isTime({ tag }: Element): boolean {
  return tag === 'time'
}

function isDate(element: Element): boolean {
  return dateMark.test(marksOf(element)) && isShort(element)
}

function isInfo(element: Element): boolean {
  return infoMark.test(marksOf(element)) && isShort(element)
}

const dateMark = /date(?!n|r|\w*pick)|datum|fecha|(?:^|[\s_-])data(?:$|[\s_-])|time(?!line)|publi(?!c\b)|posted/i
const infoMark = /(?:^|[\s_-])(?:\w*meta\w*|info\w*|byline|stand)(?:$|[\s_-])/i

function isShort(element: Element): boolean {
  return lineOf(element, 150).length < 140
}

interface Place {
  readonly survey: Survey
  readonly heading: Element | undefined
  readonly options: DateOptions
  /** In elements. */
  readonly most: number
  /** Also search asides. */
  readonly asides?: boolean
}

/** The date in the element nearest to the title; elements below the title take precedence. */
function nearest(
  elements: readonly Element[],
  { survey, heading, options, most, asides = false }: Place,
): string | null {
  const place = heading?.index ?? 0
  const distance = ({ index }: Element) => (index >= place ? index - place : (place - index) * 2)
  const close = elements.filter(
    (element) => (!heading || distance(element) <= most) && (asides || !survey.isAside(element)),
  )
  for (const element of close.sort((a, b) => distance(a) - distance(b))) {
    const date = dateOf(element, options)
    if (date !== null) return date
  }
  return null
}

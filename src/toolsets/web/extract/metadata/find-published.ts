import { lineOf, partsOf } from '../../../../tool-parts/html/plain-line.ts'
import type { Element } from '../../../../tool-parts/html/tree.ts'
import { fromAddress } from './address-date.ts'
import { articleMetas, findPublicationMetas, statedMetas, vagueMetas } from './date-metas.ts'
import { type DateOptions, findDate, readStatedDate } from './find-date.ts'
import { marksOf as allMarksOf, isTime } from './marks-of.ts'
import {
  findDateline,
  findLabelledDate,
  findShownDate,
  isOfUpdate,
  notOfPageMark,
  withoutUpdate,
} from './shown-date.ts'
import type { Survey } from './survey-page.ts'

type Step = (survey: Survey, heading: Element | undefined, options: DateOptions) => string | null

/** Metadata, in order of reliability. All steps skip dates in the future. */
const statedSteps: readonly Step[] = [
  (survey, _, options) => fromMetas(survey, articleMetas, options),
  ({ linked }, _, options) => read(linked.published, options),
  (survey, _, options) => fromMetas(survey, statedMetas, options),
  (survey, _, options) => fromMetas(survey, findPublicationMetas(survey.metas.keys()), options),
]

/** What the page and its address show, in order of reliability. */
const shownSteps: readonly Step[] = [
  fromMarked,
  ({ url }) => fromAddress(url),
  (survey, heading, options) => nearest(isTime, { survey, heading, options, max: 400 }),
  (survey, heading, options) => nearest(isDate, { survey, heading, options, max: 150 }),
  (survey, heading, options) => nearest(isInfo, { survey, heading, options, max: 100 }),
  findShownDate,
  (survey, heading, options) => nearest(() => true, { survey, heading, options, max: 30, asides: true }),
  findDateline,
  (survey, _, options) => findLabelledDate(survey, options),
  ({ names }, _, options) => findDate(names.map((name) => datedTitle.exec(name)?.[0]).find(Boolean) ?? '', options),
]

/** A page that states no date of publication may state the date of its last edition. */
const updateSteps: readonly Step[] = [
  (survey, heading, options) => nearest(isShort, { survey, heading, options, max: window, updates: true }),
  (survey, heading, options) => findShownDate(survey, heading, options, { updates: true }),
]

/** In elements. */
const window = 40

/** `23.01.2022 - The title` */
const datedTitle = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?=\s?[-–:|]\s)/

/** The date of publication, from the first source that has one. */
export function findPublished(survey: Survey, heading: Element | undefined): string | null {
  const options = { monthFirst: isMonthFirst(survey) }
  const first = (steps: readonly Step[]) => {
    for (const step of steps) {
      const date = step(survey, heading, options)
      if (date !== null) return date
    }
    return null
  }
  const stated = first(statedSteps)
  const vague = () => fromMetas(survey, vagueMetas, options)
  // A home page shows the dates of other pages.
  if (isHome(survey.url)) return stated ?? vague()
  if (stated !== null) {
    const shown = isUtc.test(stated) ? first(shownSteps) : null
    return shown !== null && isLocalDay(stated, shown) ? shown.slice(0, 10) : stated
  }
  const shown = first(shownSteps)
  return (shown === null ? null : read(survey.linked.pagePublished, options)) ?? shown ?? vague() ?? first(updateSteps)
}

/** Languages other than English, and English outside America, write the day first. */
function isMonthFirst({ lang, metas, url }: Survey): boolean {
  if (!/^en(?:-us)?$/i.test(lang.trim()) || /^en[_-](?!us)/i.test(metas.get('og:locale')?.[0] ?? '')) return false
  return !/\.(?:uk|ie|au|nz|in|za|sg|hk|my|ng|ke|eu)$/.test(URL.parse(url)?.hostname ?? '')
}

const isUtc = /T.*(?:Z|[+-]00:00)$/

/** Whether it is the day of a moment in some time zone, but not in UTC. */
function isLocalDay(moment: string, shown: string): boolean {
  const hours = (Date.parse(moment) - Date.parse(shown.slice(0, 10))) / 3_600_000
  if (shown.length > 10 && Math.abs(Date.parse(moment) - Date.parse(shown)) > 3_600_000) return false
  return (hours >= 24 && hours < 24 + 12) || (hours < 0 && hours >= -14)
}

function isHome(url: string): boolean {
  const target = URL.parse(url)
  return target !== null && target.pathname === '/' && [...target.searchParams.keys()].every(isTracking)
}

function isTracking(name: string): boolean {
  return /^(?:utm_\w+|srsltid|gclid|fbclid|msclkid|ref)$/.test(name)
}

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
  return text ? readStatedDate(text, options) : null
}

const publishedMark =
  /date-?published|date-?created|pubdate|(?:^|[\s_-])(?:published|entry-date|post-date|publish-date|posted-on|article-date|dt-published)(?:$|[\s_-])/i

function fromMarked(survey: Survey, _: Element | undefined, options: DateOptions): string | null {
  for (const element of survey.dated) {
    if (!publishedMark.test(marksOf(element)) || survey.isAside(element) || survey.isOfOthers(element)) continue
    const date = dateOf(element, options)
    if (date !== null) return date
  }
  return null
}

function marksOf(element: Element): string {
  return `${allMarksOf(element)}${element.attributes.pubdate === undefined ? '' : ' pubdate'}`
}

/** The date of an element, unless it is that of an update, a registration or today. */
function dateOf(element: Element, options: DateOptions, updates = false): string | null {
  const marks = `${marksOf(element)} ${element.parent ? allMarksOf(element.parent) : ''}`
  if (notOfPageMark.test(marks)) return null
  if (!updates && isOfUpdate(element, marks)) return null
  const line = partsOf(element, 120).join(' ').slice(0, 120)
  const text = updates ? line : withoutUpdate(line, options)
  if (text === '' && line !== '') return null
  const { datetime, content = '', title = '' } = element.attributes
  // A longer title is not a date, but may have one, as that of a link to a document.
  const said = title.length > 60 ? '' : title
  return read(datetime, options) ?? findDate(content, options) ?? findDate(said, options) ?? findDate(text, options)
}

function isDate(element: Element): boolean {
  return dateMark.test(marksOf(element)) && isShort(element)
}

function isInfo(element: Element): boolean {
  return infoMark.test(marksOf(element)) && isShort(element)
}

const dateMark =
  /date(?!n|r|\w*pick)|datum|fecha|veroeffentl|erschien|tarih|(?:^|[\s_-])data(?:$|[\s_-])|time(?!line)|publi(?!c\b|cation)|posted/i
const infoMark = /(?:^|[\s_-])(?:\w*meta\w*|info\w*|byline|author|stand)(?:$|[\s_-])/i

function isShort(element: Element): boolean {
  return lineOf(element, 150).length < 140
}

interface Place {
  readonly survey: Survey
  readonly heading: Element | undefined
  readonly options: DateOptions
  /** In elements. */
  readonly max: number
  /** Also search asides that are not of other pages. */
  readonly asides?: boolean
  /** Also accept the date of an update. */
  readonly updates?: boolean
}

/** The date in the marked element nearest to the title; elements below the title take precedence. */
function nearest(
  isMeant: (element: Element) => boolean,
  { survey, heading, options, max, asides = false, updates = false }: Place,
): string | null {
  const place = heading?.index ?? 0
  const distance = ({ index }: Element) => (index >= place ? index - place : (place - index) * 2)
  const close = survey.dated.filter(
    (element) =>
      (!heading || distance(element) <= max) &&
      !survey.isOfOthers(element) &&
      (asides || !survey.isAside(element)) &&
      !survey.isInSiteHeader(element) &&
      isMeant(element),
  )
  for (const element of close.sort((a, b) => distance(a) - distance(b))) {
    const date = dateOf(element, options, updates)
    if (date !== null) return date
  }
  return null
}

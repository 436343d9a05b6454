import { lineOf } from '../../../../tool-parts/html/plain-line.ts'
import type { Element } from '../../../../tool-parts/html/tree.ts'
import { type DateOptions, findDate } from './find-date.ts'
import { lineBefore } from './line-before.ts'
import { marksOf } from './marks-of.ts'
import type { Survey } from './survey-page.ts'

const window = 40
const maxTexts = 50

interface ShownOptions {
  /** Also accept the date of an update. */
  readonly updates?: boolean
}

/** The first date near the title that is not part of a sentence and not a date of modification. */
export function findShownDate(
  survey: Survey,
  heading: Element | undefined,
  options: DateOptions,
  { updates = false }: ShownOptions = {},
): string | null {
  if (!heading) return null
  const { elements } = survey.page
  const inside = elements.slice(heading.index + 1, Math.min(heading.end, heading.index + window))
  const below = elements.slice(heading.end, heading.end + window)
  const above = elements.slice(Math.max(0, heading.index - window), heading.index).reverse()
  for (const element of [...inside, ...below, ...above]) {
    if (survey.isAside(element) && Math.abs(element.index - heading.index) > 15) continue
    if (survey.isInSiteHeader(element) || survey.isInTeaser(element)) continue
    if (notOfPageMark.test(marksOf(element))) continue
    const max = element.index < heading.end && element.index > heading.index ? 30 : 90
    const date = dateAlone(element, { max, updates, options })
    if (date !== null) return date
  }
  return null
}

/** A date at the start of the text, as agencies write it: `Berlin, 4. März 2021 – The text`. */
export function findDateline(survey: Survey, heading: Element | undefined, options: DateOptions): string | null {
  if (!heading) return null
  const paragraphs = survey.page.elements
    .slice(heading.end, heading.end + window)
    .filter((element) => element.tag === 'p' && !survey.isAside(element))
  for (const paragraph of paragraphs.slice(0, 3)) {
    const start = /^\(?([^–—:()]{6,45}?)\s?(?:[–—:)]|\s-\s)/u.exec(lineOf(paragraph, 120))?.[1]
    const date = start === undefined || /^.{0,45}\s\p{Ll}{5,}\s/u.test(start) ? null : findDate(start, options)
    if (date !== null) return date
  }
  return null
}

/** A line anywhere with an explicit "published" label. */
export function findLabelledDate(survey: Survey, options: DateOptions): string | null {
  for (const element of survey.page.elements) {
    if (unread.has(element.tag)) continue
    for (const child of element.children.slice(0, maxTexts)) {
      if (typeof child !== 'string' || child.length > 1000 || !publishedStart.test(child) || survey.isOfOthers(element))
        continue
      const line = labelOnly.test(child) && element.parent ? lineOf(element.parent, 120) : lineOf(element, 120)
      const date = findDate(child.trim().slice(0, 80), options) ?? findDate(line.slice(0, 80), options)
      if (date !== null) return date
    }
  }
  return null
}

const unread = new Set(['script', 'style', 'noscript', 'template', 'option', 'title'])
const published =
  /(?:first )?published|posted on|veröffentlicht|erschienen|publiziert|erstellt am|publi[ée]e? le|publicado|pubblicato|gepubliceerd|opublikowan|yayınlan|опубликован|дата публикации/i
const publishedStart = new RegExp(
  String.raw`^\s{0,50}(?:${published.source}|(?:date|datum|fecha|data|дата)\s?:|(?:this|diese[rs]?) (?:entry|post|article|eintrag|beitrag|artikel) )`,
  'i',
)
/** A label in an element of its own. */
const labelOnly = /^[^\d:]{0,40}:?\s*$/
const changed =
  /updat|aktualis|modifi|actuali[sz]|aggiorn|geändert|bearbeitet|edited|reviewed|mis à jour|bijgewerkt|güncell|обновл|zmienion/i
/** When a member registered, the day of the visit, when an offer or an event ends. */
export const notOfPageMark =
  /joined|regist|todays?-?date|current-?(?:date|time)|expir|deadline|(?:^|\s)release(?:$|[\s_-])|(?:^|[\s_-])event/i
const changedMark =
  /date-?modified|modified|last-?(?:updated?|edited|modified)|update-?d?-?(?:on|at|date|time)|date-?updated|name-changed|(?:^|\s)updated(?:$|\s)/i

/** Whether an element has the date of an update, by its marks or by the label before it. */
export function isOfUpdate(element: Element, marks: string): boolean {
  return (changedMark.test(marks) && !/publish/i.test(marks)) || changed.test(lineBefore(element))
}

/** The part of a line about the publication: `Published May 3, updated May 5` has one, `Updated May 5` none. */
export function withoutUpdate(line: string, options: DateOptions): string {
  const at = line.search(changed)
  if (at < 0) return line
  const before = line.slice(0, at)
  if (findDate(before, options) !== null) return before
  const rest = line.slice(at)
  const next = rest.search(published)
  return next < 0 ? '' : rest.slice(next)
}

interface Alone {
  /** In characters. */
  readonly max: number
  readonly updates: boolean
  readonly options: DateOptions
}

function dateAlone(element: Element, { max, updates, options }: Alone): string | null {
  if (unread.has(element.tag)) return null
  for (const child of element.children.slice(0, maxTexts)) {
    if (typeof child !== 'string' || child.length > 1000) continue
    const text = child.replace(/\s+/g, ' ').trim()
    if (text.length < 6 || text.length > max || /©|copyright/i.test(text)) continue
    const date = findDate(updates ? text : withoutUpdate(text, options), options)
    if (date !== null) return !updates && changed.test(lineBefore(element)) ? null : date
  }
  return null
}

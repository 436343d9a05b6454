import { lineOf } from '../../../../tool-parts/html/plain-line.ts'
import type { Element } from '../../../../tool-parts/html/tree.ts'
import { type DateOptions, findDate } from './find-date.ts'
import type { Survey } from './survey-page.ts'

const window = 40
const maxTexts = 50

/** The first date near the title that is not part of a sentence and not a date of modification. */
export function findShownDate(survey: Survey, heading: Element | undefined, options: DateOptions): string | null {
  if (!heading) return null
  const { elements } = survey.page
  const inside = elements.slice(heading.index + 1, Math.min(heading.end, heading.index + window))
  const below = elements.slice(heading.end, heading.end + window)
  const above = elements.slice(Math.max(0, heading.index - window), heading.index).reverse()
  for (const element of [...inside, ...below, ...above]) {
    if (survey.isAside(element) && Math.abs(element.index - heading.index) > 15) continue
    const date = dateAlone(element, element.index < heading.end && element.index > heading.index ? 30 : 90, options)
    if (date !== null) return date
  }
  return null
}

/** A line anywhere with an explicit "published" label. */
export function findLabelledDate(survey: Survey, options: DateOptions): string | null {
  for (const element of survey.page.elements) {
    if (unread.has(element.tag)) continue
    for (const child of element.children.slice(0, maxTexts)) {
      if (typeof child !== 'string' || child.length > 1000 || !published.test(child) || survey.isOfOthers(element))
        continue
      const date = findDate(lineOf(element, 120).slice(0, 80), options)
      if (date !== null) return date
    }
  }
  return null
}

const unread = new Set(['script', 'style', 'noscript', 'template', 'option', 'title'])
const published =
  /^\s{0,50}(?:(?:first )?published|posted on|veröffentlicht|erschienen|publiziert|erstellt am|publi[ée]e? le|publicado|pubblicato|gepubliceerd|opublikowan|yayınlan|опубликован|дата публикации)/i
const changed =
  /updat|aktualis|modifi|actuali[sz]|aggiorn|geändert|bearbeitet|mis à jour|bijgewerkt|güncell|обновл|zmienion/i

function dateAlone(element: Element, most: number, options: DateOptions): string | null {
  if (unread.has(element.tag)) return null
  for (const child of element.children.slice(0, maxTexts)) {
    if (typeof child !== 'string' || child.length > 1000) continue
    const text = child.trim()
    if (text.length < 6 || text.length > most || changed.test(text)) continue
    const date = findDate(text, options)
    if (date !== null) return changed.test(lineBefore(element)) ? null : date
  }
  return null
}

/** The text right before an element in its parent, which may be its label. */
function lineBefore(element: Element): string {
  const children = element.parent?.children ?? []
  const label = children[children.indexOf(element) - 1]
  if (label === undefined) return ''
  return typeof label === 'string' ? label.slice(-100) : lineOf(label, 100)
}

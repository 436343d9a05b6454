import { fold, lineOf } from '../../../../tool-parts/html/plain-line.ts'
import type { Element } from '../../../../tool-parts/html/tree.ts'
import { type SiteNames, toSiteNames } from './site-names.ts'
import type { Survey } from './survey-page.ts'

export interface FoundTitle {
  readonly text: string
  /** The heading with the title, or the most likely one. */
  readonly heading: Element | undefined
}

interface Heading {
  readonly element: Element
  readonly text: string
}

/**
 * The title as readers see it: the heading that also occurs in the page's title tags, without the site name and the
 * kicker above it. Falls back to the title tags, which are often written for search engines.
 */
export function findTitle(survey: Survey): FoundTitle | null {
  const { names } = survey
  const site = toSiteNames(survey)
  const headings = survey.headings
    .map((element) => ({ element, text: lineOf(element) }))
    .filter(({ element, text }) => text !== '' && !survey.isAside(element) && !site.isHomeLink(element))
  const largest = headings.filter(({ element, text }) => element.tag === 'h1' && !site.has(text))
  const found =
    largest.find(({ text }) => names.some((name) => fold(name) === fold(text))) ??
    headings.find(({ text }) => countWords(text) > 1 && fold(text) === fold(names[0] ?? '')) ??
    largest.find(({ text }) => startsAny(text, names)) ??
    headings.find(({ text }) => countWords(text) > 1 && !site.has(text) && startsAny(text, names)) ??
    largest.find(({ text }) => isPartOfAny(text, names)) ??
    headings.find(({ text }) => countWords(text) > 1 && !site.has(text) && isPartOfAny(text, names)) ??
    (largest.length === 1 ? largest[0] : undefined)
  if (found) return { text: withoutKicker(found, names), heading: found.element }
  const heading = largest[0]?.element ?? headings[0]?.element
  if (names[0] !== undefined) return { text: withoutSite(names[0], site), heading }
  return headings[0] ? { text: headings[0].text, heading } : null
}

/** Most title tags have the title first and the site name last. */
function startsAny(text: string, names: readonly string[]): boolean {
  const words = fold(text)
  return words !== '' && names.some((name) => `${fold(name)} `.startsWith(`${words} `))
}

function isPartOfAny(text: string, names: readonly string[]): boolean {
  const words = fold(text)
  return words !== '' && names.some((name) => ` ${fold(name)} `.includes(` ${words} `))
}

/** Drops a kicker: a first line in a separate element, which the title tags omit. */
function withoutKicker({ element, text }: Heading, names: readonly string[]): string {
  const parts = element.children.filter((child) => typeof child !== 'string' || child.trim() !== '')
  if (parts.length < 2 && element.end - element.index < 3) return text
  const rest = names.find((name) => countWords(name) > 2 && name !== text && fold(text).endsWith(` ${fold(name)}`))
  return rest ?? text
}

/** The parts of a title tag and the separators between them. */
const separators = /\s+(?:[|–—·•»«>/-]|::|\|\|)\s+|\s*\|\s*/gu

function withoutSite(name: string, site: SiteNames): string {
  const ends = [...name.matchAll(separators)].slice(0, 20)
  if (ends.length === 0) return name
  const [first, last] = [ends[0]!, ends.at(-1)!]
  if (site.has(name.slice(0, first.index))) return name.slice(first.index + first[0].length) || name
  const rest = name.slice(0, last.index)
  return site.has(name.slice(last.index + last[0].length)) || countWords(rest) > 1 ? rest : name
}

function countWords(text: string): number {
  return text.split(' ').length
}

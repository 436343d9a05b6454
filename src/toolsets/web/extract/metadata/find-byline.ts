import type { Element } from '../tree.ts'
import { cleanNames } from './clean-names.ts'
import { fold, lineOf } from './plain-line.ts'
import { type SiteNames, toSiteNames } from './site-names.ts'
import type { Survey } from './survey-page.ts'

type Step = (survey: Survey, heading: Element | undefined, site: SiteNames) => string | null

/** From what is marked as the author of this text to what merely reads like it. */
export const steps: readonly Step[] = [
  fromLinked,
  (survey, heading, site) => fromSigned(survey, heading, site, nameMark),
  fromMetas,
  (survey, heading, site) => fromSigned(survey, heading, site, bylineMark),
  fromTexts,
]

/** Who wrote the page: people, by what the page says to machines, by what it marks as a name, by what stands near its title. */
export function findByline(survey: Survey, heading: Element | undefined): string | null {
  const site = toSiteNames(survey)
  for (const step of steps) {
    const names = step(survey, heading, site)
    if (names !== null) return names
  }
  return null
}

function fromLinked({ linked }: Survey, _: Element | undefined, site: SiteNames): string | null {
  const people = linked.authors.filter(({ isOrganization, name }) => !isOrganization && !site.has(name))
  return cleanNames(people.map(({ name }) => name.slice(0, 100)).join(', '))
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

function fromMetas({ metas }: Survey, _: Element | undefined, site: SiteNames): string | null {
  for (const name of authorMetas) {
    const values = (metas.get(name) ?? []).slice(0, 10).filter((value) => !site.has(value))
    const names = values.length === 0 ? null : cleanNames(values.join(', '))
    if (names !== null) return names
  }
  return null
}

const nameMark =
  /(?:^|[\s_-])author(?:[\s_-]*name)?(?:$|\s)|authorname|byline[\s_-]*name|(?:^|\s)(?:fn|p-author|posted-by|by-author|article-author|post-author|entry-author)(?:$|\s)/i
const bylineMark = /author|autor|byline|writer|verfasser|redakteur|journalist|posted-?by|creator/i
const otherMark =
  /comment|avatar|image|img|picture|photo|bild|bio|desc|about|social|follow|date|title|related|icon|bypostauthor|authority|authoriz|autoriz|email|-box|_box|more/i

/** Of elements marked so, the names in the one nearest to the title. */
function fromSigned(survey: Survey, heading: Element | undefined, site: SiteNames, mark: RegExp): string | null {
  const place = heading?.index ?? 0
  const distance = ({ index }: Element) => (index >= place ? index - place : (place - index) * 2)
  const marked = survey.signed.filter((element) => {
    const marks = marksOf(element)
    return mark.test(marks) && !otherMark.test(marks) && (!survey.isAside(element) || distance(element) < 15)
  })
  for (const element of marked.sort((a, b) => distance(a) - distance(b)).slice(0, 20)) {
    const line = nameIn(survey, element)
    const names = line.length > 120 || site.has(line) ? null : cleanNames(line)
    if (names !== null && !site.has(names)) return names
  }
  return null
}

function marksOf({ attributes: { class: classes, id, itemprop, rel } }: Element): string {
  return `${classes ?? ''} ${id ?? ''} ${itemprop ?? ''} ${rel ?? ''}`
}

/** The part of an author that is the name. */
function nameIn({ page }: Survey, element: Element): string {
  const inside = page.elements.slice(element.index + 1, Math.min(element.end, element.index + 30))
  const name =
    inside.find(({ attributes }) => /^name$/i.test(attributes.itemprop ?? '')) ??
    inside.find(({ attributes }) => /author/i.test(attributes.rel ?? ''))
  return name?.attributes.content ?? (name ? lineOf(name, 200) : (element.attributes.content ?? lineOf(element, 200)))
}

const by =
  /^(?:(?:written |posted |published )?by|von|par|por|di|door|av|text(?:e|o)?:|autor(?:in|e)?:|author:|автор:)\s+\p{Lu}/iu

/** A line near the title that begins with By. */
function fromTexts({ page }: Survey, heading: Element | undefined, site: SiteNames): string | null {
  if (!heading) return null
  for (const element of page.elements.slice(heading.end, heading.end + 40)) {
    if (!lineTags.has(element.tag)) continue
    const line = lineOf(element, 100)
    if (line.length > 80 || !by.test(line) || fold(line).split(' ').length > 12) continue
    const names = cleanNames(line)
    if (names !== null && !site.has(names)) return names
  }
  return null
}

const lineTags = new Set([
  'p',
  'div',
  'span',
  'address',
  'em',
  'i',
  'small',
  'strong',
  'b',
  'li',
  'h4',
  'h5',
  'h6',
  'td',
])

import { fold, lineOf } from '../../../../tool-parts/html/plain-line.ts'
import type { Element } from '../../../../tool-parts/html/tree.ts'
import type { FoundTitle } from './find-title.ts'
import {
  bylineMark,
  fromBylines,
  fromDatedLines,
  fromLabels,
  fromSigned,
  fromUnique,
  nameMark,
  near,
} from './shown-names.ts'
import { type SiteNames, toSiteNames } from './site-names.ts'
import { fromLinked, fromMetas, notOwner, rightsMark } from './stated-names.ts'
import type { Survey } from './survey-page.ts'

type Step = (survey: Survey, heading: Element | undefined, site: SiteNames) => string | null

/**
 * Sources in order of reliability. A name that is only in the metadata counts only if the page shows no author: where
 * the two differ, the metadata usually names the owner of the site.
 */
const steps: readonly Step[] = [
  (survey, heading, site) => asShown(survey, heading, fromLinked(survey, site)),
  (survey, heading) => fromSigned(survey, heading, nameMark),
  (survey, heading, site) => asShown(survey, heading, fromMetas(survey, site)),
  (survey, heading) => fromSigned(survey, heading, bylineMark),
  fromBylines,
  fromLabels,
  fromDatedLines,
  fromUnique,
  (survey, _, site) => asPerson(fromLinked(survey, site), survey.linked.authors),
  (survey, _, site) => asPerson(notOwner(survey, fromMetas(survey, site), site)),
]

/** The authors of the page, joined by commas; null if unknown. */
export function findByline(survey: Survey, title: FoundTitle | null): string | null {
  const site = toSiteNames(survey)
  const heading = title?.heading
  const titleWords = ` ${fold(title?.text ?? '')} `
  const isSite = (name: string) => site.has(name) && !site.isPersonal(name)
  const isOther = (name: string) => isSite(name) || titleWords.includes(` ${fold(name)} `)
  const keep = (found: string | null) => {
    if (found === null || isSite(found)) return null
    const all = found.split(', ')
    const names = all.length > 1 ? all.filter((name) => !site.has(name)) : all
    return names.every(isOther) ? null : names.join(', ')
  }
  for (const step of steps) {
    const names = keep(step(survey, heading, site))
    if (names === null) continue
    const more = [fromSigned(survey, heading, bylineMark), fromBylines(survey, heading)].map(keep)
    return more.find((shown) => isLonger(shown, names)) ?? names
  }
  return null
}

/** Metadata often has only the first of several authors, or only a first name: prefer the longer visible byline. */
function isLonger(shown: string | null, names: string): boolean {
  return shown !== null && shown.length > names.length && fold(shown).startsWith(`${fold(names)} `)
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

/** Such as `ada.lovelace` and `q_admin`. */
const isAccount = /^[\p{Ll}\d]+(?:[._][\p{Ll}\d]+)+$/u

/** A single word is usually an account or an organization, unless it is declared as a person's name. */
function asPerson(names: string | null, authors: readonly { readonly isPerson: boolean }[] = []): string | null {
  const areDeclared = authors.length > 0 && authors.every(({ isPerson }) => isPerson)
  if (names !== null && isAccount.test(names)) return null
  return names !== null && (areDeclared || names.split(', ').every((name) => name.includes(' '))) ? names : null
}

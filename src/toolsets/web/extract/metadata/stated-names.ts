import { fold } from '../../../../tool-parts/html/plain-line.ts'
import { cleanNames } from './clean-names.ts'
import type { SiteNames } from './site-names.ts'
import type { Survey } from './survey-page.ts'

/** The people that JSON-LD names as authors. */
export function fromLinked({ linked }: Survey, site: SiteNames): string | null {
  const people = linked.authors.filter(
    ({ isOrganization, isPerson, name }) =>
      !isOrganization && (!site.has(name) || (isPerson && site.isPersonal(name)) || site.isOwner(name)),
  )
  return cleanNames(people.map(({ name }) => name).join(', '))
}

const authorMetas = [
  'author',
  'article:author',
  'og:article:author',
  'article.author',
  'article_author',
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

/** The people that `<meta>` elements name as authors. */
export function fromMetas(survey: Survey, site: SiteNames): string | null {
  const { metas } = survey
  for (const name of authorMetas) {
    const values = (metas.get(name) ?? []).slice(0, 10).filter((value) => !site.has(value) || site.isOwner(value))
    const names = values.length === 0 ? null : cleanNames(values.map(withFirstNameFirst).join(', '))
    if (names !== null) return names
  }
  return fromLabelled(survey, site)
}

/** Turns the library form `Lovelace, Ada` into `Ada Lovelace`. */
function withFirstNameFirst(value: string): string {
  return value.trim().replace(/^(\p{Lu}[\p{L}'’-]{1,40}), (\p{Lu}[\p{L}'’-]{1,40}(?: \p{Lu}\.)?)$/u, '$2 $1')
}

/** `twitter:label1` says what `twitter:data1` is. */
function fromLabelled({ metas }: Survey, site: SiteNames): string | null {
  for (const at of [1, 2]) {
    const value = metas.get(`twitter:data${at}`)?.[0]
    if (value === undefined || !writtenBy.test(metas.get(`twitter:label${at}`)?.[0] ?? '')) continue
    if (site.has(value) && !site.isOwner(value)) continue
    const names = cleanNames(value)
    if (names !== null) return names
  }
  return null
}

const writtenBy =
  /^(?:written by|author|by|verfasst von|geschrieben von|von|autor|écrit par|auteur|escrito por|scritto da|autore|geschreven door|napisane przez|написано автором)\s?:?$/i

/**
 * Names in the metadata of many sites are those of their owner, who also has the rights. The owner is the author on a
 * site whose address has the owner's name.
 */
export function notOwner({ page, metas }: Survey, names: string | null, site: SiteNames): string | null {
  if (names === null || metas.has('citation_author') || names.split(', ').every((name) => site.isOwner(name)))
    return names
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
export const rightsMark = /©|\(c\)|copyright|all rights|alle rechte|tous droits|derechos reservados/i

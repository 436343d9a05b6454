import { fold } from '../../../../tool-parts/html/plain-line.ts'
import type { Element } from '../../../../tool-parts/html/tree.ts'
import { isDeskWord, isOrganizationWord } from './name-words.ts'
import type { Survey } from './survey-page.ts'

/** Recognizes the site name, and headings that link to the home page as logos do. */
export interface SiteNames {
  has(text: string): boolean
  isHomeLink(element: Element): boolean
  /** Whether it may be a person after whom the site is called, and not a brand. */
  isPersonal(name: string): boolean
  /** Whether the address of the site has the name of the person. */
  isOwner(name: string): boolean
}

export function toSiteNames({ page, metas, linked, url, plainWords }: Survey): SiteNames {
  const host = hostOf(url)
  const names = ['og:site_name', 'application-name', 'apple-mobile-web-app-title', 'publisher', 'dc.publisher']
  // On a platform for blogs, the first label is the account of the author.
  const fromHost = blogPlatform.test(host) ? [] : [host, host.split('.')[0]!]
  const texts = [...names.flatMap((name) => metas.get(name) ?? []), ...linked.publishers, ...fromHost]
  const known = new Set(texts.map(tight).filter((text) => text.length > 1))
  const isPersonal = (name: string) => {
    if (name === name.toUpperCase() || /[&|+]/.test(name)) return false
    const words = fold(name).split(' ')
    return (
      words.length > 1 &&
      words.length < 4 &&
      !words.some((word) => isOrganizationWord(word) || isDeskWord(word) || plainWords().has(word))
    )
  }
  return {
    has: (text) => known.has(tight(text)),
    isPersonal,
    isOwner: (name) => isPersonal(name) && withoutAccents(host).includes(withoutAccents(fold(name).split(' ').at(-1)!)),
    isHomeLink: ({ index, end, parent }) => {
      const inside = page.elements.slice(index + 1, Math.min(end, index + 10))
      return [...(parent ? [parent] : []), ...inside].some(
        ({ tag, attributes }) => tag === 'a' && isHome(attributes.href, url),
      )
    },
  }
}

const blogPlatform =
  /\.(?:wordpress|blogspot|tumblr|substack|medium|livejournal|typepad|over-blog|hatenablog|weebly|jimdofree)\.[a-z.]{2,6}$/

/** As in addresses: `Müller` is `mueller`. */
function withoutAccents(text: string): string {
  return text
    .toLowerCase()
    .replace(/[äöü]/g, '$&e')
    .normalize('NFD')
    .replace(/[\p{M}\s-]/gu, '')
    .replaceAll('ß', 'ss')
}

/** Letters and digits only, because sites write their name in many ways. */
function tight(text: string): string {
  return fold(text).replaceAll(' ', '')
}

function isHome(href: string | undefined, url: string): boolean {
  if (href === undefined || href === '' || href.length > 200 || href.startsWith('#')) return false
  const target = toUrl(href, url)
  const here = toUrl(url)
  return (
    target !== null && target.host === here?.host && target.pathname === '/' && here.pathname !== '/' && !target.hash
  )
}

function hostOf(url: string): string {
  return toUrl(url)?.hostname.replace(/^www\./, '') ?? ''
}

function toUrl(text: string, base?: string): URL | null {
  return URL.parse(text, base)
}

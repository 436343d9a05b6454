import { fold } from '../../../../tool-parts/html/plain-line.ts'
import type { Element } from '../../../../tool-parts/html/tree.ts'
import type { Survey } from './survey-page.ts'

/** Recognizes the site name, and headings that link to the home page as logos do. */
export interface SiteNames {
  has(text: string): boolean
  isHomeLink(element: Element): boolean
}

export function toSiteNames({ page, metas, linked, url }: Survey): SiteNames {
  const host = hostOf(url)
  const names = ['og:site_name', 'application-name', 'apple-mobile-web-app-title', 'publisher', 'dc.publisher']
  const texts = [...names.flatMap((name) => metas.get(name) ?? []), ...linked.publishers, host, host.split('.')[0]!]
  const known = new Set(texts.map(tight).filter((text) => text.length > 1))
  return {
    has: (text) => known.has(tight(text)),
    isHomeLink: ({ index, end, parent }) => {
      const inside = page.elements.slice(index + 1, Math.min(end, index + 10))
      return [...(parent ? [parent] : []), ...inside].some(
        ({ tag, attributes }) => tag === 'a' && isHome(attributes.href, url),
      )
    },
  }
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

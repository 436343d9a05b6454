import { type Page, textOf } from '../../../tool-parts/html/tree.ts'
import { hasLineHint } from './line-hints.ts'
import type { Line } from './measure-page.ts'

/** What a page as a whole tells about its kind: article, forum, product, list and so on. By name. */
export type PageFeatures = Readonly<Record<string, number>>

export function describePage(page: Page, lines: readonly Line[], url: string): PageFeatures {
  const counts = countTags(page)
  const { types, address, ogType, generator } = readHead(page, url)
  const path = address?.pathname.toLowerCase() ?? ''
  const place = address ? `${address.hostname.toLowerCase()}${path}` : ''
  const share = (fits: (line: Line) => boolean) => {
    let fitting = 0
    for (const line of lines) if (fits(line)) fitting++
    return fitting / Math.max(1, lines.length)
  }
  let [size, linked, prose, prosePieces, stops] = [0, 0, 0, 0, 0]
  for (const line of lines) {
    size += line.size
    linked += line.size * line.linkShare
    stops += line.counts.stops
    if (line.isProse) {
      prose += line.size
      prosePieces++
    }
  }
  return {
    blocks: lines.length,
    proseShare: prose / Math.max(1, size),
    prosePieces,
    proseMean: prose / Math.max(1, prosePieces),
    stopsPerBlock: stops / Math.max(1, lines.length),
    linked: linked / Math.max(1, size),
    articles: counts.article ?? 0,
    codes: counts.pre ?? 0,
    headings: (counts.h2 ?? 0) + (counts.h3 ?? 0),
    times: counts.time ?? 0,
    tables: counts.table ?? 0,
    buttons: counts.button ?? 0,
    images: counts.img ?? 0,
    definitions: counts.dt ?? 0,
    quotes: counts.blockquote ?? 0,
    prices: share((line) => hasLineHint(line, 'price')),
    agos: share((line) => hasLineHint(line, 'ago')),
    members: share((line) => hasLineHint(line, 'member')),
    actions: share((line) => hasLineHint(line, 'action')),
    items: share((line) => line.block.kind === 'item'),
    pathDepth: path.split('/').filter(Boolean).length,
    pathLength: path.length,
    pathWords: (path.split('/').filter(Boolean).at(-1) ?? '').split(/[-_]/).length,
    pathDigits: Number(/\d{4,}/.test(path)),
    isDatedPath: Number(/\/(?:19|20)\d\d\//.test(path)),
    ...Object.fromEntries(Object.entries(places).map(([kind, words]) => [`place:${kind}`, Number(words.test(place))])),
    ...Object.fromEntries(Object.entries(typesOf).map(([kind, words]) => [`type:${kind}`, Number(words.test(types))])),
    ogArticle: Number(ogType === 'article'),
    ogProduct: Number(/product/.test(ogType)),
    ogWebsite: Number(ogType === 'website'),
    isForumSoftware: Number(
      /discourse|xenforo|phpbb|vbulletin|invision|mybb|flarum|nodebb|smf|vanilla/.test(generator),
    ),
  }
}

const places = {
  forum:
    /forum|\/threads?[/-]|\/topics?[/-]|\/t\/|showthread|viewtopic|\/questions?\/|community|communities|discuss|\/boards?\/|\/comments\/|\/d\/\d|answers?\./,
  product: /\/products?\/|\/p\/|\/item|\/itm\/|\/dp\/|\/pdp\/|\/sku|\/buy\/|\/prod\b|\/app\/|\.html$/,
  collection:
    /\/collections?(?:\/|$)|\/categor|\/c\/|\/cat\/|\/browse|\/catalog|\/genre|\/shop(?:\/|$)|\/store|\/department|\/b\/|\/brand/,
  list: /\/tags?\/|\/topics?(?:\/|$)|\/search|\/latest|\/news\/?$|\/blog\/?$|\/archive|\/trending|\/popular|\/top|\/list|\/events|\/jobs|\/directory|\/authors?\//,
  documentation:
    /docs?[./]|documentation|\/reference|\/api[/.]|\/manual|\/tutorials?|\/guides?\/|\/learn|wiki|\/help|\/kb\/|developer|readthedocs|\/man\//,
  article:
    /\/blog\/.|\/news\/.|\/articles?\/|\/posts?\/|\/story|\/stories|\/magazine|\/insights?\/|\/resources?\/|\/recipes?\/|\/(?:19|20)\d\d\//,
  service:
    /\/services?|\/solutions?|\/platform|\/features?|\/pricing|\/products?\/?$|\/company|\/about|\/industries|\/programs?|\/courses?|\/insurance|\/departments?|\/what-we-do/,
  home: /^[^/]+\/?(?:index\.\w+|[a-z]{2}(?:-[a-z]{2})?\/?)?$/,
}

const typesOf = {
  article: /article|blogposting|newsarticle|report|recipe|howto/,
  product: /"product|offer\b|productgroup/,
  list: /itemlist|collectionpage|searchresults|"blog"/,
  forum: /discussionforum|qapage|"question"|socialmediaposting/,
  service: /"service|localbusiness|softwareapplication|"course|medicalbusiness|financialservice/,
  faq: /faqpage/,
}

function countTags({ elements }: Page): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { tag } of elements) counts[tag] = (counts[tag] ?? 0) + 1
  return counts
}

function readHead(page: Page, url: string) {
  let [types, ogType, ogUrl, generator] = ['', '', '', '']
  for (const element of page.elements) {
    const { tag, attributes } = element
    if (tag === 'meta') {
      const name = (attributes.property ?? attributes.name ?? '').toLowerCase()
      const content = attributes.content ?? ''
      if (name === 'og:type' && ogType === '') ogType = content.toLowerCase().slice(0, 100)
      else if (name === 'og:url' && ogUrl === '') ogUrl = content
      else if (name === 'generator' && generator === '') generator = content.toLowerCase().slice(0, 100)
    } else if (tag === 'script' && /ld\+json/i.test(attributes.type ?? '') && types.length < maxTypes) {
      for (const [, type] of textOf(element).matchAll(/"@type"\s*:\s*\[?\s*("\w+)/g))
        types += `${type!.toLowerCase()}" `
    }
  }
  const given = toUrl(url)
  const own = toUrl(ogUrl)
  // A caller may know the page by a short address only.
  const address = given && given.pathname.length > 1 ? given : (own ?? given)
  return { types, ogType, generator, address }
}

const maxTypes = 10_000

function toUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}

import { join } from 'node:path'
import { importFrom, installPeer } from '../peer.ts'

/** The output of an extractor for a page. */
export interface Extract {
  readonly text: string
  readonly title?: string | null
  readonly author?: string | null
  readonly date?: string | null
}

type Extractor = (html: string, url: string) => Extract | Promise<Extract>

/** Loaders of the extractors by name. The first one is ours. */
export const contenders: Record<string, () => Promise<Extractor>> = {
  Toolpact: loadToolpact,
  'Readability 0.6.0 + linkedom 0.18.12': loadReadability,
  'defuddle 0.19.4 + linkedom 0.18.12': loadDefuddle,
  'article-extractor 9.0.1 + linkedom 0.18.13': loadArticleExtractor,
}

// 0.18.15 and later need a package that is not in the registry.
const linkedom = 'linkedom@0.18.12'

async function loadToolpact(): Promise<Extractor> {
  const { extractPage } = await import('../../src/toolsets/web/extract/extract-page.ts')
  return async (html, url) => {
    const { text, title, byline, publishedAt } = await extractPage(html, { url })
    return { text, title, author: byline, date: publishedAt }
  }
}

/** Minimal types of these packages, which are not installed with the project. */
interface Linkedom {
  parseHTML(html: string): { readonly document: { readonly body: { readonly textContent: string } } }
}
interface Article {
  readonly content?: string | null
  readonly title?: string | null
  readonly byline?: string | null
  readonly publishedTime?: string | null
}

async function loadReadability(): Promise<Extractor> {
  const folder = installPeer('@mozilla/readability', '0.6.0', [linkedom])
  const { parseHTML } = await importFrom<Linkedom>(folder, 'linkedom')
  const { Readability } = await importFrom<{ Readability: new (document: unknown) => { parse(): Article | null } }>(
    folder,
    '@mozilla/readability',
  )
  return (html) => {
    const article = new Readability(parseHTML(html).document).parse()
    return {
      text: toText(parseHTML, article?.content ?? ''),
      title: article?.title,
      author: article?.byline,
      date: article?.publishedTime,
    }
  }
}

interface Defuddled {
  readonly content: string
  readonly title?: string
  readonly author?: string
  readonly published?: string
}

async function loadDefuddle(): Promise<Extractor> {
  const folder = installPeer('defuddle', '0.19.4', [linkedom])
  const { parseHTML } = await importFrom<Linkedom>(folder, 'linkedom')
  const { Defuddle } = await importFrom<{
    Defuddle(document: unknown, url: string, options: object): Promise<Defuddled>
  }>(folder, join(folder, 'node_modules/defuddle/dist/node.js'))
  return async (html, url) => {
    const { content, title, author, published } = await Defuddle(parseHTML(html).document, url, { useAsync: false })
    return { text: toText(parseHTML, content), title, author, date: published }
  }
}

interface Extracted {
  readonly content?: string
  readonly title?: string
  readonly author?: string
  readonly published?: string
}

async function loadArticleExtractor(): Promise<Extractor> {
  const folder = installPeer('@extractus/article-extractor', '9.0.1', ['linkedom@0.18.13'])
  const { parseHTML } = await importFrom<Linkedom>(folder, 'linkedom')
  const { extractFromHtml } = await importFrom<{
    extractFromHtml(html: string, url: string): Promise<Extracted | null>
  }>(folder, '@extractus/article-extractor')
  return async (html, url) => {
    const article = await extractFromHtml(html, url)
    return {
      text: toText(parseHTML, article?.content ?? ''),
      title: article?.title,
      author: article?.author,
      date: article?.published,
    }
  }
}

/** The text of extracted HTML, one line per block. */
function toText(parseHTML: Linkedom['parseHTML'], html: string): string {
  const blocks = html.replace(
    /<(?:br|\/(?:p|div|li|h[1-6]|blockquote|pre|tr|td|th|figcaption|section))\b[^>]*>/gi,
    '$&\n',
  )
  return parseHTML(`<!doctype html><html><body>${blocks}</body></html>`).document.body.textContent
}

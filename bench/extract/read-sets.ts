import { isUtf8 } from 'node:buffer'
import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { decodeText } from '../../src/contract/text/decode-text.ts'

/** A page of a set, loaded lazily. */
interface SetPage {
  readonly id: string
  readonly url: string
  readBytes(): Uint8Array
  readHtml(): string
}

export interface ArticlePage extends SetPage {
  readonly articleBody: string
}

/** Annotated values; an empty text means that the page has none. */
interface Annotated {
  readonly title: string
  readonly author: string
  readonly date: string
}

export interface SegmentsPage extends SetPage {
  readonly with: readonly string[]
  readonly without: readonly string[]
  /** Undefined: not annotated. */
  readonly metadata: Annotated | undefined
}

/** The kinds of pages of WCXB. */
export const kinds = ['article', 'documentation', 'service', 'forum', 'product', 'collection', 'listing'] as const
type Kind = (typeof kinds)[number]

/** A page of any kind, with its whole content. */
export interface WholePage extends SetPage {
  readonly kind: Kind
  readonly content: string
  readonly metadata: Annotated
}

/** The peers need many minutes for all pages, so every contender reads the same fifth of each set. */
export function isSampled(_: unknown, at: number): boolean {
  return at % 5 === 0
}

/** The folder of the sets, next to the repository. */
const setsFolder = new URL('../../../shared/data/', import.meta.url)

export function hasSets(): boolean {
  return existsSync(new URL('articles/ground-truth.json', setsFolder))
}

export const howToGetSets = `The pages to extract from belong to their owners and are no part of this repository. Put them beside it, as
  ../shared/data/articles: html/ID.html.gz and ground-truth.json, { ID: { articleBody, url } },
    from https://github.com/scrapinghub/article-extraction-benchmark
  ../shared/data/segments: html/FILE.gz and ground-truth.json, { URL: { file, with, without, title, author, date } },
    from the folder tests of https://github.com/adbar/trafilatura
  ../shared/data/pages: html/ID.html.gz and ground-truth.json.gz, { ID: { url, type, title, author, publish_date, main_content } },
    the development split of WCXB, https://github.com/Murrough-Foley/web-content-extraction-benchmark`

export function readArticles(): ArticlePage[] {
  const truth = readTruth<{ articleBody: string; url: string }>('articles')
  return Object.entries(truth).map(([id, { articleBody, url }]) => ({
    id,
    url,
    articleBody,
    ...toPage(`articles/html/${id}.html.gz`),
  }))
}

type Segments = Pick<SegmentsPage, 'with' | 'without'> & {
  readonly file: string
  readonly title?: string
  readonly author?: string | readonly string[]
  readonly date?: string
}

export function readSegments(): SegmentsPage[] {
  return Object.entries(readTruth<Segments>('segments')).map(([url, page]) => ({
    id: page.file,
    url,
    with: page.with,
    without: page.without,
    metadata:
      page.title === undefined
        ? undefined
        : { title: page.title, author: [page.author ?? ''].flat().join(', '), date: page.date ?? '' },
    ...toPage(`segments/html/${encodeURIComponent(page.file)}.gz`),
  }))
}

export function readPages(): WholePage[] {
  const packed = readFileSync(new URL('pages/ground-truth.json.gz', setsFolder))
  const truth: Record<string, Whole> = JSON.parse(gunzipSync(packed).toString())
  // Twenty pages have no annotated content: no text of them could be right.
  return Object.entries(truth).flatMap(([id, { url, type, main_content, ...said }]) =>
    main_content?.trim()
      ? [
          {
            id,
            url: url ?? '',
            kind: type,
            content: main_content,
            metadata: { title: said.title ?? '', author: said.author ?? '', date: said.publish_date ?? '' },
            ...toPage(`pages/html/${id}.html.gz`),
          },
        ]
      : [],
  )
}

interface Whole {
  readonly url: string | null
  readonly type: Kind
  readonly title: string | null
  readonly author: string | null
  readonly publish_date: string | null
  readonly main_content: string | null
}

function readTruth<Truth>(set: string): Record<string, Truth> {
  return JSON.parse(readFileSync(new URL(`${set}/ground-truth.json`, setsFolder), 'utf8'))
}

function toPage(path: string): Pick<SetPage, 'readBytes' | 'readHtml'> {
  const readBytes = () => gunzipSync(readFileSync(new URL(path, setsFolder)))
  return { readBytes, readHtml: () => decodePage(readBytes()) }
}

/** Some pages were converted to UTF-8 when collected, but still declare another charset. */
export function decodePage(bytes: Uint8Array): string {
  return decodeText(bytes, { contentType: isUtf8(bytes) ? 'text/html; charset=utf-8' : 'text/html' }).text
}

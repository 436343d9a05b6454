import { escapeText } from '../../../tool-parts/html/markdown-text.ts'
import { parseHtml } from '../../../tool-parts/html/parse-html.ts'
import { renderBlocks } from '../../../tool-parts/html/render-blocks.ts'
import { renderMarkup } from '../../../tool-parts/html/render-markup.ts'
import { renderPage } from '../../../tool-parts/html/render-page.ts'
import type { Markup } from '../../../tool-parts/html/rich-writer.ts'
import type { Block } from '../../../tool-parts/html/to-blocks.ts'
import { type Page, textOf } from '../../../tool-parts/html/tree.ts'
import { chooseBlocks } from './choose-blocks.ts'
import { type MeasuredPage, measurePage } from './measure-page.ts'
import { type Metadata, readMetadata } from './metadata/read-metadata.ts'
import { scoreBlocks } from './score-blocks.ts'

/** In characters. A shorter text may be a stub of a page that scripts fill. */
const short = 1500

/** The fallback must be this many times longer. */
const muchMore = 3

/** Longer than a request to enable JavaScript. */
const minText = 200

export interface ExtractedPage extends Metadata {
  /** The main content without navigation and other boilerplate; '' if there is none. */
  readonly text: string
}

/**
 * Extracts the main content of a page as plain text, or with markup, with title, author and date.
 *
 * @example extractPage('<title>Rain</title><p>It rained all day.', { url: 'https://example.com/' }).text
 */
export function extractPage(html: string, options: { url: string; markup?: Markup | undefined }): ExtractedPage {
  const page = parseHtml(html)
  return { ...readMetadata(page, options), text: extractText(page, scoreBlocks, options.markup) }
}

/** The main content, without boilerplate; '' if the page has no text. */
export function extractText(
  page: Page,
  score: (measured: MeasuredPage) => number[] = scoreBlocks,
  markup?: Markup,
): string {
  const seen = chooseSeen(measurePage(page, { markup }), score)
  const text = renderBlocks(seen)
  if (text.length >= short) return markup ? renderMarkup(seen, markup) : text
  // Pages rendered by scripts often repeat their text in JSON-LD or <noscript>.
  const body = readJsonLdBody(page)
  const plain = chooseWithoutScripts(page, markup)
  const plainText = renderBlocks(plain)
  const most = muchMore * text.length
  if (body.length >= plainText.length && body.length > most)
    return markup?.format === 'markdown' ? escapeText(body) : body
  const blocks = plainText.length > most ? plain : seen
  return markup ? renderMarkup(blocks, markup) : renderBlocks(blocks)
}

function chooseSeen(measured: MeasuredPage, score: (measured: MeasuredPage) => number[]): Block[] {
  return chooseBlocks(measured, score(measured))
}

function chooseWithoutScripts(page: Page, markup: Markup | undefined): Block[] {
  const hasText = page.elements.some((element) => element.tag === 'noscript' && textOf(element).trim().length > minText)
  return hasText ? chooseSeen(measurePage(page, { scripts: false, markup }), scoreBlocks) : []
}

/** The longest article body in the page's JSON-LD, without markup; '' if there is none. */
export function readJsonLdBody(page: Page): string {
  let body = ''
  for (const element of page.elements) {
    if (element.tag !== 'script') continue
    for (const text of findBodies(textOf(element))) if (text.length > body.length) body = text
  }
  // Some bodies are encoded twice.
  for (let time = 0; time < 2 && /<[a-z/]|&[a-z#]/i.test(body); time++) body = renderPage(parseHtml(breakLines(body)))
  return body
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n\n')
}

/** Extracts the string without parsing the JSON, which is often invalid. */
function findBodies(json: string): string[] {
  const bodies: string[] = []
  const name = /"articleBody"\s*:\s*"/g
  while (name.exec(json)) {
    const end = findEnd(json, name.lastIndex)
    const text = readString(json.slice(name.lastIndex, end))
    if (text !== undefined) bodies.push(text)
    name.lastIndex = end
  }
  return bodies
}

function findEnd(json: string, from: number): number {
  for (let at = from; at < json.length; at++) {
    if (json[at] === '\\') at++
    else if (json[at] === '"') return at
  }
  return json.length
}

/** Accepts raw line ends, which JSON forbids and pages often contain. */
function readString(inside: string): string | undefined {
  try {
    return JSON.parse(`"${inside.replace(/[\0-\x1f]/g, (character) => (character === '\n' ? '\\n' : ' '))}"`)
  } catch {
    return undefined
  }
}

/** Keeps the lines of a text that mixes plain text and markup. */
function breakLines(text: string): string {
  return text.replace(/\n/g, '<br>')
}

import { chooseBlocks } from './choose-blocks.ts'
import { type MeasuredPage, measurePage } from './measure-page.ts'
import { readJsonLdBody } from './read-json-ld-body.ts'
import { renderBlocks } from './render-blocks.ts'
import { scoreBlocks } from './score-blocks.ts'
import { type Page, textOf } from './tree.ts'

/** What a page is about, as plain text, without what is around it; '' when the page has no text. */
export function extractText(page: Page, score: (measured: MeasuredPage) => number[] = scoreBlocks): string {
  const text = readSeen(measurePage(page), score)
  if (text.length >= short) return text
  // A page that its scripts fill has its text elsewhere.
  const [longest] = [readJsonLdBody(page), readWithoutScripts(page)].sort((a, b) => b.length - a.length)
  return longest!.length > muchMore * text.length ? longest! : text
}

/** In characters; a text this long is no remainder. */
const short = 1500
const muchMore = 3

function readSeen(measured: MeasuredPage, score: (measured: MeasuredPage) => number[]): string {
  return renderBlocks(chooseBlocks(measured, score(measured)))
}

function readWithoutScripts(page: Page): string {
  const hasText = page.elements.some((element) => element.tag === 'noscript' && textOf(element).trim().length > minText)
  return hasText ? readSeen(measurePage(page, { scripts: false }), scoreBlocks) : ''
}

/** More than a request to turn scripts on. */
const minText = 200

import { expect, test } from 'vitest'
import { parseHtml } from '../../src/tool-parts/html/parse-html.ts'
import { measurePage } from '../../src/toolsets/web/extract/measure-page.ts'
import { labelByArticle, labelBySegments } from './label-blocks.ts'

test('blocks of an article are text, others are not, and what is both is left open', () => {
  const articleBody = 'It rained for seven days in a row.\nThen the sun came.'
  const html =
    '<p>Home<p>It rained for seven days in a row.<p>Then the sun came.<p>sun<p>It rained for seven days or so they say at home'
  expect(labelByArticle(toLines(html), { articleBody }).map((label) => label?.isText)).toEqual([
    false,
    true,
    true,
    undefined,
    false,
  ])
})

test('pieces label the blocks that have them', () => {
  const long = 'A long paragraph that is about many things, and about the weather, too. '.repeat(4)
  const labels = labelBySegments(toLines(`<p>Weather<p>${long}<p>Good rain<p>nothing`), {
    with: ['Good rain'],
    without: ['Weather', 'weather'],
  })
  expect(labels).toEqual([{ isText: false, weight: 1 }, undefined, { isText: true, weight: 1 }, undefined])
})

function toLines(html: string) {
  return measurePage(parseHtml(html)).lines
}

import { expect, test } from 'vitest'
import { parseHtml } from '../../src/tool-parts/html/parse-html.ts'
import { measurePage } from '../../src/toolsets/web/extract/measure-page.ts'
import { labelByArticle, labelByContent, labelBySegments } from './label-blocks.ts'

test('blocks of an article are text, others are not, and what is both is left open', () => {
  const articleBody = 'It rained for seven days in a row.\nThen the sun came.'
  const html =
    '<p>Home<p>It rained for seven days in a row.<p>Then the sun came.<p>sun<p>It rained for seven days or so they say at home'
  expect(labelByArticle(toLines(html), { articleBody }).map((label) => label?.target)).toEqual([0, 1, 1, undefined, 0])
})

test('pieces label the blocks that have them', () => {
  const long = 'A long paragraph that is about many things, and about the weather, too. '.repeat(4)
  const labels = labelBySegments(toLines(`<p>Weather<p>${long}<p>Good rain<p>nothing`), {
    with: ['Good rain'],
    without: ['Weather', 'weather'],
  })
  expect(labels).toEqual([{ target: 0, weight: 1 }, undefined, { target: 1, weight: 1 }, undefined])
})

const rain = 'It rained for seven days in a row and nobody went out.'
const sun = 'Then the sun came out again, and the streets were full of people.'

test('of a page with its whole content, long blocks are found by their words and short ones by their place', () => {
  const html = `<p>Weather<p>${rain}<p>Weather<p>${sun}<p>Read on<p>Something else that is long enough to be a block of its own`
  const targets = labelByContent(toLines(html), { content: `${rain}\nWeather\n${sun}` }).map((label) => label?.target)
  expect(targets).toEqual([0, 1, 1, 1, 0, 0])
})

test('a text that the page repeats counts once, and a heavy page does not outweigh others', () => {
  const lines = toLines(`<p>${rain}<p>${rain}${'<p>Menu item of the shop'.repeat(500)}`)
  const labels = labelByContent(lines, { content: rain })
  expect(labels.slice(0, 2).map((label) => label?.target)).toEqual([1, 0])
  expect(labels.reduce((sum, label) => sum + label!.weight, 0)).toBeLessThan(41)
})

test('a page without annotated content teaches nothing', () => {
  expect(labelByContent(toLines(`<p>${rain}`), { content: '' })).toEqual([undefined])
})

function toLines(html: string) {
  return measurePage(parseHtml(html)).lines
}

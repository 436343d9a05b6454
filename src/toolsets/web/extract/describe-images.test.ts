import { expect, test } from 'vitest'
import { extractPage } from './extract-page.ts'

test('a page of images is what they show', () => {
  const html =
    '<body><img alt="A map of\n the valley" src=a.png><img alt="" src=b.png><img alt="The mill" src=c.png></body>'
  expect(extract(html)).toMatchObject({ text: 'A map of the valley\n\nThe mill', taken: 'images' })
})

test('a page that scripts fill is its description, once', () => {
  const head =
    '<meta name="description" content="Advice on telescopes."><meta property="og:description" content="Advice on telescopes.">'
  expect(extract(`${head}<div id="app"></div>`)).toMatchObject({ text: 'Advice on telescopes.', taken: 'images' })
})

test('images that nobody sees say nothing', () => {
  expect(extract('<div style="display:none"><img alt="secret" src=a.png></div><img src=b.png>').text).toBe('')
})

test('a page with text needs no images', () => {
  const { text, taken } = extract('<p>It rained all day, and the river rose.</p><img alt="The river" src=a.png>')
  expect([text, taken]).toEqual(['It rained all day, and the river rose.', undefined])
})

test('in Markdown, what images show has no markup', () => {
  const page = extractPage('<img alt="*not* <b>bold</b>" src=a.png>', {
    url: 'https://example.com/',
    markup: { format: 'markdown', links: 'inline' } as never,
  })
  expect(page.text).not.toContain(' <b>')
  expect(page.text).toContain('not')
})

function extract(html: string) {
  return extractPage(html, { url: 'https://example.com/' })
}

import { expect, test } from 'vitest'
import { parseHtml } from '../../../../tool-parts/html/parse-html.ts'
import { readMetadata } from './read-metadata.ts'

const url = 'https://www.example.org/a-page'
const read = (html: string) => readMetadata(parseHtml(html), { url })

test('title, author, date and language are read', () => {
  const html = `<html lang="en-gb"><title>A fine day | The Site</title><h1>A fine day</h1>
    <p class="byline">By Ada Lovelace on <time datetime="2021-03-04">4 March</time></p><p>The text.`
  expect(read(html)).toEqual({
    title: 'A fine day',
    byline: 'Ada Lovelace',
    publishedAt: '2021-03-04',
    lang: 'en-GB',
  })
})

test('a page without metadata has only nulls', () => {
  expect(read('')).toEqual({ title: null, byline: null, publishedAt: null, lang: null })
})

test.each([
  ['<html lang="de_CH">', 'de-CH'],
  ['<html xml:lang="fr">', 'fr'],
  ['<html lang="zh-hans-cn">', 'zh-Hans-CN'],
  ['<html lang=""><meta http-equiv="content-language" content="it, en">', 'it'],
  ['<meta property="og:locale" content="pt_BR">', 'pt-BR'],
  ['<script type="application/ld+json">{"@type":"WebPage","inLanguage":"nl"}</script>', 'nl'],
  ['<html lang="{{lang}}">', null],
  ['<html lang="english">', null],
])('the language of %s is %s', (html, lang) => {
  expect(read(html).lang).toBe(lang)
})

test('values are plain text on one line, of bounded length', () => {
  const rough = 'A\u0000 \u202efine\n\n day\u200b'
  const { title, byline } = read(
    `<title>${rough}</title><h1>${rough}</h1><p class="author">By Ada\u2066 Love\u00adlace</p>`,
  )
  expect(title).toBe('A fine day')
  expect(byline).toBe('Ada Lovelace')
  expect(read(`<title>${'long '.repeat(100_000)}</title>`).title).toHaveLength(300)
  expect(read(`<h1>${'<b>x</b>'.repeat(10_000)}</h1>`).title!.length).toBeLessThan(301)
})

import { expect, test } from 'vitest'
import { parseHtml } from '../../../../tool-parts/html/parse-html.ts'
import { findTitle } from './find-title.ts'
import { surveyPage } from './survey-page.ts'

const url = 'https://www.example.org/2021/a-page'

function titleOf(html: string): string | null {
  return findTitle(surveyPage(parseHtml(html), url))?.text ?? null
}

test('the heading that occurs in the title tag is the title', () => {
  expect(titleOf('<title>A fine day | The Site</title><h1>The Site</h1><h2>A fine day</h2>')).toBe('A fine day')
  expect(titleOf('<title>a fine day - The Site</title><h1>A Fine Day</h1>')).toBe('A Fine Day')
})

test('a heading that links home is the name of the site', () => {
  const html = '<title>A fine day « My notes</title><h1><a href="/">My notes</a></h1><h2>A fine day</h2>'
  expect(titleOf(html)).toBe('A fine day')
})

test('the kicker above a heading is left out', () => {
  const html =
    '<meta property="og:title" content="A fine day out"><h1><span>Weather</span> <span>A fine day out</span></h1>'
  expect(titleOf(html)).toBe('A fine day out')
})

test('a heading beside the text is not the title', () => {
  const html =
    '<title>A fine day</title><aside><h1>Subscribe now</h1></aside><div class="post"><h2>A fine day</h2></div>'
  expect(titleOf(html)).toBe('A fine day')
})

test('an element marked as a widget is content if it contains the title', () => {
  const html = '<title>The notes: A fine day</title><div class="widget"><h3>A fine day</h3></div><h2>Other things</h2>'
  expect(titleOf(html)).toBe('A fine day')
})

test('a large heading that no title tag confirms is the title if it is the only one', () => {
  expect(titleOf('<title>Buy now</title><h1>Wholly different words</h1>')).toBe('Wholly different words')
})

test('without a heading, the site name is cut off the title tag', () => {
  expect(titleOf('<title>A fine day | The Site</title>')).toBe('A fine day')
  expect(titleOf('<title>Example | A fine day</title>')).toBe('A fine day')
  expect(titleOf('<meta property="og:site_name" content="The Site"><title>Day - The Site</title>')).toBe('Day')
  expect(titleOf('<title>Day - Night</title>')).toBe('Day - Night')
})

test('without better sources any title tag is used, or null', () => {
  expect(titleOf('<h2>A fine day</h2><p>text')).toBe('A fine day')
  expect(titleOf('<p>text')).toBeNull()
  expect(titleOf('')).toBeNull()
  expect(titleOf('<svg><title>An icon</title></svg>')).toBeNull()
})

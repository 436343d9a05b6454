import { expect, test } from 'vitest'
import { parseHtml } from './parse-html.ts'
import { renderPage } from './render-page.ts'

test('blocks are separated, white space is collapsed, line breaks stay', () => {
  expect(read('<h1>A  title</h1><p>One\n two\t<b>three</b>.<br>Four</p><div>Five<p>Six</div>')).toBe(
    'A title\n\nOne two three.\nFour\n\nFive\n\nSix',
  )
})

test('two line breaks make a block', () => {
  expect(read('one<br>two<br><br>three<br> &nbsp; <br>four')).toBe('one\ntwo\n\nthree\n\nfour')
})

test('inline elements do not cut words, entities are decoded, soft hyphens go', () => {
  expect(read('<p>wo<i>rd</i>s &amp; Stra&szlig;e &#8364; auto&shy;nome zero&#8203;width')).toBe(
    'words & Straße € autonome zerowidth',
  )
})

test('items have a dash, nested ones are indented', () => {
  expect(read('<ul><li>one<li>two<ol><li>inner<ul><li>innermost</ul></ol><li><p>three</p><p>more</p></ul>')).toBe(
    '- one\n- two\n  1. inner\n     - innermost\n- three\n\n  more',
  )
  expect(read('<ul><li>one<br>line</ul>')).toBe('- one\n  line')
})

test('a table of short cells has a line for each row', () => {
  expect(
    read('<table><thead><tr><th>Name<th>Age</thead><tr><td>Ada<td><p>36</p><tr><td>Alan<td>41<br>?</table><p>After'),
  ).toBe('Name | Age\nAda | 36\nAlan | 41 ?\n\nAfter')
})

test('a layout table is not rendered as a table', () => {
  const text = 'A long paragraph. '.repeat(30).trim()
  expect(read(`<table><tr><td><ul><li>Home</ul><td>${text}</table>`)).toBe(`- Home\n\n${text}`)
  expect(read(`<table><tr><td>Menu<td>${text}</table>`)).toBe(`Menu\n\n${text}`)
})

test('code keeps its lines and its indentation', () => {
  expect(read('<p>Run:</p><pre><code>if (a &lt; b) {\n  run()\n\n}\n</code></pre>')).toBe(
    'Run:\n\nif (a < b) {\n  run()\n\n}',
  )
})

test('ruby text above Japanese words is left out', () => {
  expect(read('<p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby>です')).toBe('漢字です')
})

test('nothing gives nothing, and words give words', () => {
  expect(read('')).toBe('')
  expect(read('<p>  </p><br><br><hr>')).toBe('')
  expect(read('no markup at all, 1 < 2')).toBe('no markup at all, 1 < 2')
})

function read(html: string): string {
  return renderPage(parseHtml(html))
}

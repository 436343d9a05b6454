import { expect, test } from 'vitest'
import { htmlToText } from './html-to-text.ts'

test.each([
  [
    'a page',
    '<!doctype html><html><head><title>T</title></head><body><h1>Hi</h1><p>One <b>two</b></p></body>',
    'T\n\nHi\n\nOne two',
  ],
  ['a list', '<ul><li>one<li>two</li></ul>', '- one\n- two'],
  ['a table', '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>', 'a | b\n\n1 | 2'],
  ['line breaks', 'a<br>b<BR/>c', 'a\nb\nc'],
  ['preformatted text', '<pre>a\n  b\n\tc</pre> d  e', 'a\n  b\n\tc\nd e'],
  ['an unopened pre', '</pre>a  b', 'a b'],
  ['white space', ' a \n\t b\r\n c ', 'a b c'],
  ['a script', 'a<script>if (x < y) alert("</b>")</script>b', 'ab'],
  ['a script in capitals', 'a<SCRIPT SRC="x">x</Script >b', 'ab'],
  ['a script that is not closed', 'a<script>x', 'a'],
  ['what only begins like a closing tag', 'a<script>x</scripty>y</script>b', 'ab'],
  ['a style', '<style>b { color: red }</style>a', 'a'],
  ['a comment', 'a<!-- <b> -->b<!-- open', 'ab'],
  ['a > in quotes', `<a title="x > y" data='>'>a</a>`, 'a'],
  ['a tag that is not closed', 'a<b class="x', 'a'],
  ['a < that is no tag', 'a < b <3 <', 'a < b <3 <'],
  ['entities', '&lt;b&gt; &amp;amp; &quot;&apos;&copy;&nbsp;&#65;&#x42;&#x1F600;', `<b> &amp; "'©\u00a0AB😀`],
  [
    'entities that are none',
    '&unknown; & &#0; &#xD800; &#9999999; &; &toString;',
    '&unknown; & \ufffd \ufffd \ufffd &; &toString;',
  ],
  ['a letter that grows when lowered', 'İ<script>İ</script>İ', 'İİ'],
  ['other scripts', '<p>日本語</p><p>عربي</p>', '日本語\n\nعربي'],
  ['nothing', '', ''],
])('%s', (_what, html, text) => {
  expect(htmlToText(html)).toBe(text)
})

test.each([
  ['tags that are not closed', '<a '],
  ['scripts that are not closed', '<script>'],
  ['closing tags that are none', '</script'],
  ['comments that are not closed', '<!--'],
  ['angle brackets', '<'],
  ['quotes', `<a b="`],
  ['ampersands', '&'],
  ['half entities', '&#1'],
  ['blanks', ' '],
  ['line ends', '<br>'],
  ['open pre', '<pre> '],
])('a megabyte of %s takes no time to speak of', (_what, piece) => {
  const begun = performance.now()
  htmlToText(piece.repeat(1_048_576 / piece.length))
  expect(performance.now() - begun).toBeLessThan(10_000)
})

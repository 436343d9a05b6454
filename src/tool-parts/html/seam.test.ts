import { expect, test } from 'vitest'
import { parseHtml } from './parse-html.ts'
import { renderPage } from './render-page.ts'

test.each([
  ['<p><span>Accessories</span><span>1385</span>', 'Accessories 1385'],
  ['<p><a href=a>Sofas</a><a href=b>chairs</a>', 'Sofas chairs'],
  ['<p><span><a href=a>Ada Lovelace</a></span><span>Professor</span>', 'Ada Lovelace Professor'],
  ['<p><span>1990</span><span>1991</span>', '1990 1991'],
  ['<p><b>NEW</b><b>SALE</b>', 'NEW SALE'],
  ['<p>Price<svg></svg>Low', 'Price Low'],
  ['<p>One<img src=x>Two', 'One Two'],
  // A word may be cut into elements.
  ['<p><span>T</span><span>HE</span> end', 'THE end'],
  ['<p><b>un</b><i>likely</i>', 'unlikely'],
  ['<p>i<b>Phone</b>', 'iPhone'],
  ['<p><code><span>foo</span><span>Bar</span><span>1</span></code>', 'fooBar1'],
  ['<pre><span>foo</span><span>Bar</span></pre>', 'fooBar'],
  ['<p><span>One</span>, <span>Two</span>', 'One, Two'],
  ['<p><span>One</span> <span>Two</span>', 'One Two'],
  ['<p>H<sub>2</sub>O', 'H2O'],
])('%s is %s', (html, text) => {
  expect(renderPage(parseHtml(html))).toBe(text)
})

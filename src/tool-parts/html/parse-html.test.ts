import { expect, test } from 'vitest'
import { createNames, parseHtml } from './parse-html.ts'
import { closest, type Element, isInside, textOf } from './tree.ts'

test('a page has a root, a head and a body, whether it says so or not', () => {
  expect(outline('<title>A</title><p>One')).toBe('html(title("A") body(p("One")))')
  expect(outline('<html lang=en><head><title>A</title></head><body class=x><p>One</p></body></html>')).toBe(
    'html(head(title("A")) body(p("One")))',
  )
  expect(outline('')).toBe('html()')
  expect(outline('just words & more')).toBe('html(body("just words & more"))')
})

test('the first of two attributes counts, and a second body adds what is new', () => {
  const page = parseHtml(
    '<body class="a" class="b"><p title="x &amp; y" onclick="run()" hidden>text<body class=c id=d>',
  )
  const [, body, p] = page.elements
  expect(body!.attributes).toEqual({ class: 'a', id: 'd' })
  expect(p!.attributes).toEqual({ title: 'x & y', hidden: '' })
})

test('unused attributes are dropped, and so are those of other elements', () => {
  const page = parseHtml(
    '<a href=/x data-a=1 constructor=2 __proto__=3 ID=a>b</a><img src=y href=/z alt=c><p src=y value=1>',
  )
  expect(page.elements.slice(2).map(({ attributes }) => attributes)).toEqual([
    { href: '/x', id: 'a' },
    { src: 'y', alt: 'c' },
    {},
  ])
})

test('unclosed paragraphs, items, rows and cells end where they should', () => {
  expect(outline('<p>a<p>b<ul><li>c<li>d<ul><li>e</ul><li>f</ul>')).toBe(
    'html(body(p("a") p("b") ul(li("c") li("d" ul(li("e"))) li("f"))))',
  )
  expect(outline('<table><tr><td>a<td>b<tr><th>c</table>d')).toBe(
    'html(body(table(tr(td("a") td("b")) tr(th("c"))) "d"))',
  )
  expect(outline('<p><b>a<div>b</div>')).toBe('html(body(p(b("a")) div("b")))')
  expect(outline('<dl><dt>a<dd>b<dt>c</dl>')).toBe('html(body(dl(dt("a") dd("b") dt("c"))))')
})

test('a closing tag reaches neither out of a cell nor, when inline, out of a block', () => {
  expect(outline('<div><table><tr><td>a</div>b</td></tr></table></div>')).toBe('html(body(div(table(tr(td("ab"))))))')
  expect(outline('<b><div>a</b>b</div>c</b>d')).toBe('html(body(b(div("ab") "c") "d"))')
  expect(outline('</p></nothing>a</br>')).toBe('html(body("a" br()))')
})

test('a link that is closed inside a block does not swallow what follows', () => {
  expect(outline('<a href=x><div>in</a>out</div>')).toBe('html(body(a(div("in")) div("out")))')
  expect(outline('<a>one<a>two</a>')).toBe('html(body(a("one") a("two")))')
})

test('scripts and styles have no text, JSON-LD has', () => {
  const page = parseHtml(
    '<script>1 < 2</script><style>p{}</style><script type="application/ld+json">{"a":"<b>"}</script>',
  )
  expect(page.elements.map((element) => textOf(element)).at(-1)).toBe('{"a":"<b>"}')
  expect(textOf(page.root)).toBe('{"a":"<b>"}')
})

test('elements know their place', () => {
  const page = parseHtml('<div><p>a <b>c</b></p></div><p>d')
  const [, , div, p, b, last] = page.elements
  expect([div!.index, div!.end, last!.tag]).toEqual([2, 5, 'p'])
  expect(isInside(b!, div!)).toBe(true)
  expect(isInside(last!, div!)).toBe(false)
  expect(isInside(div!, div!)).toBe(false)
  expect(closest(b!, (element) => element.tag === 'div')).toBe(div)
  expect(closest(b!, (element) => element.tag === 'table')).toBeUndefined()
  expect(textOf(p!)).toBe('a c')
})

test('ten thousand levels are flattened, and no text is lost', () => {
  const page = parseHtml(`${'<div>'.repeat(10_000)}<p>deep</p> below${'</div>'.repeat(10_000)}<p>after`)
  expect(textOf(page.root)).toBe('deep belowafter')
  expect(page.truncated).toBe(false)
  expect(page.elements.at(-1)!.parent!.tag).toBe('body')
})

test('a page with too many elements is truncated', () => {
  const page = parseHtml('<br>'.repeat(300_000))
  expect(page.truncated).toBe(true)
  expect(page.elements.length).toBe(250_000)
})

function outline(html: string): string {
  const show = (element: Element): string =>
    `${element.tag}(${element.children.map((child) => (typeof child === 'string' ? JSON.stringify(child) : show(child))).join(' ')})`
  return show(parseHtml(html).root)
}

test('a name is read in lower case, the first time and again', () => {
  const html = 'div DIV Div dIv'
  const read = createNames(html)
  expect([0, 4, 8, 12].map((start) => read(start, start + 3))).toEqual(['div', 'div', 'div', 'div'])
})

test('non-ASCII letters are lower-cased correctly, the first time and again', () => {
  const words = ['ÄB', 'äb', 'ÄB', 'İ', 'i̇', 'İ', 'K', 'k', '@', '`', '[', '{']
  const html = words.join(' ')
  const read = createNames(html)
  let start = 0
  for (const word of words) {
    expect(read(start, start + word.length)).toBe(word.toLowerCase())
    start += word.length + 1
  }
})

test('thousands of names are told apart, though the cache holds few', () => {
  const words = Array.from({ length: 3000 }, (_, at) => `x${(at * 7919) % 3000}`)
  const html = words.join(' ')
  const read = createNames(html)
  for (let round = 0; round < 2; round++) {
    let start = 0
    for (const word of words) {
      if (read(start, start + word.length) !== word) expect.fail(`${word} was read as another name`)
      start += word.length + 1
    }
  }
})

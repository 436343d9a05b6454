import { expect, test } from 'vitest'
import { parseHtml } from '../../../../tool-parts/html/parse-html.ts'
import { readMetadata } from './read-metadata.ts'

function dateOf(html: string, url = 'https://www.example.org/a-page'): string | null {
  return readMetadata(parseHtml(html), { url }).publishedAt
}

const heading = '<title>A fine day</title><h1>A fine day</h1>'
const text = '<p>The text of the page.</p>'

test.each([
  ['JSON-LD', '<script type="application/ld+json">{"@type":"BlogPosting","datePublished":"2021-03-04"}</script>'],
  ['a meta element', '<meta property="article:published_time" content="2021-03-04">'],
  ['a meta element with itemprop', '<meta itemprop="datePublished" content="2021-03-04">'],
  ['a marked element', '<span itemprop="datePublished" content="2021-03-04">yesterday</span>'],
  ['a title of a marked element', '<abbr class="published" title="2021-03-04">Thursday</abbr>'],
  ['a time', '<time datetime="2021-03-04">Thursday</time>'],
  ['a time without an attribute', '<time>4. März 2021</time>'],
  ['an element called a date', '<div class="news-date">04.03.2021</div>'],
  ['an element with information', '<div class="post-meta">Ada, <b>4 March 2021</b></div>'],
  ['a line of its own', '<p>Berlin, 4. März 2021</p>'],
  ['a label, however far down', `${text.repeat(100)}<p>Erschienen am: 04.03.2021</p>`],
])('%s has the date', (_, html) => {
  expect(dateOf(`${heading}${html}${text}`)).toBe('2021-03-04')
})

test('time and zone are kept where they are known', () => {
  const html = '<meta property="article:published_time" content="2021-03-04T10:20:30+01:00">'
  expect(dateOf(`${html}${heading}<p>4.3.2021</p>`)).toBe('2021-03-04T10:20:30+01:00')
})

test('the address of a page has the date', () => {
  expect(dateOf(heading, 'https://example.org/2021/03/04/a-fine-day')).toBe('2021-03-04')
  expect(dateOf(heading, 'https://example.org/news/20210304-a-fine-day.html')).toBe('2021-03-04')
  expect(dateOf(heading, 'https://example.org/2021/03/a-fine-day')).toBeNull()
  expect(dateOf(heading, 'not an address')).toBeNull()
})

test("the page's metadata takes precedence over its text and its address", () => {
  const meta = '<meta property="article:published_time" content="2019-01-01T23:30:00Z">'
  const shown = `${heading}<p class="date">4. März 2021</p>`
  const url = 'https://example.org/2021/03/04/a'
  expect(dateOf(`${meta}${shown}`, url)).toBe('2019-01-01T23:30:00Z')
  const linked = '<script type="application/ld+json">{"@type":"Article","datePublished":"2018-02-03"}</script>'
  expect(dateOf(`${linked}${shown}`, url)).toBe('2018-02-03')
  expect(dateOf(`${linked}${meta}${shown}`, url)).toBe('2019-01-01T23:30:00Z')
  expect(dateOf(`${linked}<meta name="date" content="2019-01-01">${shown}`, url)).toBe('2018-02-03')
})

test('the date of the page around an article counts only if the page shows a date', () => {
  const page = '<script type="application/ld+json">{"@type":"WebPage","datePublished":"2018-02-03"}</script>'
  expect(dateOf(`${page}${heading}${text}`)).toBeNull()
  expect(dateOf(`${page}${heading}<p class="date">4. März 2021</p>${text}`)).toBe('2018-02-03')
})

test('a home page has no date, unless its metadata states one', () => {
  const shown = `${heading}<time datetime="2021-03-04">Thursday</time>${text}`
  expect(dateOf(shown, 'https://www.example.org/')).toBeNull()
  expect(dateOf(`<meta name="date" content="2019-01-01">${shown}`, 'https://www.example.org/')).toBe('2019-01-01')
  expect(dateOf(shown, 'https://www.example.org/?p=12')).toBe('2021-03-04')
})

test('a title may begin with the date', () => {
  expect(dateOf(`<title>04.03.2021 - A fine day</title><p>text`)).toBe('2021-03-04')
})

test('a future or invalid date is skipped for the next source', () => {
  const shown = `${heading}<p class="date">4. März 2021</p>`
  for (const content of ['2999-01-01', '0000-00-00', 'yesterday', '1970-01-01T00:00:00Z'])
    expect(dateOf(`<meta property="article:published_time" content="${content}">${shown}`), content).toBe('2021-03-04')
})

test('the date of modification is not the date of publication', () => {
  const html = '<meta property="article:published_time" content="2019-01-01">'
  expect(dateOf(`${html}${heading}<span>Updated 4 March 2021</span>`)).toBe('2019-01-01')
  expect(dateOf(`${html}${heading}<p><b>Aktualisiert:</b><span>4. März 2021</span>`)).toBe('2019-01-01')
})

test('dates in sentences, comments, footers and lists of other pages are ignored', () => {
  const sentence =
    '<p>It had begun on 4 March 2021, when nobody thought of anything of the kind, and it went on for many years.</p>'
  const filler = text.repeat(50)
  expect(dateOf(`${heading}${sentence}`)).toBeNull()
  for (const around of ['div id="comments"', 'footer', 'div class="related"', 'aside']) {
    const html = `${heading}${filler}<${around}><time datetime="2021-03-04">then</time></${around.split(' ')[0]}>`
    expect(dateOf(html), around).toBeNull()
  }
})

test('a page without a heading can have a date', () => {
  expect(dateOf(`${text.repeat(100)}<span class="date">04.03.2021</span>`)).toBe('2021-03-04')
})

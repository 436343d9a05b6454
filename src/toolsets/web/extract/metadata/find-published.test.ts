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
  ['an element with a datetime', '<relative-time datetime="2021-03-04">a year ago</relative-time>'],
  ['a label, however far down', `${text.repeat(100)}<p>Erschienen am: 04.03.2021</p>`],
  ['a label after another', `${text.repeat(100)}<p>Letzte Änderung: 09.05.2022<br>Erschienen am: 04.03.2021</p>`],
  ['a label of its own', `${text.repeat(100)}<div><h4>Published</h4><div>March 4, 2021</div></div>`],
  ['a plain label', `${text.repeat(100)}<div><b>Datum:</b> <span>04.03.2021</span></div>`],
  ['a note of WordPress', `${text.repeat(100)}<p>This entry was posted on Thursday, March 4th, 2021 at 10:20 pm`],
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
  expect(dateOf(heading, 'https://example.org/2021/march/04/a-fine-day')).toBe('2021-03-04')
  expect(dateOf(heading, 'https://example.org/2021/3/4/a-fine-day')).toBe('2021-03-04')
  expect(dateOf(heading, 'https://example.org/2021/03/a-fine-day')).toBeNull()
  expect(dateOf(heading, 'https://example.org/2021/other/04/a-fine-day')).toBeNull()
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
  expect(dateOf(`${linked}<meta name="publish-date" content="2019-01-01">${shown}`, url)).toBe('2018-02-03')
})

test.each([
  ['the day before', '2020-02-25T02:25:54+00:00', '<p class="date">February 24, 2020 9:25pm</p>', '2020-02-24'],
  ['the day after', '2018-12-31T23:11:59Z', '<h2>2019-01-01</h2>', '2019-01-01'],
  ['an address with the day before', '2020-02-25T02:25:54Z', '', '2020-02-24', 'https://example.org/2020/02/24/a'],
  ['a day that it is nowhere', '2020-02-25T18:00:00Z', '<p class="date">24 February 2020</p>', '2020-02-25T18:00:00Z'],
  ['another time', '2020-02-25T02:00:00Z', '<time datetime="2020-02-24T08:00:00-05:00">', '2020-02-25T02:00:00Z'],
  ['a zone of its own', '2020-02-25T02:00:00+01:00', '<p class="date">24.02.2020</p>', '2020-02-25T02:00:00+01:00'],
])(
  'a moment in UTC is on the day that the page shows where the page is: %s',
  (_, content, shown, date, url?: string) => {
    expect(dateOf(`<meta property="article:published_time" content="${content}">${heading}${shown}${text}`, url)).toBe(
      date,
    )
  },
)

test.each(['date', 'dc.date', 'dcterms.date', 'created'])('what the page shows overrides the vague %s', (name) => {
  const meta = `<meta name="${name}" content="2020-02-12">`
  expect(dateOf(`${meta}${heading}${text}`)).toBe('2020-02-12')
  expect(dateOf(`${meta}${heading}<div class="news-time">05.02.2020</div>${text}`)).toBe('2020-02-05')
})

test.each([
  'w-published-date',
  'published_time',
  'vr:published_time',
  'rnews:datePublished',
  'publishdate',
  'DC.date.issued',
  'citation_publication_date',
  'parsely-pub-date',
  'sailthru.date',
])('%s is a date of publication', (name) => {
  expect(dateOf(`<meta name="${name}" content="2021-03-04">${heading}<p class="date">5 May 2022</p>`)).toBe(
    '2021-03-04',
  )
})

test('a date overrides a time, which may be that of the last build; modification is neither', () => {
  const metas = ['x-published-time', 'x-published-date', 'last-published-date'].map(
    (name, at) => `<meta name="${name}" content="202${at}-03-04">`,
  )
  expect(dateOf(`${metas.join('')}${heading}`)).toBe('2021-03-04')
  expect(dateOf(`<meta name="last-published-date" content="2021-03-04">${heading}`)).toBeNull()
})

test('seconds since 1970 are a date in metadata', () => {
  expect(dateOf(`<meta property="article:published_time" content="1614853230">${heading}`)).toBe('2021-03-04T10:20:30Z')
})

test.each([
  '<p>Published 4 March 2021, updated 9 May 2022</p>',
  '<p>Updated: 9 May 2022 | Published: 4 March 2021</p>',
  '<p><time class="updated" datetime="2022-05-09">then</time><time class="entry-date" datetime="2021-03-04">before</time></p>',
  '<div class="updated-on"><time datetime="2022-05-09">then</time></div><p>4. März 2021</p>',
  '<p>Zuletzt aktualisiert: <span class="date">9.5.2022</span></p><p class="date">4.3.2021</p>',
  '<p>Mis à jour le 9 mai 2022</p><p>Publié le 4 mars 2021</p>',
])('the date of publication is preferred in %s', (html) => {
  expect(dateOf(`${heading}${html}${text}`)).toBe('2021-03-04')
})

test('a page that shows only when it was updated has that date', () => {
  expect(dateOf(`${heading}<p>Last updated: 4 March 2021</p>${text}`)).toBe('2021-03-04')
  expect(dateOf(`${heading}<time class="updated" datetime="2021-03-04">then</time>${text}`)).toBe('2021-03-04')
  expect(dateOf(`${heading}${text.repeat(60)}<p class="page-info">Last modified: 2021/03/04</p>`)).toBeNull()
})

test.each([
  ['a dateline', '<p>04.03.2021 – Many words follow here, as in a report of an agency, and then some more.</p>'],
  ['a dateline with a place', '<p>Berlin, 4. März 2021 – Many words follow here, and then some more of them.</p>'],
  ['a dateline in brackets', '<p>(4. März 2021) Many words follow here, and then some more of them than fit.</p>'],
  ['white space', '<p>\n\t\t04.03.2021\n\t\t\t\t\t\n\t\t•\n\t</p>'],
  ['parts', '<div class="date"><b>Mär</b><i>4</i><span>2021</span></div>'],
  ['a press release', '<p class="press-release-date icon-calendar">4 March 2021</p>'],
  ['a byline', '<p class="author">by Ada » 4 March 2021, 10:20</p>'],
  ['Russian', '<p>4 марта 2021</p>'],
  ['Arabic', '<p>الخميس 4 مارس 2021</p>'],
  ['Hindi', '<p>4 मार्च 2021</p>'],
  ['Czech', '<p>4. března 2021</p>'],
  ['Polish', '<p>4 marca 2021 r.</p>'],
  ['Korean', '<p>2021. 3. 4. 10:20</p>'],
  ['Indonesian', '<p>Kamis, 4 Maret 2021</p>'],
])('%s below the title has the date', (_, html) => {
  expect(dateOf(`${heading}${html}${text}`)).toBe('2021-03-04')
})

test.each([
  ['<html lang="en-US">', 'https://example.com/a', '2021-03-04'],
  ['<html lang="en">', 'https://example.com/a', '2021-03-04'],
  ['<html lang="en">', 'https://example.co.uk/a', '2021-04-03'],
  ['<html lang="en"><meta property="og:locale" content="en_GB">', 'https://example.com/a', '2021-04-03'],
  ['<html lang="en-AU">', 'https://example.com/a', '2021-04-03'],
  ['<html lang="fr">', 'https://example.com/a', '2021-04-03'],
  ['<html>', 'https://example.com/a', '2021-04-03'],
])('03/04/2021 on a page of %s at %s is %s', (start, url, date) => {
  expect(dateOf(`${start}${heading}<p>03/04/2021</p>${text}`, url)).toBe(date)
})

test.each([
  ['when a member joined', '<dl><dd class="profile-joined">4 March 2021</dd></dl>'],
  ['today', '<p id="todays-date">4 March 2021</p>'],
  ['a review', '<div itemprop="review"><span itemprop="datePublished" content="2021-03-04"></span></div>'],
  ['an event', '<div class="event-start">4 March 2021</div>'],
  ['two days ago', '<time>2 days ago</time>'],
  ['a copyright', '<footer>© 2021-03-04 Acme</footer>'],
  ['a number of ten digits', '<div class="product-info"><meta itemprop="sku" content="1614853230"></div>'],
  [
    'a link to a document',
    '<p><a class="date-list" title="Opens a new window and downloads the document paper_20210304.pdf">A paper</a></p>',
  ],
])('%s is not the date of a page', (_, html) => {
  expect(dateOf(`${heading}${html}${text}`)).toBeNull()
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

test('a home page with a mark of the link that led to it is still one', () => {
  const shown = `${heading}<time datetime="2021-03-04">Thursday</time>${text}`
  expect(dateOf(shown, 'https://www.example.org/?utm_source=a&srsltid=b')).toBeNull()
})

test('the date in the header of the site is that of today', () => {
  const header = '<body><header><span class="date">9 May 2022</span></header>'
  expect(dateOf(`${header}${heading}<p>text`)).toBeNull()
  expect(dateOf(`${header}${heading}<p>Berlin, 4 March 2021</p>`)).toBe('2021-03-04')
  expect(dateOf(`<article><header><p class="date">4 March 2021</p></header>${heading}<p>text</article>`)).toBe(
    '2021-03-04',
  )
})

test('the dates of a list of articles are not that of the page', () => {
  const article = '<article><h2><a href="/a">Another day</a></h2><time class="published">4 March 2021</time></article>'
  expect(dateOf(`${heading}${article.repeat(3)}`)).toBeNull()
  expect(dateOf(`${heading}${article}`)).toBe('2021-03-04')
})

test('the date of a review in the data of a product is not that of the page', () => {
  const data = {
    '@type': 'Product',
    review: [{ '@type': 'Review', datePublished: '2021-03-04', author: 'Ada Lovelace' }],
  }
  const html = `<script type="application/ld+json">${JSON.stringify(data)}</script>${heading}${text}`
  expect(readMetadata(parseHtml(html), { url: 'https://example.org/a' })).toMatchObject({
    publishedAt: null,
    byline: null,
  })
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

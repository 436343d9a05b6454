import { expect, test } from 'vitest'
import { parseFeed } from './parse-feed.ts'
import { readFeed } from './read-feed.ts'

test('RSS: the fields of the channel and of its entries, with CDATA and entities', () => {
  const feed = parseFeed(
    `<rss><channel><title>News &amp; more</title><link>https://a.example</link><image><title>Logo</title></image>
    <item><title><![CDATA[<b>One</b>]]></title><link>https://a.example/1</link><dc:creator>Ada</dc:creator>
    <media:group><media:title>Other</media:title></media:group><content:encoded><![CDATA[<p>Long</p>]]></content:encoded></item>
    <item><title>Two</title><pubDate>Tue, 04 Mar 2025 10:00:00 GMT</pubDate></item></channel></rss>`,
    10,
  )
  expect(feed).toMatchObject({ title: 'News & more', link: 'https://a.example' })
  expect(feed.entries).toMatchObject([
    { title: '<b>One</b>', link: 'https://a.example/1', summary: '<p>Long</p>', author: 'Ada', date: '' },
    { title: 'Two', date: 'Tue, 04 Mar 2025 10:00:00 GMT' },
  ])
})

test('Atom: links are in attributes, and content may be XHTML', () => {
  const feed = parseFeed(
    `<feed xmlns="http://www.w3.org/2005/Atom"><title>A</title><updated>2025-03-04T00:00:00Z</updated>
    <entry><title>E</title><link href="https://a.example/?x=1&amp;y=2"/><author><name>Ada</name></author>
    <content type="xhtml"><div>Some <b>words</b></div></content></entry></feed>`,
    10,
  )
  expect(feed).toMatchObject({ title: 'A', date: '2025-03-04T00:00:00Z' })
  expect(feed.entries).toEqual([
    { title: 'E', link: 'https://a.example/?x=1&y=2', summary: 'Some words', date: '', author: 'Ada' },
  ])
})

test('no more entries than are wanted', () => {
  expect(parseFeed(`<rss>${'<item><title>x</title></item>'.repeat(50)}</rss>`, 20).entries).toHaveLength(20)
})

test.each([
  ['nested without an end', `<rss>${'<a>'.repeat(300_000)}`],
  ['entries in entries', `<rss>${'<item>'.repeat(100_000)}`],
  ['closed more often than opened', `<rss>${'</a>'.repeat(100_000)}<item><title>x</title></item>`],
  ['one long title', `<rss><title>${'&lt;'.repeat(300_000)}</title></rss>`],
])('a feed that is %s is read in bounded time', (_what, xml) => {
  expect(readFeed(xml)).toMatchObject({ text: expect.any(String) })
})

test('other documents are not feeds', () => {
  expect(readFeed('<html><body>rss</body></html>')).toBeUndefined()
})

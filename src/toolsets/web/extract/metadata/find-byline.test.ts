import { expect, test } from 'vitest'
import { parseHtml } from '../../../../tool-parts/html/parse-html.ts'
import { readMetadata } from './read-metadata.ts'

function bylineOf(html: string): string | null {
  return readMetadata(parseHtml(html), { url: 'https://www.example.org/a-page' }).byline
}

const heading = '<title>A fine day</title><h1>A fine day</h1>'
const linked = (author: unknown) =>
  `<script type="application/ld+json">${JSON.stringify({ '@type': 'Article', author })}</script>`

test('a name in the metadata and on the page is the author', () => {
  expect(bylineOf(`${linked({ '@type': 'Person', name: 'Ada Lovelace' })}${heading}<p>Ada Lovelace`)).toBe(
    'Ada Lovelace',
  )
  expect(bylineOf(`<meta name="author" content="Ada Lovelace">${heading}<p>by ADA LOVELACE`)).toBe('Ada Lovelace')
})

test('a name in the metadata alone is the author if the page shows none', () => {
  expect(bylineOf(`${linked({ name: 'Ada Lovelace' })}${heading}<p>text`)).toBe('Ada Lovelace')
  expect(bylineOf(`${linked('Ada Lovelace')}${heading}<p>text`)).toBe('Ada Lovelace')
  expect(bylineOf(`${linked({ '@type': 'Person', name: 'Voltaire' })}${heading}<p>text`)).toBe('Voltaire')
  expect(bylineOf(`<meta name="author" content="Ada Lovelace">${heading}<p>text`)).toBe('Ada Lovelace')
  expect(bylineOf(`<meta property="article:author" content="Ada Lovelace">${heading}<p>text`)).toBe('Ada Lovelace')
  expect(bylineOf(`<meta name="author" content="Ada Lovelace">${heading}<p class="byline">By Alan Turing`)).toBe(
    'Alan Turing',
  )
})

test('the owner of the site, who has the rights, is not the author of a page', () => {
  const meta = '<meta name="author" content="Ada Lovelace">'
  expect(bylineOf(`${meta}${heading}<p>text<footer>© 2011 Ada Lovelace</footer>`)).toBeNull()
  expect(bylineOf(`${meta}<meta name="dc.rights.rightsHolder" content="Ada Lovelace">${heading}<p>text`)).toBeNull()
  expect(bylineOf(`${meta}${heading}<p>By Ada Lovelace<footer>© 2011 Ada Lovelace</footer>`)).toBe('Ada Lovelace')
})

test('the label of a card says who wrote the page', () => {
  const card = (label: string, name: string) =>
    `<meta name="twitter:label1" content="${label}"><meta name="twitter:data1" content="${name}">${heading}<p>text`
  expect(bylineOf(card('Written by', 'Ada Lovelace'))).toBe('Ada Lovelace')
  expect(bylineOf(card('Geschrieben von', 'Ada Lovelace'))).toBe('Ada Lovelace')
  expect(bylineOf(card('Est. reading time', '5 minutes'))).toBeNull()
  expect(bylineOf(card('Written by', 'admin'))).toBeNull()
})

test('a name in library form is reordered', () => {
  const metas =
    '<meta name="citation_author" content="Lovelace, Ada"><meta name="citation_author" content="Turing, Alan M.">'
  expect(bylineOf(`${metas}${heading}<p>text`)).toBe('Ada Lovelace, Alan M. Turing')
})

test.each([
  'admin',
  'multigames',
  'Example',
  'The Example Team',
  'Acme Inc',
  'Acme',
  'info@example.org',
  'https://www.facebook.com/example',
])('%s in the metadata alone is not a person', (content) => {
  const site = '<meta property="og:site_name" content="Acme">'
  expect(bylineOf(`${site}<meta name="author" content="${content}">${heading}<p>text`)).toBeNull()
})

test('an organisation is not an author', () => {
  expect(bylineOf(`${linked({ '@type': 'Organization', name: 'Acme' })}${heading}<p>Acme`)).toBeNull()
  expect(bylineOf(`${linked({ '@type': 'NewsMediaOrganization', name: 'Acme Daily' })}${heading}<p>text`)).toBeNull()
})

test.each([
  '<a rel="author" href="/ada">Ada Lovelace</a>',
  '<span class="byline">By <a href="/ada">Ada Lovelace</a> | 3 May 2021</span>',
  '<div itemprop="author"><img><span itemprop="name">Ada Lovelace</span><p>writes about engines</div>',
  '<span class="author vcard"><a class="url fn n">Ada Lovelace</a></span>',
  '<div class="post-author-name">Von Ada Lovelace</div>',
  '<p>By Ada Lovelace</p>',
  '<p>Eine Kolumne von Ada Lovelace</p>',
  '<div>Posted by Ada Lovelace under Engines</div>',
])('%s below the title names the author', (html) => {
  expect(bylineOf(`${heading}${html}<p>The text of the page.`)).toBe('Ada Lovelace')
})

test('a labelled author line is found anywhere', () => {
  const text = '<p>The text of the page.</p>'.repeat(60)
  expect(bylineOf(`${heading}${text}<p>Autorin: Ada Lovelace</p>`)).toBe('Ada Lovelace')
})

test('an author box at the end is found if it is the only one', () => {
  const text = '<p>The text of the page.</p>'.repeat(100)
  const box = (name: string) => `<div class="author-box"><h4 class="author-name">${name}</h4></div>`
  expect(bylineOf(`${heading}${text}${box('Ada Lovelace')}`)).toBe('Ada Lovelace')
  expect(bylineOf(`${heading}${text}${box('Ada Lovelace')}${box('Alan Turing')}`)).toBeNull()
})

test('commenters and authors of other pages are ignored', () => {
  const text = '<p>The text of the page.</p>'.repeat(100)
  expect(bylineOf(`${heading}${text}<div id="comments"><b class="author">Ada Lovelace</b></div>`)).toBeNull()
  expect(bylineOf(`${heading}${text}<ul class="related"><li class="author">Ada Lovelace</ul>`)).toBeNull()
})

test('if the page shows more authors than the metadata, all are returned', () => {
  const shown = '<span class="author">Von Ada Lovelace, Alan Turing</span>'
  expect(bylineOf(`${linked([{ name: 'Ada Lovelace' }])}${heading}${shown}`)).toBe('Ada Lovelace, Alan Turing')
})

test('the title is not its author', () => {
  expect(bylineOf('<title>Ada Lovelace</title><h1 class="author">Ada Lovelace</h1><p>was a countess')).toBeNull()
})

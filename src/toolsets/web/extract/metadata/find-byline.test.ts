import { expect, test } from 'vitest'
import { parseHtml } from '../../../../tool-parts/html/parse-html.ts'
import { readMetadata } from './read-metadata.ts'

function bylineOf(html: string, url = 'https://www.example.org/a-page'): string | null {
  return readMetadata(parseHtml(html), { url }).byline
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

test.each([
  ['<div class="byline"><a rel="author">Ada Lovelace</a><a rel="author">Alan Turing</a></div>'],
  ['<div itemprop="author"><span itemprop="name">Ada Lovelace</span><span itemprop="name">Alan Turing</span></div>'],
  ['<div class="byline"><a href="/authors/ada">Ada Lovelace</a><a href="/authors/alan">Alan Turing</a></div>'],
  ['<p>By <a>Ada Lovelace</a> and <a>Alan Turing</a></p>'],
  ['<p class="author">Ada Lovelace / Alan Turing</p>'],
])('%s names two authors', (html) => {
  expect(bylineOf(`${heading}${html}<p>The text of the page.`)).toBe('Ada Lovelace, Alan Turing')
})

test.each([
  '<span class="author">Foto: Ada Lovelace</span>',
  '<p class="photo-credit">By Ada Lovelace</p>',
  '<span class="author">Bundesverband Maschinen</span>',
  '<span class="author">Acme Verlag</span>',
  '<span class="author">The Daily Acme</span>',
  '<p>By Acme</p>',
  '<a class="author">Full Bio</a>',
  '<a class="author" href="/authors/ada">View Full Profile</a>',
  '<div itemprop="review"><b class="author">Ada Lovelace</b></div>',
  '<div class="authorities">Ada Lovelace</div>',
  '<p>Reviewed by <a rel="author">Ada Lovelace</a></p>',
  '<div>Seiten: 400</div><div><u>Autorin: </u>Ada Lovelace</div><div>Verlag: Acme</div>',
  '<span class="author">AgE</span>',
  '<a class="fn" href="#is_ok">is_ok</a>',
  '<h2><a href="/b">Another day</a></h2><p>By Ada Lovelace</p>',
])('%s names no author', (html) => {
  const site = '<meta property="og:site_name" content="The Daily Acme"><meta name="publisher" content="Acme">'
  expect(bylineOf(`${site}${heading}${html}<p>The text of the page.`)).toBeNull()
})

test('a desk is the author if the page shows it in its byline', () => {
  expect(bylineOf(`${heading}<span class="author">Redaktion</span><p>text`)).toBe('Redaktion')
  expect(bylineOf(`<meta name="author" content="Redaktion">${heading}<p>text`)).toBeNull()
})

test('a person may give the site its name, a brand may not', () => {
  const page = (name: string) =>
    `<meta property="og:site_name" content="${name}">${linked({ '@type': 'Person', name })}${heading}<p>He will eat more.`
  expect(bylineOf(page('Ada Lovelace'))).toBe('Ada Lovelace')
  expect(bylineOf(page('Eat More'))).toBeNull()
  expect(bylineOf(page('ADA LOVELACE'))).toBeNull()
  expect(bylineOf(page('Ada & Lovelace'))).toBeNull()
  expect(bylineOf(page('Ada Magazine'))).toBeNull()
})

test('the owner of a site with their name in its address is the author', () => {
  const page = `<meta name="author" content="Ada Müller">${heading}<p>text<footer>© 2011 Ada Müller</footer>`
  expect(bylineOf(page)).toBeNull()
  expect(bylineOf(page, 'https://ada-mueller.example/a')).toBe('Ada Müller')
})

test('the name of the site beside an author is left out', () => {
  const site = '<meta property="og:site_name" content="Engines Weekly">'
  expect(bylineOf(`${site}${heading}<p class="author">Ada Lovelace, Engines Weekly</p>`)).toBe('Ada Lovelace')
})

test('on a platform for blogs the account that gives the blog its name is the author', () => {
  const page = `${heading}<span class="author"><a rel="author">lovelace</a></span><p>text`
  expect(bylineOf(page, 'https://lovelace.wordpress.com/a')).toBe('lovelace')
  expect(bylineOf(page, 'https://web.archive.org/web/20160218174457/http://lovelace.wordpress.com/a')).toBe('lovelace')
  expect(bylineOf(page, 'https://www.lovelace.com/a')).toBeNull()
})

test('a copy in the Internet Archive has the name of its site', () => {
  const page = `${heading}<p class="author">Acme</p>`
  expect(bylineOf(page, 'https://web.archive.org/web/20160218174457/https://www.acme.com/a')).toBeNull()
})

test('a first name after the date is the author if nothing follows', () => {
  expect(bylineOf(`${heading}<p>06.11.2023 13:30 von Ada</p>`)).toBe('Ada')
  expect(bylineOf(`${heading}<p>06.11.2023 13:30 von Ada bis Zoe</p>`)).toBeNull()
})

test('a name that is also a month, or a desk, is the author where the page marks it', () => {
  expect(bylineOf(`${heading}<a rel="author">marc</a><p>text`)).toBe('marc')
  expect(bylineOf(`${heading}<p class="author">By The Engine editors</p>`)).toBe('The Engine editors')
})

test('a link to an author anywhere counts after "by"', () => {
  const text = '<p>The text of the page.</p>'.repeat(150)
  expect(bylineOf(`${heading}${text}<div><span>by </span><p><a href="/authors/ada">Ada Lovelace</a></p></div>`)).toBe(
    'Ada Lovelace',
  )
  expect(bylineOf(`${heading}${text}<div><p><a href="/authors/ada">Ada Lovelace</a></p></div>`)).toBeNull()
})

test('an account in the metadata is not a name', () => {
  for (const name of ['ada.lovelace', 'q_admin'])
    expect(bylineOf(`${linked({ '@type': 'Person', name })}${heading}<p>text`)).toBeNull()
})

test('a first name in the metadata is completed by the byline', () => {
  expect(bylineOf(`${linked({ '@type': 'Person', name: 'Ada' })}${heading}<p>Eine Kolumne von Ada Lovelace`)).toBe(
    'Ada Lovelace',
  )
})

test('labels of several authors are those of a list', () => {
  const far = '<p>The text of the page.</p>'.repeat(60)
  expect(bylineOf(`${heading}${far}<p>Autor: Ada Lovelace</p><p>Autor: Alan Turing</p>`)).toBeNull()
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
  '<div class="author"><span>By</span><a>Ada Lovelace</a></div>',
  '<div class="author"><b>Ada Lovelace</b><i>Senior Editor</i></div>',
  '<div class="author"><div>Ada Lovelace</div><div>Master of Engines</div></div>',
  '<span class="byline">Ada Lovelace Executive Editor</span>',
  '<span class="byline">Ada Lovelace<time>Dec 4, 2021</time></span>',
  '<span class="byline">Ada Lovelace Dec 4</span>',
  '<a href="/author/ada-lovelace">Ada Lovelace</a>',
  '<div><span>By</span> <span>Ada Lovelace</span></div>',
  '<table><tr><td>Autor:</td><td>Ada Lovelace</td></tr></table>',
  '<p>by: Ada Lovelace, Dec 17, 2021</p>',
  '<p>4. März 2021 von Ada Lovelace</p>',
  '<p>Erstellt von: Ada Lovelace</p>',
  '<p>Von unserem Redakteur Ada Lovelace</p>',
  '<p>Autor*in: Ada Lovelace</p>',
  '<p>Autorin Ada Lovelace</p>',
  '<p>- Redaktion: Ada Lovelace (Sprecherin)</p>',
  '<p>Das Interview führte Ada Lovelace</p>',
  '<p>Propos recueillis par Ada Lovelace</p>',
  '<p>Texto por Ada Lovelace</p>',
  '<p>A cura di Ada Lovelace</p>',
  '<p>Door Ada Lovelace</p>',
  '<p>Автор: Ada Lovelace</p>',
  '<p>作者： Ada Lovelace</p>',
  '<p class="author">Ada Lovelace, London</p>',
  '<p>Contributors: Ada Lovelace</p>',
  '<div><b>Autorin:</b><br><br>Ada Lovelace</div>',
  '<div><span>Column</span>\n责任编辑： \n Ada Lovelace \n</div>',
  '<div><h2>Subtitle</h2>Posted by Ada Lovelace under <a>Engines</a></div>',
  '<span class="byline">Ada Lovelace Contributing Writer</span>',
  '<div class="byline">By <a rel="author">Ada Lovelace</a>. Reviewed by <a rel="author">Alan Turing</a></div>',
  `<div class="author-info"><h3><a>Ada Lovelace</a><a>Follow</a></h3>${'<p>She wrote of engines. </p>'.repeat(20)}</div>`,
])('%s below the title names the author', (html) => {
  expect(bylineOf(`${heading}${html}<p>The text of the page.`)).toBe('Ada Lovelace')
})

test('a labelled author line is found anywhere', () => {
  const text = '<p>The text of the page.</p>'.repeat(60)
  expect(bylineOf(`${heading}${text}<p>Autorin: Ada Lovelace</p>`)).toBe('Ada Lovelace')
})

test('an author box at the end is found if it is the only one', () => {
  const text = '<p>The text of the page.</p>'.repeat(150)
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

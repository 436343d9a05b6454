// Small pages of all kinds, one for each thing that extraction must get right.
import { expect, test } from 'vitest'
import { extractPage } from './extract-page.ts'

const menu =
  '<header class="site-header"><nav class="main-menu"><ul><li><a href="/">Home</a><li><a href="/garden">Garden</a><li><a href="/kitchen">Kitchen</a></ul></nav></header>'
const foot =
  '<footer class="site-footer"><p>© 2026 The Shed. All rights reserved.</p><ul><li><a href="/imprint">Imprint</a><li><a href="/terms">Terms</a></ul></footer>'
const first =
  'The first frost came early this year, and most of the gardeners in the valley were caught by surprise when they woke.'
const second =
  'Nobody had covered the beds, so the last tomatoes, which were still green, had to be picked in a hurry, wrapped in paper and stored.'
const third =
  'What remains is the kale, which only gets better in the cold, and the leeks, which will stay in the ground until they are needed.'
const fourth =
  'I can confirm this, the same happened here in the hills, and it was even colder than that, so we brought the pots inside.'
const headlines = [
  'Council votes to keep the old mill open through the winter',
  'Ferry between the islands stops for repairs until the spring',
  'School children plant a thousand trees along the river bank',
  'Bakery on the square wins a prize for its rye bread again',
  'Bridge reopens after two years of work and many delays',
  'Library lends out tools, tents and musical instruments now',
]

test('a list of news yields its headlines', () => {
  const items = headlines.map(
    (title, at) =>
      `<article class="news-item"><h3><a href="/news/${at}">${title}</a></h3><p>A short summary of what happened, and what comes next.</p><time>${at + 1} March 2026</time></article>`,
  )
  const text = extract(
    `<title>Local news</title>${menu}<main><h1>Local news</h1><div class="news-list">${items.join('')}</div></main>${foot}`,
    'https://example.com/news/',
  )
  for (const title of headlines) expect(text).toContain(title)
  for (const word of ['Kitchen', 'Imprint']) expect(text).not.toContain(word)
})

test('a page whose content is a list of links yields the links', () => {
  const items = headlines.map((title, at) => `<li class="result"><a href="/r/${at}">${title}</a></li>`)
  const text = extract(
    `<title>Results for river</title>${menu}<main><h1>Results for river</h1><ol class="results">${items.join('')}</ol></main>${foot}`,
    'https://example.com/search?q=river',
  )
  for (const title of headlines) expect(text).toContain(title)
})

test('search results keep their summaries', () => {
  const items = headlines.map(
    (title, at) =>
      `<div class="result"><h3><a href="/r/${at}">${title}</a></h3><p class="snippet">${[first, second, third][at % 3]}</p></div>`,
  )
  const text = extract(
    `<title>river - Search</title>${menu}<div id="results">${items.join('')}</div><div class="pagination"><a href="?p=2">2</a> <a href="?p=3">3</a> <a href="?p=2">Next</a></div>${foot}`,
    'https://example.com/search?q=river',
  )
  for (const title of headlines) expect(text).toContain(title)
  expect(text).toContain(first)
  expect(text).not.toContain('Imprint')
})

test('a catalogue yields names and prices', () => {
  const products = ['Oak bench', 'Ash stool', 'Beech table', 'Pine shelf', 'Walnut desk', 'Maple chair']
  const items = products.map(
    (name, at) =>
      `<li class="product-card"><a href="/products/${at}"><img src="${at}.jpg"><h3 class="product-title">${name}</h3><span class="price">€${at + 1}20.00</span></a></li>`,
  )
  const text = extract(
    `<title>Furniture</title>${menu}<main><h1>Furniture</h1><p>All of our furniture is made by hand, of wood from the forests around, and lasts for generations.</p><ul class="product-grid">${items.join('')}</ul></main>${foot}`,
    'https://example.com/collections/furniture',
  )
  for (const name of products) expect(text).toContain(name)
  expect(text).toContain('€220.00')
  expect(text).not.toContain('Imprint')
})

test('a product yields its description', () => {
  const text = extract(
    `<title>Oak bench</title><meta property="og:type" content="product">${menu}<main class="product"><h1>Oak bench</h1><div class="price">€420.00</div><form><button>Add to cart</button></form><div class="product-description"><p>A bench for four people, made of solid oak that has dried for three years. It can stay outside in any weather.</p><ul><li>Length 180 cm, height 45 cm</li><li>Oiled twice, without varnish</li></ul></div></main><section class="related-products"><h2>You may also like</h2><a href="/p/2">Ash stool</a> <a href="/p/3">Pine shelf</a></section>${foot}`,
    'https://example.com/products/oak-bench',
  )
  expect(text).toContain('made of solid oak')
  expect(text).toContain('Oiled twice')
  for (const word of ['Kitchen', 'Add to cart', 'Imprint']) expect(text).not.toContain(word)
})

test('a service page yields its sections', () => {
  const sections = [first, second, third, fourth].map(
    (text, at) => `<section class="feature"><h2>Benefit ${at + 1}</h2><p>${text}</p></section>`,
  )
  const text = extract(
    `<title>Garden care</title>${menu}<div class="hero"><h1>Garden care for busy people</h1><p>We look after your garden all year round, in any weather, for a fixed price.</p></div>${sections.join('')}${foot}`,
    'https://example.com/services/garden-care',
  )
  for (const piece of [first, second, third, fourth]) expect(text).toContain(piece)
  expect(text).not.toContain('Imprint')
})

test('comments are text on a forum', () => {
  const comments = [first, second, third, fourth]
    .map(
      (text, at) =>
        `<div class="comment" id="c${at}"><a class="author" href="/u/${at}">user${at}</a><div class="comment-body"><p>${text}</p></div></div>`,
    )
    .join('')
  const text = extract(
    `<title>Frost in September?</title>${menu}<div class="post"><h1>Frost in September?</h1><p>Has anybody else had frost this early? Mine came last night, and I was not ready for it at all.</p></div><div id="comments" class="comments">${comments}</div>${foot}`,
    'https://forum.example.com/t/frost-in-september/123',
  )
  for (const piece of [first, second, third, fourth]) expect(text).toContain(piece)
})

test('comments are not text on an article, however long', () => {
  const comments = Array.from(
    { length: 12 },
    (_, at) => `<li class="comment"><p class="comment-text">Number ${at}: ${fourth} ${fourth}</p></li>`,
  ).join('')
  const text = extract(
    `<title>Early frost</title><meta property="og:type" content="article">${menu}<article><h1>Early frost</h1><p>${first}</p><p>${second}</p><p>${third}</p></article><section id="comments" class="comments-area"><h2>12 comments</h2><ol class="comment-list">${comments}</ol></section>${foot}`,
    'https://example.com/2026/10/early-frost',
  )
  expect(text).toContain(third)
  expect(text).not.toContain(fourth)
})

test('a question with its answers is read', () => {
  const answers = [second, third].map((text) => `<div class="answer"><div class="post-text"><p>${text}</p></div></div>`)
  const text = extract(
    `<title>How do I protect beds from frost?</title>${menu}<div id="content"><h1>How do I protect beds from frost?</h1><div class="question"><div class="post-text"><p>${first}</p></div></div><h2>2 Answers</h2>${answers.join('')}</div>${foot}`,
    'https://example.com/questions/17/frost',
  )
  for (const piece of [first, second, third]) expect(text).toContain(piece)
})

test('documentation keeps its code, without the tree of chapters', () => {
  const chapters = ['Install', 'Configure', 'Deploy', 'Upgrade', 'Monitor', 'Troubleshoot']
  const text = extract(
    `<title>Configure</title><nav class="sidebar"><ul>${chapters.map((name) => `<li><a href="/docs/${name}">${name} the frost sensor</a></li>`).join('')}</ul></nav><main><h1>Configure</h1><p>The sensor reads its settings from a file beside the program, which you can change while it is running.</p><pre><code>threshold = 2\nunit = "celsius"</code></pre><p>After a change it starts to use the new values within a minute, and reports errors in its log.</p></main>`,
    'https://docs.example.com/sensor/configure',
  )
  expect(text).toContain('threshold = 2\nunit = "celsius"')
  expect(text).not.toContain('Troubleshoot')
})

test.each([
  ['newsletter', 'The newsletter that she wrote for thirty years had never more than two hundred readers.'],
  ['privacy', 'Privacy was the subject of the talk, and everybody in the room had an opinion about it.'],
  ['cookie', 'The cookie that he baked for the fair was as large as a wheel of the cart.'],
  ['advertisement', 'In the village an advertisement is a sheet of paper on the door of the bakery.'],
])('the word %s alone drops nothing', (_, sentence) => {
  const text = extract(
    `<title>A village paper</title><meta property="og:type" content="article">${menu}<article><h1>A village paper</h1><p>${first}</p><p>${sentence}</p><p>${second}</p><p>${third}</p></article>${foot}`,
    'https://example.com/articles/village-paper',
  )
  expect(text).toContain(sentence)
})

test('an invitation to a newsletter is left out of an article', () => {
  const text = extract(
    `<title>Frost</title><meta property="og:type" content="article">${menu}<article><h1>Frost</h1><p>${first}</p><div class="newsletter-signup"><p>Sign up for our newsletter and get the best of the garden in your inbox.</p></div><p>${second}</p><p>${third}</p></article>${foot}`,
    'https://example.com/articles/frost',
  )
  expect(text).toContain(second)
  expect(text).not.toContain('inbox')
})

test('a text that a page repeats for small screens is read', () => {
  const text = extract(
    `<title>Frost</title>${menu}<main><div class="desktop"><p>${first}</p></div><p>${second}</p><p>${third}</p></main>${foot}`,
  )
  expect(text.split(first)).toHaveLength(2)
})

test('the panels of an accordion are read with their questions', () => {
  const panels = [first, second, third].map(
    (answer, at) =>
      `<h3><button aria-expanded="false" aria-controls="panel-${at}">Question number ${at}?</button></h3><div id="panel-${at}" hidden><p>${answer}</p></div>`,
  )
  const text = extract(`<title>Questions</title>${menu}<main><h1>Questions</h1>${panels.join('')}</main>${foot}`)
  expect(text).toContain('Question number 1?')
  for (const answer of [first, second, third]) expect(text).toContain(answer)
})

test('a panel that no control names stays hidden', () => {
  const text = extract(
    `<title>Frost</title><main><button aria-controls="other">More</button><p>${first}</p><div id="panel" style="display:none"><p>${second}</p></div><p>${third}</p></main>`,
  )
  expect(text).toContain(third)
  expect(text).not.toContain(second)
})

test('parts that React streams are read', () => {
  const text = extract(
    `<title>Frost</title><div id="root"><template id="B:0"></template></div><div hidden id="S:0"><article><p>${first}</p><p>${second}</p></article></div><div hidden id="S:9"><p>${third}</p></div>`,
  )
  expect(text).toContain(second)
  expect(text).not.toContain(third)
})

test('elements that scripts fade in are read', () => {
  const text = extract(
    `<title>Frost</title><main><p style="opacity:0;transform:translateY(20px)">${first}</p><p>${second}</p><p style="opacity:0">${third}</p></main>`,
  )
  expect(text).toContain(first)
  expect(text).not.toContain(third)
})

test('a page that hides itself until its scripts have run is read, and the note says so', () => {
  const html = `<title>Frost</title><div class="loader">Loading</div><div id="wrapper" style="visibility:hidden"><main><p>${first}</p><p>${second}</p><p>${third}</p></main></div>`
  const page = extractPage(html, { url: 'https://example.com/' })
  expect(page.text).toContain(second)
  expect(page.taken).toBe('hidden')
})

test('a declarative shadow root is read, a template is not', () => {
  const text = extract(
    `<title>Frost</title><main><x-article><template shadowrootmode="open"><p>${first}</p><p>${second}</p></template></x-article><template><p>${third}</p></template></main>`,
  )
  expect(text).toContain(second)
  expect(text).not.toContain(third)
})

test('a page of frames is read from what it shows without frames', () => {
  expect(
    extract(
      `<title>Frost</title><frameset cols="20%,80%"><frame src="menu.html"><frame src="main.html"><noframes><body><h1>Frost</h1><p>${first}</p><p>${second}</p></body></noframes></frameset>`,
    ),
  ).toContain(`${first}\n\n${second}`)
})

test('a forum that shows its posts only without scripts is read', () => {
  const posts = [first, second, third].map(
    (text) => `<div class="topic-body"><div class="post"><p>${text}</p></div></div>`,
  )
  const text = extract(
    `<title>Frost</title><noscript data-path="/t/1"><div class="wrap">${posts.join('')}</div></noscript><section id="main"></section>`,
    'https://forum.example.com/t/frost/1',
  )
  for (const piece of [first, second, third]) expect(text).toContain(piece)
})

test('a button that is never closed hides nothing', () => {
  const text = extract(
    `<title>Frost</title><div class="polls"><button class="poll"><span>Vote</span></div><article><p>${first}</p><p>${second}</p></article>`,
  )
  expect(text).toContain(second)
})

test('a section that begins like XML hides nothing', () => {
  expect(
    extract(`<title>Frost</title><body><![CDATA[<div>x</div><article><p>${first}</p><p>${second}</p></article>`),
  ).toContain(second)
})

test('a page that is only a menu is not empty', () => {
  const items = Array.from({ length: 80 }, (_, at) => `<li><a href="/${at}">Entry ${at} of the great index</a></li>`)
  const html = `<title>Index</title><div class="menu"><ul>${items.join('')}</ul></div>`
  expect(extract(html)).toContain('Entry 79 of the great index')
})

function extract(html: string, url = 'https://example.com/'): string {
  return extractPage(html, { url }).text
}

test('what visitors are asked to agree to is never the text, however little else looks like it', () => {
  const cookies =
    'These cookies allow us to count visits and traffic sources, so that we can measure and improve the performance of our site.'
  const recipes = ['Easy pork ragout', 'Spaghetti and meatballs', 'Sweet tomato chutney', 'Pasta with anchovies']
    .map((name) => `<li><a href="/${name}">${name}, and how to cook it in half an hour on a weekday</a></li>`)
    .join('')
  const { text } = extractPage(
    `<main><h1>Tomato sauces</h1><ul>${recipes}</ul></main><div id="onetrust-consent-sdk"><h2>Performance</h2><p>${cookies}</p><p>${cookies}</p></div>`,
    { url: 'https://example.com/recipes/' },
  )
  expect(text).toContain('chutney')
  expect(text).not.toContain('cookies')
})

test('a page of which nothing looks like text is not empty', () => {
  const links = Array.from({ length: 40 }, (_, at) => `<li><a href="/${at}">Department ${at}</a></li>`).join('')
  expect(extractPage(`<nav><ul>${links}</ul></nav>`, { url: 'https://example.com/' }).text).toContain('Department')
})

import { expect, test } from 'vitest'
import { readJsonLd } from './read-json-ld.ts'

test('an article is read wherever it is, with authors by name, by list and by reference', () => {
  const graph = {
    '@graph': [
      { '@type': 'WebSite', name: 'The Site' },
      { '@type': 'WebPage', name: 'A page', datePublished: '2020-01-01', inLanguage: 'de' },
      {
        '@type': ['NewsArticle'],
        headline: 'A title',
        author: [{ '@id': '#ada' }, 'Alan Turing', { '@type': 'Organization', name: 'Acme' }],
        publisher: { name: 'Acme News' },
        datePublished: '2021-03-04',
      },
      { '@type': ['Person', 'Organization'], '@id': '#ada', name: 'Ada Lovelace' },
    ],
  }
  expect(readJsonLd([JSON.stringify(graph)])).toEqual({
    title: 'A title',
    authors: [
      { name: 'Ada Lovelace', isOrganization: false, isPerson: true },
      { name: 'Alan Turing', isOrganization: false, isPerson: false },
      { name: 'Acme', isOrganization: true, isPerson: false },
    ],
    published: '2021-03-04',
    pagePublished: '2021-03-04',
    lang: 'de',
    publishers: ['Acme News'],
  })
})

test.each([
  ['a comment around it', '<!-- {"@type":"Article","datePublished":"2021-03-04"} -->'],
  ['CDATA around it', '//<![CDATA[\n{"@type":"Article","datePublished":"2021-03-04"}\n//]]>'],
  ['a line break in a string', '{"@type":"Article","headline":"a\nb","datePublished":"2021-03-04"}'],
  ['a comma too many', '{"@type":"Article","datePublished":"2021-03-04",}'],
  ['a key twice', '{"@type":"Article","datePublished":"2000-01-01","datePublished":"2021-03-04"}'],
  ['an end too early', '{"@type":"Article","datePublished" : "2021-03-04", "headline": "a'],
])('with %s it is still read', (_, script) => {
  expect(readJsonLd([script]).published).toBe('2021-03-04')
})

test('the author is found in broken JSON, too', () => {
  const broken = '{"@type":"Article","author":[{"@type":"Person","name":"Ada Lovelace"}], headline: a}'
  expect(readJsonLd([broken]).authors).toEqual([{ name: 'Ada Lovelace', isOrganization: false, isPerson: true }])
})

test('no shape of data throws', () => {
  const shapes = ['', 'null', '42', '[]', '[[null]]', '{"@type":null}', '{"@type":"Article","author":{"name":[1,{}]}}']
  for (const shape of [...shapes, '{"@type":"Article","headline":[],"author":[[]],"datePublished":{}}']) {
    expect(readJsonLd([shape])).toMatchObject({ title: null, authors: [], published: null })
  }
  expect(readJsonLd(['{"__proto__":{"@type":"Article"},"constructor":1}']).title).toBeNull()
})

test('huge, deep and circular data is read in bounded time', () => {
  const deep = `${'{"@type":"Article","a":'.repeat(20_000)}1${'}'.repeat(20_000)}`
  const wide = JSON.stringify(Array.from({ length: 20_000 }, () => ({ '@type': 'Article', headline: 'A title' })))
  const circular =
    '{"@type":"Article","headline":"A title","author":{"@id":"#a"},"b":{"@id":"#a","author":{"@id":"#a"}}}'
  const huge = `{"@type":"Article","headline":"${'a'.repeat(2_000_000)}"}`
  const commas = `{"@type":"Article"${', '.repeat(100_000)}}`
  const open = '['.repeat(500_000)
  expect(readJsonLd([deep]).title).toBeNull()
  expect(readJsonLd([wide]).title).toBe('A title')
  expect(readJsonLd([circular])).toMatchObject({ title: 'A title', authors: [] })
  expect(readJsonLd([huge]).title).toBeNull()
  expect(readJsonLd([commas]).title).toBeNull()
  expect(readJsonLd([open]).title).toBeNull()
})

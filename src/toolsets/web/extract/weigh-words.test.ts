import { expect, test } from 'vitest'
import { parseHtml } from '../../../tool-parts/html/parse-html.ts'
import { measurePage } from './measure-page.ts'
import { findWords, readWeights, toWeigher, weightStep, wordPlaces, writeWeights } from './weigh-words.ts'

const page = parseHtml(`<title>Kettles</title><body class="shop">
  <nav class="mainMenu" id="top"><a href="/">Home</a> <a href="/cart">Cart 12</a></nav>
  <main><h1>Kettle 7</h1><p>It boils water within two minutes, and it is quiet.</p>
    <section class="product-reviews" role="region"><h2>Reviews</h2>
      <div class="review review-1"><h3>Good</h3><p>I like it.</p></div>
      <div class="review review-2"><h3>Bad</h3><p>I do not.</p></div></section></main>`)
const { lines } = measurePage(page)

test('weighs the words that are learned from', () => {
  const found = findWords(lines)
  const weights = new Map(
    found.flatMap((words) =>
      wordPlaces.flatMap((place) => words[place].map((word) => [word, (word % 11) - 5] as const)),
    ),
  )
  const weigh = toWeigher(weights)
  expect(lines.map(weigh)).toEqual(
    found.map((words) =>
      Object.fromEntries(
        wordPlaces.map((place) => [place, words[place].reduce((sum, word) => sum + weights.get(word)!, 0)]),
      ),
    ),
  )
})

test('digits of names do not matter, and headings apply to what is below them', () => {
  const found = findWords(lines)
  const [one, two] = ['I like it.', 'I do not.'].map(
    (text) => found[lines.findIndex(({ block }) => block.text === text)]!,
  )
  expect(one!.names).toEqual(two!.names)
  expect(one!.heading).not.toEqual(two!.heading)
  expect(one!.text).not.toEqual(two!.text)
})

test('weights are read as they were written', () => {
  const weights = new Map([3, 4, 131, 70_000, 4_194_303].map((word, at) => [word, (at * 60 - 127) * weightStep]))
  expect(readWeights(writeWeights(weights))).toEqual(weights)
  expect(readWeights(writeWeights(new Map()))).toEqual(new Map())
})

import { expect, test } from 'vitest'
import { stripMarkup } from './strip-markup.ts'

test.each([
  ['<b>Tom</b> &amp; Jerry', 'Tom & Jerry'],
  ['it&#39;s &#x1F600; &#128512;', "it's 😀 😀"],
  ['any name: &notin; &NotEqualTilde;', 'any name: ∉ ≂̸'],
  ['numbers of Windows-1252: &#128;5 &#146;', 'numbers of Windows-1252: €5 ’'],
  ['no character: &#0; &#xD800; &#99999999999;', 'no character: � � �'],
  ['decoded once: &amp;lt;', 'decoded once: &lt;'],
  [
    'no reference: R&D ?a=1&copy=2 &nosuch; &; &#; &__proto__;',
    'no reference: R&D ?a=1&copy=2 &nosuch; &; &#; &__proto__;',
  ],
  ['a < b', 'a < b'],
])('turns %s into text', (markup, text) => {
  expect(stripMarkup(markup)).toBe(text)
})

test.each(['&', '&#', '&#x9', '&notin', '&CounterClockwiseContourIntegra', '<'])('bounds text full of %s', (part) => {
  expect(stripMarkup(part.repeat(1_000_000)).length).toBeLessThanOrEqual(20_000)
})

import { expect, test } from 'vitest'
import { languages } from '../rules/languages.ts'
import { toPassage, toText } from '../words.ts'
import { verify } from './verify.ts'

/** The text that comes of a model's answer, or why it is rejected. */
function check(said: string, answer: string, name = 'English'): string {
  const verdict = verify(
    toPassage(said),
    answer,
    languages.find((language) => language.name === name),
  )
  return verdict.ok ? toText(verdict.passage) : verdict.reason
}

test.each([
  ['a comma inside a number', 'we sold twenty five boats', 'We sold twenty, five boats.', 'We sold twenty five boats.'],
  ['a full stop inside a number', 'in nineteen fifty it rained', 'In nineteen. Fifty it rained.', 'In nineteen fifty it rained.'], // biome-ignore format: one line
  ['commas between digits', 'call 5 5 5 1 2 now', 'Call 5, 5, 5, 1, 2 now.', 'Call 5 5 5 1 2 now.'],
  [
    'a hyphen that makes a range',
    'from 3 5 boats came',
    'From 3-5 boats came.',
    'it contains a word that is not in the original',
  ],
  ['a dash that reads as a minus', 'we lost 5 boats', 'We lost – 5 boats.', 'We lost 5 boats.'],
  ['a mark without a space after a number', 'we lost 5 boats', 'We lost 5.boats', 'We lost 5 boats'],
  ['a comma before the last part of a number', 'one hundred and twenty boats', 'One hundred, and twenty boats.', 'One hundred and twenty boats.'], // biome-ignore format: one line
  ['a full stop before the last part of a number', 'one hundred and twenty boats', 'One hundred. And twenty boats.', 'One hundred and twenty boats.'], // biome-ignore format: one line
  ['a comma before a half', 'it weighs two and a half kilos', 'It weighs two, and a half kilos.', 'It weighs two and a half kilos.'], // biome-ignore format: one line
  ['a full stop before a fraction', 'it weighs three point five kilos', 'It weighs three. Point five kilos.', 'It weighs three point five kilos.'], // biome-ignore format: one line
  ['a full stop inside a range', 'from nine to five', 'From nine to. Five.', 'From nine to five.'],
  ['a full stop after a minus', 'it is minus five degrees', 'It is minus. Five degrees.', 'It is minus five degrees.'],
  ['a full stop before percent', 'five percent of them', 'Five. Percent of them.', 'Five percent of them.'],
  ['a full stop inside a telephone number', 'call 555 1234 now', 'Call 555. 1234 now.', 'Call 555 1234 now.'],
  ['inches', 'a board of 5 feet', 'A board of 5" feet.', 'A board of 5 feet.'],
  ['a hyphen that joins two words', 'they re sign the lease', 'They re-sign the lease.', 'They re sign the lease.'],
])('a model cannot add %s', (_what, said, answer, made) => {
  expect(check(said, answer)).toBe(made)
})

test.each([
  ['us to US', 'they told us about it', 'They told US about IT.', 'They told us about it.'],
  ['who to WHO', 'the doctor who came', 'The doctor WHO came.', 'The doctor who came.'],
  ['may to May', 'we may go to the polish lake', 'We May go to the Polish lake.', 'We may go to the polish lake.'],
  [
    'a verb to a name',
    'she can cook and drew a hill',
    'She can Cook and Drew a Hill.',
    'She can cook and drew a hill.',
  ],
  ['a word to capitals', 'read the aids report', 'Read the AIDS report.', 'Read the aids report.'],
  ['a name to a verb', 'Will said so', 'so will', 'it contains a word that is not in the original'],
])('a model cannot change %s by capitals', (_what, said, answer, made) => {
  expect(check(said, answer)).toBe(made)
})

test('in German a model cannot make an address of a pronoun, and may give nouns their capital', () => {
  expect(check('wir sehen sie im garten', 'Wir sehen Sie im Garten.', 'German')).toBe('Wir sehen sie im Garten.')
  expect(check('und sie kommen', 'Und. Sie kommen.', 'German')).toBe('Und. Sie kommen.')
})

test.each([
  [
    'begin sentences and names',
    'then we saw berlin and left',
    'Then we saw Berlin. And left.',
    'Then we saw Berlin. And left.',
  ],
  ['write I', "i think i'm late", "I think I'm late.", "I think I'm late."],
  ['lower a word that no longer begins a sentence', 'We left. The boat sank.', 'We left, the boat sank.', 'We left, the boat sank.'], // biome-ignore format: one line
  ['not lower a name', 'He left. Will stayed.', 'He left, will stayed.', 'He left, Will stayed.'],
  ['not lower I', 'He left. I stayed.', 'He left, i stayed.', 'He left, I stayed.'],
  [
    'end a sentence after a number',
    'we sold 25 then we left',
    'We sold 25. Then we left.',
    'We sold 25. Then we left.',
  ],
])('a model may %s', (_what, said, answer, made) => {
  expect(check(said, answer)).toBe(made)
})

test('punctuation after every word is rejected', () => {
  const said = 'the boat left the harbour in the morning and came back late'
  const answer = said.split(' ').join(', ')
  expect(check(said, answer)).toBe('it sets punctuation after too many words')
  expect(check('yes no well maybe', 'Yes, no, well, maybe.')).toBe('Yes, no, well, maybe.')
})

test.each([
  ['between two breaks', 'It is, well, late.', 'It is late.', 'It is late.'],
  ['not without a break before it', 'We dug the well, and it was deep.', 'We dug the, and it was deep.', 'We dug the well, and it was deep.'], // biome-ignore format: one line
  ['not without a break after it', 'Well water is cold.', 'Water is cold.', 'Well Water is cold.'],
])('a model may drop a marker %s', (_what, said, answer, made) => {
  expect(check(said, answer)).toBe(made)
})

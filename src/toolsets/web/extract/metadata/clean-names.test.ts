import { expect, test } from 'vitest'
import { cleanNames } from './clean-names.ts'

test.each([
  ['Ada Lovelace', 'Ada Lovelace'],
  ['  By  Ada\n Lovelace ', 'Ada Lovelace'],
  ['Written by Ada Lovelace', 'Ada Lovelace'],
  ['Von Ada Lovelace und Alan Turing', 'Ada Lovelace, Alan Turing'],
  ['Par Ada Lovelace et Alan Turing', 'Ada Lovelace, Alan Turing'],
  ['Autorin: Ada Lovelace', 'Ada Lovelace'],
  ['Text & Fotos: Ada Lovelace', 'Ada Lovelace'],
  ['Ada Lovelace | 3. März 2021', 'Ada Lovelace'],
  ['3. März 2021 | Ada Lovelace', 'Ada Lovelace'],
  ['06.11.2023 13:30 von Ada', 'Ada'],
  ['Ada Lovelace on May 3, 2021', 'Ada Lovelace'],
  ['Ada Lovelace, PhD, Alan Turing, PhD', 'Ada Lovelace, Alan Turing'],
  ['Ada Lovelace (London)', 'Ada Lovelace'],
  ['Ada Lovelace @ada', 'Ada Lovelace'],
  ['Ludwig van der Rohe', 'Ludwig van der Rohe'],
  ['Ada, Ada', 'Ada'],
  ['freeman1984', 'freeman1984'],
  ['焦鹏', '焦鹏'],
  ['Prof. Dr. med. Ada Maria King Lovelace', 'Prof. Dr. med. Ada Maria King Lovelace'],
  ['Hanan al-Sayed', 'Hanan al-Sayed'],
  ['Ada Lovelace/dpa', 'Ada Lovelace'],
  ['Ada Lovelace, Rome', 'Ada Lovelace'],
  ['Ada Lovelace, Acme Weekly News', 'Ada Lovelace'],
  ['J. R. R. Tolkien.', 'J. R. R. Tolkien'],
])('%j names %s', (text, names) => {
  expect(cleanNames(text)).toBe(names)
})

test.each([
  '',
  ' – ',
  'admin',
  'Administrator',
  'Staff',
  'Anonymous',
  'Von',
  'Acme Verlag GmbH',
  'The Editorial Team',
  'Deutscher Musterverband',
  'Foto: Ada Lovelace',
  'Acme Nachrichten',
  'Jane’s Kitchen Table',
  'https://example.com/ada',
  'www.example.com',
  'ada@example.com',
  '@ada',
  'example.com',
  'dpa',
  'AFP',
  'mf',
  '42',
  'we wrote this for you',
  'Ada wrote a long text about the engine',
  '3. März 2021',
])('%j names nobody', (text) => {
  expect(cleanNames(text)).toBeNull()
})

test('a group is an author if the page shows it in its byline', () => {
  expect(cleanNames('By The Editorial Team', { groups: true })).toBe('The Editorial Team')
  expect(cleanNames('Redaktion', { groups: true })).toBe('Redaktion')
  expect(cleanNames('admin', { groups: true })).toBeNull()
})

test('the number and length of names are bounded', () => {
  expect(cleanNames('Ada, '.repeat(100_000))).toBeNull()
  expect(cleanNames(`By ${'(('.repeat(100_000)}`)).toBeNull()
  const many = Array.from({ length: 12 }, (_, index) => `Ada ${String.fromCharCode(65 + index)}`).join(', ')
  expect(cleanNames(many)?.split(', ')).toHaveLength(8)
})

test('invisible and bidirectional control characters are removed from names', () => {
  expect(cleanNames('Ada\u202e Love\u00adlace\u0000')).toBe('Ada Lovelace')
})

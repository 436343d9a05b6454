import { expect, test } from 'vitest'
import { findDate } from './find-date.ts'

const now = Date.UTC(2026, 0, 1)

test.each([
  ['2021-03-04', '2021-03-04'],
  ['2021-3-4', '2021-03-04'],
  ['2021/03/04', '2021-03-04'],
  ['20210304', '2021-03-04'],
  ['2021-03-04T10:20:30+01:00', '2021-03-04T10:20:30+01:00'],
  ['2021-03-04T10:20:30.123+0100', '2021-03-04T10:20:30+01:00'],
  ['2021-03-04 10:20 UTC', '2021-03-04T10:20:00Z'],
  ['2021-03-04T10:20:30', '2021-03-04'],
  ['Thu, 04 Mar 2021 10:20:30 GMT', '2021-03-04T10:20:30Z'],
  ['Thu Mar 04 10:20:30 CET 2021', '2021-03-04'],
  ['March 4, 2021', '2021-03-04'],
  ['Mar. 4th, 2021 at 3:05 pm +0000', '2021-03-04T15:05:00+00:00'],
  ['4 March 2021', '2021-03-04'],
  ['the 4th of March 2021', '2021-03-04'],
  ['Donnerstag, 4. März 2021, 10:20 Uhr', '2021-03-04'],
  ['4. Jänner 2021', '2021-01-04'],
  ['04.03.2021', '2021-03-04'],
  ['4.3.21', '2021-03-04'],
  ['Le 1er février 2021 à 10:20', '2021-02-01'],
  ['4 de marzo de 2021', '2021-03-04'],
  ['4 marzo 2021', '2021-03-04'],
  ['4 de março de 2021', '2021-03-04'],
  ['4 maart 2021', '2021-03-04'],
  ['4 września 2021', '2021-09-04'],
  ['4 Ağustos 2021', '2021-08-04'],
  ['4 марта 2021', '2021-03-04'],
  ['2021. március 4.', '2021-03-04'],
  ['2021年3月4日', '2021-03-04'],
  ['2021년 3월 4일', '2021-03-04'],
])('%s is %s', (text, date) => {
  expect(findDate(text, { now })).toBe(date)
})

test.each([
  '',
  'yesterday',
  'Version 1.2.3',
  '192.168.1.20',
  '2021-13-04',
  '31.02.2021',
  '4 people 2021',
  '1970-01-01',
  '2027-05-05',
  '+49 30 2021 0304',
])('%j has no date', (text) => {
  expect(findDate(text, { now })).toBeNull()
})

test('an ambiguous day and month are read in the order of the language', () => {
  expect(findDate('3/4/2021', { now })).toBe('2021-04-03')
  expect(findDate('3/4/2021', { now, monthFirst: true })).toBe('2021-03-04')
  expect(findDate('3.4.2021', { now, monthFirst: true })).toBe('2021-04-03')
  expect(findDate('3/14/2021', { now })).toBe('2021-03-14')
  expect(findDate('14/3/2021', { now, monthFirst: true })).toBe('2021-03-14')
})

test('the first of several dates is used', () => {
  expect(findDate('Published 4 March 2021, updated 2022-01-01', { now })).toBe('2021-03-04')
})

test('a text crafted to be slow is read up to a limit', () => {
  for (const piece of ['1.', '2021-', '12 ', 'a ', '1/1/', '12:00 ', 'March ']) {
    expect(findDate(piece.repeat(200_000), { now })).toBeNull()
  }
})

import { expect, test } from 'vitest'
import { isDeterministic } from './is-deterministic.ts'

test.each([
  '^[A-Za-z][A-Za-z0-9_-]*\\.([*]|[A-Za-z][A-Za-z0-9_.:-]*)$',
  '^[A-Za-z_][A-Za-z0-9_]*$',
  '^https?://[^\\s]+$',
  '^[a-z][a-z0-9-]{0,31}$',
  '^group:x?$',
  '^(?:ab|cd)+$',
  '^[^\\s+]+\\+[0-9a-f]{8}$',
  '^\\x21[\\x23-\\x5b]+$',
])('%s is matched in linear time', (source) => {
  expect(isDeterministic(source)).toBe(true)
})

test.each([
  ['(a+)+', '^(a+)+$'],
  ['counts in a loop', '^(a{0,9})*$'],
  ['overlapping classes in a row', '^[a-z]*[a-m]*$'],
  ['alternatives that begin alike', '^(ab|ac)*$'],
  ['an empty alternative', '^(a|)*$'],
  ['an optional part repeated', '^(a?)*$'],
  ['letters beyond ASCII', '^[^a]*é$'],
  ['any space and a letter beyond ASCII', '^\\s*ü*$'],
  ['escaped letters beyond ASCII', '^[\\u00e9a]*[^a]*$'],
  ['what is not a digit, twice', '^[\\D]*[é]$'],
  ['a search for the start', 'a*b'],
  ['alternatives outside the anchor', '^a|b*$'],
  ['a lookahead', '^(?!a)b$'],
  ['a lookbehind', '^b(?<=a)$'],
  ['a backreference', '^(a)\\1$'],
  ['a lazy quantifier', '^a*?b$'],
  ['a property of Unicode', '^\\p{L}*$'],
  ['a boundary', '^a\\b$'],
  ['an end within', '^a$b*$'],
  ['what is not a pattern', '^[a'],
])('%s goes to RE2', (_, source) => {
  expect(isDeterministic(source)).toBe(false)
})

import { expect, test } from 'vitest'
import { parseUriTemplate } from './uri-template.ts'

test.each([
  ['notes://{id}', 'notes://a%20b', { id: 'a b' }],
  ['notes://{id}/data', 'notes://1/data', { id: '1' }],
  ['notes://{group}/{id}', 'notes://a/b', { group: 'a', id: 'b' }],
  ['file:///{+path}', 'file:///docs/a%3F.md', { path: 'docs/a?.md' }],
  ['notes://{id}', 'notes://a/b', undefined],
  ['notes://{id}', 'notes://a?b', undefined],
  ['notes://{id}', 'notes://', undefined],
  ['notes://{id}/data', 'notes://1/date', undefined],
  ['notes://{id}', 'note://1', undefined],
  ['notes://{id}', 'notes://%ff', undefined],
  ['notes://{id}/data', 'notes:///data', undefined],
])('%s matches %s: %j', (template, uri, values) => {
  expect(parseUriTemplate(template).match(uri)).toEqual(values)
  if (values) expect(parseUriTemplate(template).expand(values as never)).toBe(uri)
})

test('a long URI with many separators is matched in linear time', () => {
  const { match } = parseUriTemplate('x:{a}-{b}-{c}-{d}-end')
  expect(match(`x:${'-a'.repeat(2000)}`)).toBeUndefined()
})

test.each([
  ['notes://{id', 'brace'],
  ['notes://{?id}', '{?id} is not supported'],
  ['notes://{id}{name}', 'separates'],
  ['notes://{id}/{id}', 'twice'],
  ['{id}', 'scheme'],
])('%s is refused', (template, reason) => {
  expect(() => parseUriTemplate(template)).toThrow(reason)
})

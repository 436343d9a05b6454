import { expect, test } from 'vitest'
import { fromAddress, toAddress } from './router.ts'

test('an address names a page, an item and a query', () => {
  expect(fromAddress('/console', '')).toEqual({ page: '', item: null, query: {} })
  expect(fromAddress('/console/calls', '?tool=a.b&text=x%20y')).toEqual({
    page: 'calls',
    item: null,
    query: { tool: 'a.b', text: 'x y' },
  })
  expect(fromAddress('/console/tools/docs.search', '').item).toBe('docs.search')
})

test('an item with any characters survives the way into an address and back', () => {
  for (const item of ['a/b', '100%', 'ä ö', '../..', '?x=1#y', '<script>']) {
    expect(fromAddress(toAddress('servers', item), '')).toEqual({ page: 'servers', item, query: {} })
  }
})

test('empty query values are left out', () => {
  expect(toAddress('calls', null, { tool: '', text: undefined })).toBe('/console/calls')
  expect(toAddress('calls', null, { tool: 'a', before: 0 })).toBe('/console/calls?tool=a&before=0')
})

test('a malformed escape is shown as it is', () => {
  expect(fromAddress('/console/calls/%E0%A4', '').item).toBe('%E0%A4')
})

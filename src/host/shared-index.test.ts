import { expect, test } from 'vitest'
import { SharedIndex } from './shared-index.ts'

test('a twin is a tool of a server that comes earlier, or of none', () => {
  const index = new SharedIndex(['a-b', 'a_b', 'c'], [{ server: 'work', tool: 'read_file' }])
  expect(index.set('a_b', ['run'])).toEqual(new Set())
  expect(index.indexFor('a-b').findTwin('a-b', 'run')).toBeUndefined()
  expect(index.set('a-b', ['run', 'walk'])).toEqual(new Set(['a_b']))
  expect(index.indexFor('a_b').findTwin('a_b', 'run')).toEqual({ server: 'a-b', tool: 'run' })
  expect(index.indexFor('a_b').findTwin('a_b', 'walk')).toMatchObject({ tool: 'walk' })
  expect(index.indexFor('c').findTwin('c', 'run')).toBeUndefined()
  expect(
    new SharedIndex(['Work'], [{ server: 'work', tool: 'x' }]).indexFor('Work').findTwin('Work', 'x'),
  ).toBeDefined()
})

test('affected servers are returned when a tool is added or removed', () => {
  const index = new SharedIndex(['a-b', 'a_b'])
  index.set('a_b', ['run'])
  expect(index.set('a-b', ['run'])).toEqual(new Set(['a_b']))
  expect(index.set('a-b', [])).toEqual(new Set(['a_b']))
  expect(index.set('a-b', [])).toEqual(new Set())
  expect(index.indexFor('a_b').findTwin('a_b', 'run')).toBeUndefined()
})

test('a tool elsewhere is found by its name, unless the server has one of that name', () => {
  const index = new SharedIndex(['a', 'b'])
  index.set('b', ['send_invoice', 'echo'])
  index.set('a', ['echo'])
  expect(index.indexFor('a').findElsewhere('a', 'send_invoice')).toEqual({ server: 'b', tool: 'send_invoice' })
  expect(index.indexFor('a').findElsewhere('a', 'echo')).toBeUndefined()
  expect(index.indexFor('b').findElsewhere('b', 'send_invoice')).toBeUndefined()
})

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { cuts, nodes, words } from '../../src/toolsets/web/extract/block-model.ts'
import { toSite } from './lessons.ts'
import { digest } from './train-model.ts'

const source = readFileSync(new URL('../../src/toolsets/web/extract/block-model.ts', import.meta.url), 'utf8')

test('the shipped model is unchanged since it was written', () => {
  expect(source).toContain(`Content: ${digest(cuts.trim(), nodes, words)}`)
})

test.each([
  ['https://www.example.com/a', 'example.com'],
  ['https://news.bbc.co.uk/1', 'bbc.co.uk'],
  ['https://a.b.example.org', 'example.org'],
  ['https://example.de', 'example.de'],
  ['not an address', undefined],
])('the site of %s is %s', (url, site) => {
  expect(toSite(url)).toBe(site)
})

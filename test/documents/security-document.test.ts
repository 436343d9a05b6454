import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { incidentRows } from '../data/failure-rows.ts'
import { findBrokenLinks, hasTest } from './document-checks.ts'

const address = new URL('../../docs/security.md', import.meta.url)
const page = readFileSync(address, 'utf8')
const threats = readRows('Threats')
const boundaries = readRows('Boundaries and their tests')
const incidents = readRows('Known incidents and their tests')

describe('every test that the page names exists', () => {
  test.each([...threats, ...boundaries, ...incidents])('$name', ({ tests }) => {
    expect(tests).not.toEqual([])
    for (const { file, title } of tests) expect(hasTest(readSource(file), title), `${file}: ${title}`).toBe(true)
  })
})

test('every boundary has one row', () => {
  expect(new Set(boundaries.map(({ name }) => name)).size).toBe(boundaries.length)
  expect(boundaries.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'Files',
      'Web',
      'Process',
      'Schemas from others',
      'Operators only',
      'HTTP',
      'Capabilities',
    ]),
  )
})

test('every incident has a row, with every test that covers it', () => {
  expect(incidents.map(({ name }) => name)).toEqual(Object.keys(incidentRows))
  for (const { name, tests } of incidents)
    for (const [file, title] of incidentRows[name]!) expect(tests, name).toContainEqual({ file, title })
})

test('every link of the page leads to something that exists', () => {
  const { links, broken } = findBrokenLinks(page, address)
  expect(links).toBeGreaterThan(50)
  expect(broken).toEqual([])
})

test('the README and the map name the page', () => {
  for (const file of ['README.md', 'AGENTS.md']) expect(readSource(file)).toContain('(docs/security.md)')
})

test('a title that is only mentioned, or in a comment, is not a test', () => {
  expect(hasTest("test('it works', async () => {", 'it works')).toBe(true)
  expect(hasTest("])(\n  'it works: %s',\n  { timeout: 5 },\n  async () => {", 'it works: %s')).toBe(true)
  expect(hasTest('test(`a part of it works`, () => {', 'works')).toBe(true)
  expect(hasTest("// it works\nexpect(text).toBe('it works')", 'it works')).toBe(false)
  expect(hasTest("test('it works well', () => {", 'it works')).toBe(false)
})

interface Row {
  readonly name: string
  readonly tests: readonly { readonly file: string; readonly title: string }[]
}

/** The rows of the table under a heading: a name first, and last the tests, as links from title to file. */
function readRows(heading: string): Row[] {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? ''
  const [, , ...rows] = section.split('\n').filter((line) => line.startsWith('|'))
  return rows.map((row) => {
    const cells = row.split(' | ')
    const tests = (cells.at(-1) ?? '').split('<br>').map((link) => /\[(.+)\]\(\.\.\/(.+)\)/.exec(link))
    return {
      name: cells[0]!.replace('| ', ''),
      tests: tests.map((found) => ({ title: found?.[1] ?? '', file: found?.[2] ?? '' })),
    }
  })
}

function readSource(file: string): string {
  return readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
}

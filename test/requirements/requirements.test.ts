import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findBrokenLinks, hasTest } from '../documents/document-checks.ts'
import { documents } from './documents.ts'
import { toPage, toStatements, toTest } from './to-page.ts'

const address = new URL('../../docs/requirements.md', import.meta.url)
const decisions = readdirSync(new URL('../../docs/decisions/', import.meta.url))

describe.each(documents)('$title', (document) => {
  const statements = toStatements(document)

  test('every statement has a test or a decision', () => {
    const bare = statements.filter(({ tests = [], decision = [] }) => tests.length + decision.length === 0)
    expect(bare).toEqual([])
  })

  test('every test that is named exists, and npm test runs it', () => {
    const named = statements.flatMap(({ id, tests = [] }) => tests.map((text) => ({ id, ...toTest(text) })))
    const missing = named.filter(({ file, title }) => !isRun(file) || !hasTest(readSource(file), title))
    expect(missing).toEqual([])
  })

  test('every decision that is named exists', () => {
    const named = statements.flatMap(({ decision = [] }) => decision)
    expect(named.filter((number) => !decisions.some((file) => file.startsWith(`${number}-`)))).toEqual([])
  })

  test('ids are the letter of the document and ascending numbers', () => {
    const letter = statements[0]!.id[0]!
    const numbers = statements.map(({ id }) => Number(id.replace(letter, '')))
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b))
  })
})

test('no two documents use the same ids', () => {
  const letters = documents.map((document) => toStatements(document)[0]!.id[0])
  expect(new Set(letters).size).toBe(documents.length)
})

test('the page is up to date: npm run generate writes it', () => {
  expect(readFileSync(address, 'utf8')).toBe(toPage(documents, decisions))
})

test('every link of the page leads to a file and heading that exist', () => {
  const { links, broken } = findBrokenLinks(readFileSync(address, 'utf8'), address)
  expect(links).toBeGreaterThan(500)
  expect(broken).toEqual([])
})

test('the README and the map link to the page', () => {
  for (const file of ['README.md', 'AGENTS.md']) expect(readSource(file)).toContain('(docs/requirements.md)')
})

/** Is this a file of tests that `npm test` runs? */
function isRun(file: string): boolean {
  return (
    /^(?:src|test|bench)\/.+\.test\.ts$/.test(file) && !file.startsWith('test/acceptance/') && existsSync(toUrl(file))
  )
}

function readSource(file: string): string {
  return readFileSync(toUrl(file), 'utf8')
}

function toUrl(file: string): URL {
  return new URL(`../../${file}`, import.meta.url)
}

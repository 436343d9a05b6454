import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { type ApiEntry, readApi, readApiOf, toApiPage } from '../../scripts/api-page.ts'
import { entryPoints } from '../../scripts/entry-points.ts'
import * as library from '../../src/index.ts'
import { isBuilt } from '../setup/is-built.ts'

let api: Map<string, ApiEntry[]>
beforeAll(async () => {
  // Bundling the declarations anew takes seconds.
  api = isBuilt() ? readApiOf(fileURLToPath(new URL('../../dist', import.meta.url))) : await readApi()
})

test('every name that the package exports has a sentence of documentation and a declaration', () => {
  const entries = [...api].flatMap(([specifier, names]) => names.map((entry) => ({ specifier, ...entry })))
  const bare = entries.filter(({ doc, code }) => !/[a-z].*[.:!?)`]/s.test(doc) || !code)
  expect(bare.map(({ specifier, name }) => `${specifier}: ${name}`)).toEqual([])
})

test('the reference has every value that a program can import', () => {
  const values = api.get('toolpact')!.filter(({ isType }) => !isType)
  expect(values.map(({ name }) => name)).toEqual(Object.keys(library).sort())
  expect([...api.keys()]).toEqual(
    Object.keys(entryPoints).map((name) => (name === 'index' ? 'toolpact' : `toolpact/${name}`)),
  )
})

test('docs/api.md is what npm run generate writes', () => {
  const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8')
  expect(page, 'docs/api.md is stale: run npm run generate').toBe(toApiPage(api))
})

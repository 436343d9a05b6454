import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { toReferencePages } from '../../scripts/reference-pages.ts'
import { lintRules } from '../../src/contract/lint-contract.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8').replaceAll('\r\n', '\n')

test('docs/cli.md has every command and option, and docs/config.md every setting, as the code defines them', async () => {
  for (const [path, page] of Object.entries(await toReferencePages()))
    expect(read(path), `${path} is stale: run npm run generate`).toBe(page)
})

test('docs/contract.md lists every lint rule with its severity, and no other', () => {
  const [, section = ''] = read('docs/contract.md').split('## Lint rules')
  const listed = [...section.matchAll(/^\| `([\w-]+)` \| (error|warning) \|/gm)].map(([, rule, severity]) => [rule, severity]) // biome-ignore format: one line
  expect(listed.sort()).toEqual([...lintRules].sort())
})

test('docs/config.md lists every environment variable that Toolpact reads or sets for others', () => {
  const names = new Set<string>()
  for (const file of globSync('src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }))
    for (const [name] of read(file).matchAll(/\b(?:TOOLPACT|LITELLM|WEB_FETCH)_[A-Z_]*[A-Z]\b/g)) names.add(name)
  const [, section = ''] = read('docs/config.md').split('## Environment variables')
  expect(names.size).toBeGreaterThan(10)
  expect([...names].filter((name) => !section.includes(`\`${name}\``))).toEqual([])
})

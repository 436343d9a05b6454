import { globSync } from 'node:fs'
import { dirname, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { findStaticImports, toChunkGroups } from '../../scripts/start-chunks.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const groups = toChunkGroups()

function chunksOf(path: string): string[] {
  const id = fileURLToPath(new URL(`../../src/${path}`, import.meta.url))
  return groups.filter(({ test }) => test(id)).map(({ name }) => name)
}

test('a chunk holds its modules and what they import statically, and not what they load lazily or import as types', () => {
  expect(chunksOf('app/require-node.ts')).toEqual(['require-node'])
  expect(chunksOf('app/app.ts')).toEqual(['core'])
  expect(chunksOf('runtime/pipeline/pipeline.ts')).toEqual(['core'])
  expect(chunksOf('cli/call.ts')).toEqual(['command'])
  expect(chunksOf('contract/define-tool.ts')).toEqual(['define-tools'])
  expect(chunksOf('contract/schema/compile-schema.ts')).toEqual([])
  expect(chunksOf('toolsets/workspace/index.ts')).toEqual([])
  expect(chunksOf('app/toolpact.ts')).toEqual([])
})

test('the list of tools loads nothing but the toolsets themselves and what every start loads', () => {
  const indexes = globSync('src/toolsets/*/index.ts', { cwd: root })
  expect(indexes.length).toBeGreaterThan(5)
  for (const index of indexes) {
    const shared = [...findStaticImports([index])]
      .filter((path) => !path.includes(`${dirname(index)}${sep}`))
      .map((path) => ({ path, chunk: groups.find(({ test }) => test(path))?.name }))
    expect(shared.filter(({ chunk }) => !['core', 'command', 'define-tools'].includes(chunk ?? ''))).toEqual([])
  }
})

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { writeFiles } from './write-files.ts'

function toPlan(created: readonly string[], changed: readonly string[] = []) {
  const toFile = (path: string) => ({ path, text: `new ${path}`, about: '' })
  return { id: 'x', next: [], created: created.map(toFile), changed: changed.map(toFile) }
}

test('files are made, with their folders, and others are replaced', async () => {
  const folder = makeFolder()
  const [one, two, index] = ['a/one', 'a/b/two', 'index'].map((name) => join(folder, name)) as [string, string, string]
  writeFileSync(index, 'old')
  await writeFiles(toPlan([one, two], [index]))
  for (const path of [one, two, index]) expect(readFileSync(path, 'utf8')).toBe(`new ${path}`)
})

test('a file that is there stops everything before anything is written', async () => {
  const folder = makeFolder()
  writeFileSync(join(folder, 'two'), 'mine')
  const paths = ['one', 'two'].map((name) => join(folder, name))
  await expect(writeFiles(toPlan(paths))).rejects.toThrow(`The file ${paths[1]} already exists.`)
  expect(readdirSync(folder)).toEqual(['two'])
  expect(readFileSync(paths[1]!, 'utf8')).toBe('mine')
})

test('what was written is taken back where the rest cannot be', async () => {
  const folder = makeFolder()
  writeFileSync(join(folder, 'file'), '')
  const one = join(folder, 'one')
  await expect(writeFiles(toPlan([one, join(folder, 'file/two')]))).rejects.toThrow('Nothing was written')
  mkdirSync(join(folder, 'taken'))
  await expect(writeFiles(toPlan([one], [join(folder, 'taken')]))).rejects.toThrow('Nothing was written')
  expect(existsSync(one)).toBe(false)
  expect(readdirSync(folder).sort()).toEqual(['file', 'taken'])
})

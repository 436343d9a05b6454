import { expect, test } from 'vitest'
import { type ImportedHashes, keepImported } from './imported-hashes.ts'

test('gives what was committed, once, and only if all of it is there', () => {
  const imported = keepImported()
  add(imported, 1, 10)
  expect(imported.take(0, 5)).toBeUndefined()
  imported.commit()
  expect(imported.take(0, 11)).toBeUndefined()
  expect(imported.take(2, 3)?.map(({ seq }) => seq)).toEqual([3, 4, 5])
  expect(imported.take(2, 3)).toBeUndefined()
  expect(imported.take(5, 5)?.map(({ hash }) => hash)).toEqual(['6', '7', '8', '9', '10'])
})

test('what a transaction added that failed is forgotten', () => {
  const imported = keepImported()
  add(imported, 1, 10)
  imported.commit()
  add(imported, 11, 20)
  imported.forget()
  imported.commit()
  expect(imported.take(0, 5)).toBeUndefined()
})

test('begins anew after entries of other processes, and when too many wait', () => {
  const imported = keepImported()
  add(imported, 1, 10)
  add(imported, 12, 20)
  imported.commit()
  expect(imported.take(0, 5)).toBeUndefined()
  expect(imported.take(11, 9)).toHaveLength(9)
  add(imported, 21, 20_000)
  imported.commit()
  expect(imported.take(20, 1)).toBeUndefined()
  expect(imported.take(19_900, 100)).toHaveLength(100)
})

function add(imported: ImportedHashes, first: number, last: number) {
  for (let seq = first; seq <= last; seq++) imported.add({ seq, hash: `${seq}` })
}

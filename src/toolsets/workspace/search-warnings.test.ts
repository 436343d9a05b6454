import { expect, test } from 'vitest'
import { toSearchWarnings } from './search-warnings.ts'

const report = { engine: 'ripgrep', unreadable: 0, total: 1 } as const
const wording = { done: 'searched', deeper: 'look there' } as const

test('a search that left out nothing has no warning', () => {
  const omitted = { ignored: 0, isComplete: true, tooDeep: false }
  expect(toSearchWarnings({ ...report, omitted }, 1, wording)).toEqual([])
  expect(toSearchWarnings(report, 1, wording)).toEqual([])
})

test('an incomplete count is reported as a minimum, or not at all', () => {
  const omitted = { ignored: 2000, isComplete: false, tooDeep: false }
  expect(toSearchWarnings({ ...report, omitted }, 1, wording)).toEqual([
    'At least 2000 ignored or hidden files were not searched; set include_ignored to search them',
  ])
  expect(toSearchWarnings({ ...report, omitted: { ...omitted, ignored: 0 } }, 1, wording)).toEqual([
    'Ignored and hidden files, if any, were not searched; set include_ignored to search them',
  ])
})

import { expect, test } from 'vitest'
import { checkNames } from '../../api/api.ts'
import { describeChecks, toCells } from './checks.ts'

test('checks that were not reached have a cell of their own kind', () => {
  const cells = toCells(checkNames, { resolve: 'passed', bound: 'failed' })
  expect(cells.map((cell) => cell.state)).toEqual(['passed', 'failed', ...Array(9).fill('absent')])
})

test('the text says where a call failed, before where it waits, before how far it came', () => {
  expect(describeChecks(checkNames, { resolve: 'passed', single_step: 'failed', run: 'begun' })).toBe(
    'single step: failed',
  )
  expect(describeChecks(checkNames, { resolve: 'passed', approve: 'begun' })).toBe('approve: waiting')
  expect(describeChecks(checkNames, { resolve: 'passed', bound: 'not_needed' })).toBe('2 of 11 checks passed')
})

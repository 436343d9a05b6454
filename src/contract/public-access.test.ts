import { expect, test } from 'vitest'
import { defineEcho } from '../../test/helpers/open-test-pipeline.ts'
import type { ContractSource } from './contract.ts'
import { isPublic, withoutPublicAccess } from './public-access.ts'

const source: Partial<ContractSource> = {
  summary: { access: 'Public', sideEffects: 'None' },
  limits: { calls: { count: 100, windowMs: 60_000 } },
  constraints: ['No authentication required', 'Safe: No side effects'],
}
const define = (changes: Partial<ContractSource> = {}) => defineEcho({ ...source, ...changes }).contract

test('a tool is public if its contract declares it, limits calls and touches nothing', () => {
  expect(isPublic(define())).toBe(true)
  expect(isPublic(define({ effects: { reads: [] } }))).toBe(true)
})

test.each<[what: string, changes: Partial<ContractSource>]>([
  ['that declares nothing', { summary: undefined }],
  ['with another access', { summary: { access: 'Filtered', sideEffects: 'None' } }],
  ['that writes', { risk: 'safe_write', approval: 'never' }],
  ['that asks', { approval: 'ask' }],
  ['that reads files', { effects: { reads: ['text'] } }],
  ['that fetches', { effects: { fetches: ['text'] } }],
  ['without a limit on calls', { limits: {} }],
  ['that is planned', { status: 'planned' }],
])('a tool %s is not public', (_, changes) => {
  expect(isPublic(define(changes))).toBe(false)
})

test('where a token is needed, the contract claims no public access', () => {
  expect(withoutPublicAccess(define())).toMatchObject({
    summary: { access: 'Callers with a token', sideEffects: 'None' },
    constraints: ['Safe: No side effects'],
  })
  const filtered = define({ summary: { access: 'Filtered', sideEffects: 'None' } })
  expect(withoutPublicAccess(filtered)).toBe(filtered)
})

import { expect, test } from 'vitest'
import { cleanContract } from '../../test/data/clean-contract.ts'
import { toSummary } from './summary.ts'

test('a contract that sums itself up is shown as it does', () => {
  const summary = { access: 'Memory only', sideEffects: 'Append' }
  expect(toSummary(cleanContract({ summary, approval: 'ask' }))).toEqual({ ...summary, approvalRequired: true })
})

test.each([
  [{}, 'read_only', 'None declared', 'None'],
  [{ reads: ['path'] }, 'read_only', 'Files', 'None'],
  [{ reads: ['path'], writes: ['path'] }, 'safe_write', 'Files', 'Writes files'],
  [{ fetches: ['url'], runs: ['command'] }, 'dangerous', 'Web, Commands', 'Runs commands, Sends requests'],
  [{ reads: [] }, 'safe_write', 'None declared', 'Writes'],
  [{ reads: ['path'] }, 'dangerous', 'Files', 'Unknown'],
])('effects %j and risk %s are told as %s and %s', (effects, risk, access, sideEffects) => {
  const contract = cleanContract({ effects, risk, approval: 'never' })
  expect(toSummary(contract)).toEqual({ access, sideEffects, approvalRequired: false })
})

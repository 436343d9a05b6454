import { expect, test } from 'vitest'
import { openMemoryStorage } from '../../runtime/storage/memory/memory.ts'
import type { LedgerRecord } from '../../runtime/storage/storage.ts'
import { toIntent, toOutcome } from '../../runtime/storage/suite/records.ts'
import { countQuestions, toQuestionRate } from './status-report.ts'

const asks = { decision: { action: 'ask', rule: 'contract', reason: 'It writes.' } }

test('calls that asked are counted by server, whether they ran or were refused', async () => {
  const { ledger } = openMemoryStorage()
  const records: LedgerRecord[] = [
    toIntent('1', { tool: 'files.read' }),
    toOutcome('1', { tool: 'files.read' }),
    toIntent('2', { tool: 'files.write', ...asks }),
    {
      ...toIntent('3', { tool: 'files.write', ...asks }),
      kind: 'refusal',
      errorCode: 'approval_denied',
      durationMs: 1,
    },
    // Refused before anything was decided.
    {
      ...toIntent('4', { tool: 'files.write', decision: null }),
      kind: 'refusal',
      errorCode: 'invalid_input',
      durationMs: 1,
    },
    toIntent('5', { tool: 'shop.buy', ...asks }),
  ]
  for (const record of records) await ledger.append(record, { durable: false })
  expect(Object.fromEntries(await countQuestions(ledger))).toEqual({
    files: { calls: 3, asked: 2 },
    shop: { calls: 1, asked: 1 },
  })
})

test('the rate is of calls, and before the first call the share of tools that ask', () => {
  expect(toQuestionRate({ calls: 3, asked: 2 }, [])).toBe('67')
  expect(toQuestionRate(undefined, [{ approval: 'ask' }, { approval: 'never' }])).toBe('~50')
  expect(toQuestionRate(undefined, [])).toBe('')
})

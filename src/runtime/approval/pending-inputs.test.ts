import { expect, test } from 'vitest'
import type { Trace } from '../pipeline/trace.ts'
import { createPendingInputs } from './pending-inputs.ts'

const toTrace = (name: string, bytes: number) =>
  ({ caller: { name }, canonicalInput: 'x'.repeat(bytes) }) as unknown as Trace
const mebibyte = 1024 * 1024

test('what a caller still holds counts after one of its calls has ended', () => {
  const pending = createPendingInputs()
  const first = pending.enter(toTrace('ada', 20 * mebibyte))
  const second = pending.enter(toTrace('ada', 1))
  expect(second).toHaveProperty('leave')
  ;(second as { leave: () => void }).leave()
  expect(pending.enter(toTrace('ada', 20 * mebibyte))).toHaveProperty('limit')
  expect(pending.enter(toTrace('bob', 20 * mebibyte))).toHaveProperty('leave')
  ;(first as { leave: () => void }).leave()
  expect(pending.enter(toTrace('ada', 20 * mebibyte))).toHaveProperty('leave')
})

import { expect, test } from 'vitest'
import type { RunDetails, RunStep } from '../../workflow/run/workflow-runs.ts'
import { createStatus } from '../terminal/status.ts'
import { createStepPrinter } from './follow-run.ts'

function toRun(...states: RunStep['state'][]): RunDetails {
  const steps = states.map((state, index) => ({ key: `step${index}`, tool: 'flow.note', after: [], state }))
  const progress = { done: states.filter((state) => state === 'done').length, total: states.length }
  return { id: 'r', state: 'running', waitsFor: [], steps, progress } as unknown as RunDetails
}

test('while a person is asked, nothing is printed into the question; it follows after the answer', async () => {
  const lines: (readonly unknown[])[] = []
  const status = createStatus()
  const print = createStepPrinter({ terminal: { log: (...more) => lines.push(more), columns: 80 }, status })
  const { promise, resolve } = Promise.withResolvers<void>()
  const asked = status.whileAsking(() => promise)
  print(toRun('done', 'running'))
  expect(lines).toEqual([])
  resolve()
  await asked
  print(toRun('done', 'done'))
  expect(JSON.stringify(lines)).toMatch(/step0.*step1/)
  status.show(undefined)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { workflows } from '../../../test/helpers/random-workflows.ts'
import { tryWorkflow } from '../../../test/helpers/try-workflow.ts'

test('a workflow that passes the check never gives a tool an input that its contract refuses', async () => {
  const counts = { passed: 0, refused: 0, inputs: 0, references: 0, unmade: 0 }
  const check = fc.asyncProperty(workflows, async (made) => {
    const outcome = await tryWorkflow(made)
    counts[outcome.outcome]++
    counts.inputs += outcome.inputs
    counts.references += outcome.references
    expect(outcome.faults).toEqual([])
  })
  await fc.assert(check, { seed: 11, numRuns: 60 })
  expect(counts.passed).toBeGreaterThan(50)
  expect(counts.inputs).toBeGreaterThan(400)
  expect(counts.references).toBeGreaterThan(50)
})

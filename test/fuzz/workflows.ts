import assert from 'node:assert/strict'
import { workflows } from '../helpers/random-workflows.ts'
import { tryWorkflow } from '../helpers/try-workflow.ts'
import { defineTarget } from './target.ts'

/** A workflow that passes the check never gives a tool an input that its contract refuses. */
export const workflowTarget = defineTarget(() => ({
  inputs: workflows,
  async check(made) {
    assert.deepEqual((await tryWorkflow(made)).faults, [])
  },
}))

import { expect, test } from 'vitest'
import { killWorkflows } from '../helpers/workflow-kills.ts'

const runs = Number(process.env.WORKFLOW_RUNS ?? 180)

test('two processes that are killed at random complete every run of five steps, each step once', async () => {
  expect(await killWorkflows({ runs, kills: runs / 12 })).toBeGreaterThanOrEqual(runs)
})

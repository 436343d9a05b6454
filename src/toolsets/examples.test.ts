import { describe, expect, test } from 'vitest'
import { runExamples } from '../app/run-examples.ts'
import { toolsets } from './index.ts'

const tools = (await Promise.all(Object.values(toolsets).map((load) => load()))).flatMap((toolset) =>
  toolset.tools
    .filter(({ offer }) => offer?.kind !== 'helper')
    .map(({ contract }) => ({ id: `${toolset.name}.${contract.name}`, contract })),
)

describe.each(tools)('$id', ({ id, contract }) => {
  test.skipIf(contract.status === 'planned')('does what its examples show', async () => {
    const outcomes = await runExamples(id)
    expect(outcomes.length).toBeGreaterThan(0)
    expect(outcomes.filter(({ problem }) => problem !== undefined)).toEqual([])
  })
})

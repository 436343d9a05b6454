import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openToolpact } from '../../src/app/app.ts'
import { pipelineErrors } from '../../src/contract/error-codes.ts'
import { compileSchema } from '../../src/contract/schema/compile-schema.ts'

const value = fc.oneof(
  fc.jsonValue(),
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
)
const named = fc.record({ name: fc.oneof(fc.string({ unit: 'binary', maxLength: 150 }), value) })
const input = fc.oneof(named, value, fc.dictionary(fc.constantFrom('name', '__proto__', 'x'), value))

test.each(['learning.hello', 'practitioner.hello'])(
  'whatever %s is sent, it answers as its contract says',
  async (tool) => {
    const toolpact = await openToolpact({ storage: 'memory' })
    const found = await toolpact.catalog.find(tool)
    if (found.kind !== 'found') throw new Error(`${tool} is missing`)
    const output = await compileSchema(found.tool.contract.output)
    let successes = 0
    let caller = 0
    await fc.assert(
      fc.asyncProperty(input, async (sent) => {
        const result = await toolpact.call(tool, sent, { caller: { name: String(caller++) } })
        if (result.success) {
          successes++
          expect(output.validate(structuredClone(result.output))).toEqual([])
        } else {
          expect(Object.keys(pipelineErrors)).toContain(result.error.code)
          expect(['invalid_input', 'input_too_large']).toContain(result.error.code)
        }
        expect(JSON.parse(JSON.stringify(result))).toEqual(result)
      }),
      { seed: 20_261_115, numRuns: 500 },
    )
    expect(successes).toBeGreaterThan(50)
    expect(successes).toBeLessThan(500)
    expect(await toolpact.ledger.verify()).toMatchObject({ intact: true })
    await toolpact.close()
  },
)

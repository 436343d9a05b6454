import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openToolpact } from '../src/app.ts'
import type { Example } from '../src/contract/contract.ts'
import type { JsonValue } from '../src/contract/json.ts'
import { compileSchema } from '../src/contract/schema/compile-schema.ts'
import { fromPointer } from '../src/contract/schema/json-pointer.ts'
import { toolsets } from '../src/toolsets/index.ts'
import { makeFolder, yes } from './open-test-pipeline.ts'

const tools = (await Promise.all(Object.values(toolsets).map((load) => load()))).flatMap((toolset) =>
  toolset.tools.map(({ contract }) => ({ id: `${toolset.name}.${contract.name}`, contract })),
)

describe.each(tools)('$id', ({ id, contract }) => {
  test('has examples', () => {
    expect(contract.status === 'planned' || contract.examples.length > 0).toBe(true)
  })

  const examples = contract.examples.map((example, index) => ({
    name: example.title ?? `example ${index + 1}`,
    example,
  }))
  test.skipIf(contract.status === 'planned').for(examples)('does what it shows: $name', async ({ example }) => {
    const workspace = makeFolder()
    for (const [path, text] of Object.entries(example.given?.files ?? {})) {
      mkdirSync(dirname(join(workspace, path)), { recursive: true })
      writeFileSync(join(workspace, path), text)
    }
    const toolpact = await openToolpact({ workspace, storage: 'memory', approver: yes })
    onTestFinished(() => toolpact.close())
    const result = await toolpact.call(id, example.input)
    if (example.error !== undefined) {
      expect(result).toMatchObject({ success: false, error: { code: example.error } })
      return
    }
    expect(result).toMatchObject({ success: true })
    const output = result.success ? result.output : {}
    expect((await compileSchema(contract.output)).validate(structuredClone(output))).toEqual([])
    expect(withoutWhatVaries(output, example)).toEqual(withoutWhatVaries(example.output!, example))
  })
})

test('what varies is left out of the comparison, and may be absent', () => {
  const example: Example = { input: {}, varies: ['/a/1/b'] }
  expect(withoutWhatVaries({ a: [0, { b: 5, c: 6 }] }, example)).toEqual({ a: [0, { b: 'varies', c: 6 }] })
  expect(withoutWhatVaries({ a: [0, { c: 6 }] }, example)).toEqual({ a: [0, { b: 'varies', c: 6 }] })
  expect(() => withoutWhatVaries({ a: [0] }, example)).toThrow('/a/1/b')
})

function withoutWhatVaries(output: JsonValue, { varies = [] }: Example): JsonValue {
  const copy = structuredClone(output)
  for (const pointer of varies) {
    const segments = fromPointer(pointer) ?? []
    const last = segments.pop()
    let place = copy as Record<string, JsonValue> | undefined
    for (const segment of segments) place = place?.[segment] as typeof place
    if (last === undefined || place === undefined) throw new Error(`There is nothing at ${pointer}.`)
    place[last] = 'varies'
  }
  return copy
}

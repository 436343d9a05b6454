import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { openToolpact } from '../../src/app/app.ts'
import { makeValue } from '../../src/authoring/scenarios/values/make-value.ts'
import { createRandom } from '../../src/authoring/scenarios/values/random.ts'
import type { Capabilities } from '../../src/capabilities/capabilities.ts'
import { pipelineErrors } from '../../src/contract/error-codes.ts'
import type { JsonObject, JsonSchema, JsonValue } from '../../src/contract/json.ts'
import { compileSchema } from '../../src/contract/schema/compile-schema.ts'
import type { Tool, Toolset } from '../../src/contract/tool.ts'
import { toolsets } from '../../src/toolsets/index.ts'
import { defineTarget } from './target.ts'

/** Toolsets that stay inside the workspace. */
const confined = ['workspace', 'learning', 'practitioner', 'transcript-clean']
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    'notes.txt',
    'inner',
    '../x',
    '/etc/passwd',
    '**/*',
    '[',
    '(a+)+$',
    '\u0000',
    '\ud800',
    'WEBVTT\n\n00:00.000 --> 9',
    'é',
  ),
)
const any = fc.oneof(fc.jsonValue({ maxDepth: 3 }), text, fc.anything({ withBigInt: true, withNullPrototype: true }))

/** For any input, a built-in tool gives a result that its contract allows, and never `internal`. */
export const contractTarget = defineTarget(async () => {
  const workspace = mkdtempSync(join(tmpdir(), 'toolpact-fuzz-'))
  const fill = () => {
    rmSync(workspace, { recursive: true, force: true })
    mkdirSync(join(workspace, 'inner'), { recursive: true })
    writeFileSync(join(workspace, 'notes.txt'), 'one\ntwo\n')
  }
  fill()
  const loaded = await Promise.all(Object.values(toolsets).map((load) => load()))
  const toolpact = await openToolpact({
    workspace,
    stateDirectory: join(workspace, '.state'),
    storage: 'memory',
    toolsets: loaded.map(confine),
    repeatable: true,
    approver: async () => ({ answer: 'yes', by: 'a test' }),
  })
  const all = loaded.flatMap(({ name, tools }) =>
    tools.map(({ contract }) => ({ id: `${name}.${contract.name}`, contract })),
  )
  const byId = new Map(all.map(({ id, contract }) => [id, contract]))
  let caller = 0
  return {
    inputs: fc.record({
      tool: fc.constantFrom(...byId.keys()),
      seed: fc.integer(),
      isMade: fc.boolean(),
      changes: fc.array(fc.tuple(fc.nat(8), fc.oneof(text, any)), { maxLength: 2 }),
      whole: any,
    }),
    async check({ tool, seed, isMade, changes, whole }) {
      const contract = byId.get(tool)!
      const input = isMade ? change(make(contract.input, seed), changes) : whole
      const result = await toolpact.call(tool, input, { caller: { name: `fuzz-${caller++}` } })
      if (caller % 200 === 0) fill()
      assert.deepEqual(JSON.parse(JSON.stringify(result)), result)
      if (result.success) {
        const problems = (await compileSchema(contract.output)).validate(structuredClone(result.output))
        return assert.deepEqual(problems, [], `${tool} told what its contract does not allow`)
      }
      const { code, message } = result.error
      assert.ok(code !== 'internal' && code !== 'invalid_output', `${tool} failed with ${code}: ${message}`)
      const codes = [...Object.keys(pipelineErrors), ...contract.errors.map((error) => error.code)]
      assert.ok(codes.includes(code), `${tool} has no code ${code}`)
    },
    async close() {
      await toolpact.close()
      rmSync(workspace, { recursive: true, force: true })
    },
  }
})

function make(schema: JsonSchema, seed: number): JsonValue {
  return makeValue(schema, { random: createRandom(String(seed)), size: 'any', maxBytes: 4000 }) ?? {}
}

/** Replaces some properties, or adds one. */
function change(value: JsonValue, changes: readonly (readonly [number, unknown])[]): unknown {
  const copy: Record<string, unknown> = { ...(value as JsonObject) }
  const names = [...Object.keys(copy), 'more']
  for (const [index, part] of changes) copy[names[index % names.length]!] = part
  return copy
}

/** Stubs tools that run commands or use the network with a valid result. */
function confine({ tools, ...toolset }: Toolset<Capabilities>): Toolset<Capabilities> {
  const reachesOut = ({ contract: { effects } }: Tool<Capabilities>) =>
    !confined.includes(toolset.name) || [effects.runs, effects.fetches].some((fields) => fields && fields.length > 0)
  const standIn = (tool: Tool<Capabilities>): Tool<Capabilities> => ({
    contract: tool.contract,
    run: () => make(tool.contract.output, 1) as JsonObject,
  })
  return { ...toolset, tools: tools.map((tool) => (reachesOut(tool) ? standIn(tool) : tool)) }
}

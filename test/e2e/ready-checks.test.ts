import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { writeReadyChecks } from '../../scripts/write-ready-checks.ts'
import { configSchema } from '../../src/app/config/config-schema.ts'
import { probesOf } from '../../src/authoring/scenarios/values/break-place.ts'
import { makeValue } from '../../src/authoring/scenarios/values/make-value.ts'
import { findPlaces, replaceAt } from '../../src/authoring/scenarios/values/places.ts'
import { createRandom } from '../../src/authoring/scenarios/values/random.ts'
import type { JsonSchema, JsonValue } from '../../src/contract/json.ts'
import { checkFunctions } from '../../src/contract/schema/check-functions.ts'
import { compileSchema } from '../../src/contract/schema/compile-schema.ts'
import { exactChecks } from '../../src/contract/schema/exact-keywords.ts'
import { loadLinearPattern } from '../../src/contract/schema/linear-pattern.ts'
import { loadFormats } from '../../src/contract/schema/load-formats.ts'
import { digestOfText, linkValidator } from '../../src/contract/schema/load-validator.ts'
import type { ReadyCheck, ReadyChecks } from '../../src/contract/schema/ready-checks.ts'
import { splitSchema } from '../../src/contract/schema/split-schema.ts'
import { grantSteps, StepsSpent, stepsPerValidation } from '../../src/contract/schema/step-budget.ts'
import { toolFailureSchema } from '../../src/runtime/pipeline/check-returned.ts'
import { toolsets } from '../../src/toolsets/index.ts'
import { entries, openCommandFolder } from '../helpers/run-command.ts'

const modules = await writeReadyChecks()
const loaded = await Promise.all(
  modules.map(({ code }) => import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)),
)
const checks: ReadyChecks = Object.assign({}, ...loaded.map((module) => module.checks))
const odd: JsonValue[] = [null, true, 0, '', 'x', [], [{}], {}, { toString: 1 }, { constructor: {}, valueOf: [] }]
const maxValues = 150

test('schemas that come with Toolpact have ready checks, which tell what fresh ones tell', async () => {
  const all = await listCases()
  const cases = all.filter(({ schema }) => Object.hasOwn(checks, digestOfText(schema)))
  // References and a few rare keywords make a check that cannot be written.
  expect(cases.length).toBeGreaterThan(all.length / 2)
  expect(cases.map(({ name }) => name)).toEqual(expect.arrayContaining(['config', 'failure', 'input of hello']))
  for (const { name, schema, useDefaults, examples } of cases) {
    const { validate } = await compileSchema(schema, { useDefaults })
    const check = await link(checks[digestOfText(schema)]!)
    const whole = await linkValidator(checks[digestOfText(schema)]!, schema, { useDefaults })
    const seen = { valid: 0, invalid: 0 }
    for (const value of listValues(name, schema, examples)) {
      const fresh = structuredClone(value)
      const problems = validate(fresh)
      const isValid = problems.length === 0
      seen[isValid ? 'valid' : 'invalid']++
      grantSteps(stepsPerValidation)
      expect(check(fresh), `${name} of ${JSON.stringify(value)}`).toBe(isValid)
      // One that is not valid goes to the engine, which would be asked twice.
      if (!isValid && seen.invalid > 5) continue
      const ready = structuredClone(value)
      expect(await whole.validate(ready)).toEqual(problems)
      expect(ready).toEqual(fresh)
    }
    expect([name, seen.valid > 0, seen.invalid > 9]).toEqual([name, true, true])
  }
})

test('a ready check counts its steps', async () => {
  const check = await link(checks[digestOfText(toolFailureSchema)]!)
  grantSteps(100)
  expect(() => check({ message: 'x'.repeat(1000) })).toThrow(StepsSpent)
})

test('a call of a built-in tool under a config loads neither the engine nor RE2, unless something is wrong', async () => {
  const { folder, env, close } = openCommandFolder()
  writeFileSync(
    join(folder, 'toolpact.json'),
    '{ "policy": { "askAll": false }, "redact": ["x"], "limits": { "learning.*": { "timeoutMs": 5000 } } }',
  )
  const hook = `import { writeSync } from 'node:fs'
import { registerHooks } from 'node:module'
registerHooks({ load: (url, context, next) => (writeSync(2, url + ' '), next(url, context)) })
process.on('exit', () => writeSync(2, process.moduleLoadList.join()))`
  const tellLoads = `data:text/javascript,${encodeURIComponent(hook)}`
  const call = (pair: string) =>
    spawnSync(process.execPath, ['--import', tellLoads, entries.toolpact, 'call', 'learning.hello', pair, '--json'], {
      cwd: folder,
      env,
      encoding: 'utf8',
    })
  const right = call('name=Ada')
  const wrong = call('nam=Ada')
  close()
  expect(JSON.parse(right.stdout)).toMatchObject({ success: true })
  expect(right.stderr).toMatch(/ready-checks_config[\s\S]*ready-checks_learning/)
  expect(right.stderr).not.toMatch(/build-check|compile-schema|linear-pattern|ready-checks_config-http/)
  // Each file costs half a millisecond, so none of them only names another, and Node's own modules are not free either.
  const opened = right.stderr.match(/file:\S+/g)!.map((url) => readFileSync(fileURLToPath(url), 'utf8'))
  expect(opened.filter((code) => /^export \{[^}]*\} from "[^"]+";\s*$/.test(code))).toEqual([])
  expect(opened.length).toBeLessThanOrEqual(10)
  expect(right.stderr).not.toMatch(/NativeModule (worker_threads|http|https|child_process|readline|zlib|inspector)\b/)
  expect(JSON.parse(wrong.stdout)).toMatchObject({ error: { code: 'invalid_input' } })
  expect(wrong.stderr).toMatch(/build-check/)
})

interface Case {
  readonly name: string
  readonly schema: JsonSchema
  readonly useDefaults: boolean
  readonly examples: readonly unknown[]
}

async function listCases(): Promise<Case[]> {
  const { whole, parts } = splitSchema(configSchema)
  const cases: Case[] = [
    { name: 'config', schema: whole, useDefaults: true, examples: [] },
    ...Object.entries(parts).map(([name, schema]) => ({
      name: `config ${name}`,
      schema,
      useDefaults: true,
      examples: [],
    })),
    { name: 'failure', schema: toolFailureSchema, useDefaults: false, examples: [] },
  ]
  for (const load of Object.values(toolsets)) {
    for (const { contract } of (await load()).tools) {
      const { name, input, output } = contract
      const outputs = contract.examples.flatMap((example) => example.output ?? [])
      cases.push(
        { name: `input of ${name}`, schema: input, useDefaults: true, examples: contract.examples.map(({ input }) => input) }, // biome-ignore format: one line
        { name: `output of ${name}`, schema: output, useDefaults: false, examples: outputs },
      )
    }
  }
  return cases
}

/** Valid ones, nearly valid ones and others. */
function listValues(name: string, schema: JsonSchema, examples: readonly unknown[]): JsonValue[] {
  const random = createRandom(name)
  const made = (['small', 'any', 'any', 'large'] as const)
    .map((size) => makeValue(schema, { random, size, maxBytes: 2000 }))
    .filter((value) => value !== undefined)
  const broken = [...made, ...(examples as JsonValue[])].flatMap((value) =>
    findPlaces(value, schema).flatMap(
      (place) =>
      probesOf(place).flatMap(({ values }) => values().slice(0, 2).map((other) => replaceAt(value, place.path, other))), // biome-ignore format: one line
    ),
  )
  const step = Math.ceil(broken.length / maxValues)
  return [...(examples as JsonValue[]), ...made, ...odd, ...broken.filter((_, index) => index % step === 0)]
}

async function link(ready: ReadyCheck): Promise<(value: unknown) => boolean> {
  const formats = await loadFormats(ready.formats)
  const format = (name: string) => formats.get(name)!
  return ready.link({ functions: checkFunctions, exact: exactChecks, pattern: await loadLinearPattern(), format })
}

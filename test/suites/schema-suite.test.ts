import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../src/contract/json.ts'
import { compileSchema, SchemaRefused } from '../../src/contract/schema/compile-schema.ts'
import { guardSchema } from '../../src/contract/schema/guard-schema.ts'

const suite = new URL('../../../shared/data/json-schema-suite/tests/', import.meta.url)
const page = readFileSync(new URL('../../docs/contract.md', import.meta.url), 'utf8')

interface Group {
  readonly description: string
  readonly schema: JsonSchema | boolean
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[]
}

const drafts = [
  {
    folder: 'draft2020-12',
    admitted: 1157,
    refused: { identifier: 26, prototype_key: 14, reference_not_local: 97, unsupported_dialect: 5 },
  },
  { folder: 'draft7', admitted: 854, refused: { identifier: 22, prototype_key: 14, reference_not_local: 37 } },
]

/** Tests of formats that ajv-formats does not pass, or that are of a format it does not know. */
const shared = {
  'date-time': 3,
  'ecmascript-regex': 1,
  hostname: 24,
  'idn-email': 2,
  'idn-hostname': 54,
  iri: 6,
  'iri-reference': 2,
  uri: 3,
  'uri-reference': 6,
  'uri-template': 3,
}
const formats: Record<string, { passed: number; failed: Record<string, number> }> = {
  'draft2020-12': { passed: 652, failed: { ...shared, duration: 2, email: 5, uuid: 1 } },
  draft7: { passed: 572, failed: shared },
}

describe.skipIf(!existsSync(suite))('official JSON Schema suite (needs ../shared/data)', () => {
  test.each(drafts)(
    '$folder: every required test that the guard admits passes',
    async ({ folder, admitted, refused }) => {
      const run = await runAll(folder, '', false)
      console.log(
        `${folder}: ${run.passed} of ${run.admitted} admitted tests passed; refused: ${JSON.stringify(run.refused)}`,
      )
      expect(run.failures).toEqual([])
      expect(run).toMatchObject({ admitted, passed: admitted, refused })
      const all = admitted + Object.values(refused).reduce((sum, count) => sum + count, 0)
      expect(page).toContain(
        `| ${folder} | ${[all, admitted, admitted].map((count) => count.toLocaleString('en')).join(' | ')} |`,
      )
    },
  )

  test.each(drafts)('$folder: tests of formats fail only where that is known', async ({ folder }) => {
    const run = await runAll(folder, 'optional/format/', true)
    const failed = Object.groupBy(run.failures, (failure) => failure.split(': ')[0]!)
    const counts = Object.fromEntries(Object.entries(failed).map(([format, all]) => [format, all!.length]))
    console.log(
      `${folder}: ${run.passed} of ${run.admitted} tests of formats passed; failed: ${JSON.stringify(counts)}`,
    )
    expect({ passed: run.passed, failed: counts }).toEqual(formats[folder])
    for (const format of Object.keys(counts)) expect(page).toContain(`\`${format}\``)
  })

  test.each(drafts)('$folder: the guard admits no schema that the metaschema refuses', async ({ folder }) => {
    const isValid = toMetaschema(folder)
    let sound = 0
    for (const file of filesIn(folder, '')) {
      for (const { description, schema } of groupsOf(folder, file)) {
        const verdict = await guardSchema(schema)
        if (verdict.admitted) expect([file, description, isValid(schema)]).toEqual([file, description, true])
        sound += isValid(schema) ? 1 : 0
      }
    }
    expect(sound).toBeGreaterThan(200)
  })
})

async function runAll(folder: string, below: string, assertFormats: boolean) {
  const run = { admitted: 0, passed: 0, refused: {} as Record<string, number>, failures: [] as string[] }
  for (const file of filesIn(folder, below)) {
    for (const { description, schema, tests } of groupsOf(folder, file)) {
      const validator = await compileSchema(schema, { assertFormats }).catch((error: unknown) => {
        if (error instanceof SchemaRefused) return error
        throw error
      })
      if (validator instanceof SchemaRefused) {
        const { rule } = validator.problems[0]!
        run.refused[rule] = (run.refused[rule] ?? 0) + tests.length
        continue
      }
      for (const { description: name, data, valid } of tests) {
        run.admitted++
        if ((validator.validate(data).length === 0) === valid) run.passed++
        else run.failures.push(`${file.slice(below.length, -'.json'.length)}: ${description}: ${name}`)
      }
    }
  }
  return run
}

function filesIn(folder: string, below: string): string[] {
  const files = readdirSync(new URL(`${folder}/${below}`, suite)).filter((file) => file.endsWith('.json'))
  return files.sort().map((file) => below + file)
}

/** The files of draft-07 do not say so in each schema. */
function groupsOf(folder: string, file: string): Group[] {
  const groups = JSON.parse(readFileSync(new URL(`${folder}/${file}`, suite), 'utf8')) as Group[]
  if (folder !== 'draft7') return groups
  const $schema = 'http://json-schema.org/draft-07/schema#'
  return groups.map((group) =>
    typeof group.schema === 'boolean' ? group : { ...group, schema: { $schema, ...group.schema } },
  )
}

function toMetaschema(folder: string): (schema: unknown) => boolean {
  const options = { strict: false, validateFormats: false, logger: false } as const
  const validate =
    folder === 'draft7'
      ? new Ajv(options).getSchema('http://json-schema.org/draft-07/schema')!
      : new Ajv2020(options).getSchema('https://json-schema.org/draft/2020-12/schema')!
  return (schema) => validate(schema) === true
}

import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/contract/json.ts'
import { createCatalog } from '../../src/runtime/pipeline/catalog.ts'
import { toRestDocument } from '../../src/surfaces/rest/rest-document.ts'
import { toolsets } from '../../src/toolsets/index.ts'
import { oddToolset } from '../data/odd-toolset.ts'
import { makeFolder } from '../helpers/open-test-pipeline.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const loaders = { ...toolsets, odd: async () => oddToolset }
const entries = await createCatalog<never>(loaders).all()
const odd = toRestDocument(entries, { version: '1.0.0' })
const published: JsonObject = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8'))

const reading = toRestDocument(await createCatalog<never>({ learning: toolsets.learning! }).all(), { version: '1.0.0' })

const documents: [name: string, document: JsonObject][] = [
  ['of the tools that come with Toolpact', published],
  ['of odd tools', odd],
  ['of tools that only read', reading],
  ['of no tools', toRestDocument([], { version: '1.0.0' })],
]

test('no document has anything that redocly lint complains about', () => {
  expect(lint(...documents.map(([, document]) => document))).toEqual({ status: 0, problems: [] })
})

describe.each(documents)('the document %s', (_name, document) => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    expect(await validator.validate(structuredClone(document))).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  test('has schemas that are valid JSON Schema', () => {
    expect(findBadSchemas(document)).toEqual([])
  })

  test('refers only to what exists', () => {
    for (const reference of findReferences(document)) {
      const segments = reference.slice(2).split('/')
      expect(
        segments.reduce<unknown>((place, segment) => (place as JsonObject)?.[segment], document),
        reference,
      ).toBeDefined()
    }
  })
})

describe('a defect is seen', () => {
  test.for<[string, (document: Broken) => void]>([
    ['a path without a slash', (document) => rename(document.paths, '/v1/tools/odd_tree', 'v1/tools/odd_tree')],
    ['a body without content', (document) => delete document.paths['/v1/tools/odd_tree'].post.requestBody.content],
    [
      'a response without a description',
      (document) => delete document.paths['/v1/tools/odd_tree'].post.responses[200].description,
    ],
    ['a status that is none', (document) => rename(document.paths['/v1/tools/odd_tree'].post.responses, '200', '2000')],
    ['a component with an odd name', (document) => rename(document.components.schemas, 'ToolList', 'Tool list')],
  ])('by the validator: %s', async ([, spoil]) => {
    const document = structuredClone(odd) as unknown as Broken
    spoil(document)
    expect(await new Validator().validate(document)).toHaveProperty('valid', false)
  })

  test('by the metaschema: an unknown type', () => {
    const document = structuredClone(odd) as unknown as Broken
    document.components.schemas['odd_tree.Input'].type = 'objekt'
    expect(findBadSchemas(document)).toEqual(['odd_tree.Input'])
  })

  test('by redocly lint: a reference to nothing, a name used twice, a bad example and an unused component', () => {
    const document = structuredClone(odd) as unknown as Broken
    const { paths, components } = document
    paths['/v1/tools/odd_tree'].post.requestBody.content['application/json'].schema.$ref = '#/components/schemas/absent'
    paths['/v1/tools/odd_old'].post.operationId = 'odd_tree'
    paths['/v1/tools/odd_forms'].post.requestBody.content['application/json'].examples['example-1'].value.pair = 5
    components.responses.Unused = { description: 'Never used.' }
    const { status, problems } = lint(document)
    expect(status).toBe(1)
    for (const rule of [
      'no-unresolved-refs',
      'operation-operationId-unique',
      'no-invalid-media-type-examples',
      'no-unused-components',
    ])
      expect(problems).toContain(rule)
  })
})

// biome-ignore lint/suspicious/noExplicitAny: a document that is about to be broken has no type
type Broken = any

function rename(object: Record<string, unknown>, from: string, to: string) {
  object[to] = object[from]
  delete object[from]
}

/** Runs the real command. A warning counts like an error. */
function lint(...documents: JsonObject[]): { status: number | null; problems: string[] } {
  const folder = makeFolder()
  const files = documents.map((document, index) => {
    const file = join(folder, `openapi-${index}.json`)
    writeFileSync(file, JSON.stringify(document))
    return file
  })
  const command = join(root, 'node_modules/@redocly/cli/bin/cli.js')
  const config = join(root, 'test/openapi-client/redocly.yaml')
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [command, 'lint', ...files, '--config', config, '--format', 'json', '--max-problems', '1000'],
    {
      encoding: 'utf8',
      timeout: 120_000,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  )
  // It says something about each file.
  const said = stdout.slice(stdout.indexOf('{')).split(/(?<=^\})(?=\{)/m)
  if (said.length !== files.length) throw new Error(`redocly lint left something out: ${stdout} ${stderr}`)
  const problems = said.flatMap((text) => (JSON.parse(text) as { problems: { ruleId: string }[] }).problems)
  return { status, problems: problems.map(({ ruleId }) => ruleId) }
}

function findBadSchemas(document: JsonObject): string[] {
  const { schemas } = document.components as { schemas: Record<string, JsonObject> }
  const ajv = new Ajv2020({ strict: false, logger: false })
  return Object.keys(schemas).filter((name) => !ajv.validateSchema(schemas[name]!))
}

function findReferences(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) =>
    key === '$ref' && typeof part === 'string' ? [part] : findReferences(part),
  )
}

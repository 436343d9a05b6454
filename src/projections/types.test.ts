import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import type { ContractSource } from '../contract/contract.ts'
import { defineTool } from '../contract/define-tool.ts'
import type { Validate } from '../contract/define-validator.ts'
import { toolsets } from '../toolsets/index.ts'
import { toTypes, toValidators } from './types.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolpact-types-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

/** The compiler's errors for declarations and a program that uses them. */
function compile(types: string, program: string, name = 'types.d.ts'): string {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2024',
    lib: ['es2024'],
    module: 'nodenext',
    types: [],
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions,
      files: [name, 'program.ts', ...readdirSync(folder).filter((file) => file === 'given.d.ts')],
    }),
  )
  rmSync(join(folder, 'types.ts'), { force: true })
  writeFileSync(join(folder, name), types)
  writeFileSync(
    join(folder, 'program.ts'),
    `import ${name === 'types.ts' ? '' : 'type '}* as t from './types.js'\n${program}`,
  )
  try {
    return execFileSync(process.execPath, [compiler, '--project', folder], { cwd: folder, encoding: 'utf8' })
  } catch (cause) {
    return (cause as { stdout: string }).stdout
  }
}

const object = { type: 'object', properties: {}, additionalProperties: false } as const

function toEntry(source: Partial<ContractSource> & { name: string }) {
  const base = { description: 'Probes.', risk: 'read_only', input: object, output: object } as const
  return { name: source.name, tool: defineTool<ContractSource>({ ...base, ...source }, () => ({})) }
}

test('every built-in tool has types that compile', async () => {
  const sets = await Promise.all(Object.values(toolsets).map((load) => load()))
  const entries = sets.flatMap(({ name, tools }) =>
    tools.map((tool) => ({ name: `${name}.${tool.contract.name}`, tool })),
  )
  const { result, withheld } = await toTypes(entries)
  expect(withheld).toEqual([])
  const program = `
    const input: t.WorkspaceCreateFileInput = { path: 'a', content: 'b' }
    const greeting: t.Tools['learning.hello']['output'] = { greeting: 'Hello, Ada!' }
    const code: t.Tools['workspace.create_file']['error'] = 'file_exists'
    const own: t.PipelineError = 'denied'
    // @ts-expect-error content is missing
    const short: t.WorkspaceCreateFileInput = { path: 'a' }
    // @ts-expect-error there is no such property
    const long: t.WorkspaceCreateFileInput = { path: 'a', content: 'b', mode: 1 }
    // @ts-expect-error the tool declares no such code
    const wrong: t.WorkspaceCreateFileError = 'no_such_code'
    export { input, greeting, code, own, short, long, wrong }`
  expect(compile(result, program)).toBe('')
})

test('every form of a schema becomes a type that takes what the schema takes', async () => {
  const { result } = await toTypes([
    toEntry({
      name: 'forms',
      input: {
        type: 'object',
        required: ['tree', 'mixed'],
        properties: {
          tree: { $ref: '#/$defs/tree' },
          mixed: { type: ['string', 'null'] },
          choice: { enum: ['a', 2, null, ['x'], { y: 1 }] },
          pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false, minItems: 1 },
          map: { type: 'object', additionalProperties: { type: 'number' } },
          both: {
            allOf: [
              { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
              { $ref: '#/$defs/tree' },
            ],
          },
          either: {
            oneOf: [{ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'boolean' }] } }, { const: 'none' }],
          },
          'odd-name': { type: 'boolean', description: 'Ends */ early\nand goes on', default: true },
          anything: true,
        },
        additionalProperties: false,
        $defs: {
          tree: {
            type: 'object',
            properties: { children: { type: 'array', items: { $ref: '#/$defs/tree' } }, up: { $ref: '#' } },
            required: ['children'],
          },
        },
      },
    }),
  ])
  const program = `
    const tree = { children: [{ children: [] }], more: 1 }
    const good: t.FormsInput[] = [
      { tree, mixed: null },
      { tree, mixed: 'a', choice: { y: 1 }, pair: ['a'], map: { a: 1 }, both: { a: 'a', children: [] } },
      { tree, mixed: 'a', choice: ['x'], pair: ['a', 1], either: ['a', true], 'odd-name': true, anything: Symbol() },
    ]
    const nothing: t.FormsOutput = {}
    // @ts-expect-error a tree has children
    const one: t.FormsInput = { tree: {}, mixed: null }
    // @ts-expect-error no third choice
    const two: t.FormsInput = { tree, mixed: null, choice: 'c' }
    // @ts-expect-error the pair has two items at most
    const three: t.FormsInput = { tree, mixed: null, pair: ['a', 1, 2] }
    // @ts-expect-error children go all the way down
    const four: t.FormsInput = { tree: { children: [{ children: [1] }] }, mixed: null }
    // @ts-expect-error a is required
    const five: t.FormsInput = { tree, mixed: null, both: { children: [] } }
    // @ts-expect-error nothing is declared
    const six: t.FormsOutput = { a: 1 }
    // @ts-expect-error no codes of its own
    const seven: t.FormsError = 'denied'
    export { good, nothing, one, two, three, four, five, six, seven }`
  expect(compile(result, program)).toBe('')
})

test('colliding names are made unique, also against the fixed ones', async () => {
  const { result } = await toTypes(['a.b', 'a_b', 'tools', '7'].map((name) => ({ ...toEntry({ name: 'x' }), name })))
  const program = `
    type All = [t.ABInput, t.ABInput2, t.ToolsInput, t.T7Error]
    const names: (keyof t.Tools)[] = ['a.b', 'a_b', 'tools', '7']
    export { type All, names }`
  expect(compile(result, program)).toBe('')
})

test('validators are typed, and hold values to the contracts', async () => {
  const entry = toEntry({
    name: 'size',
    output: {
      type: 'object',
      required: ['bytes'],
      additionalProperties: false,
      properties: { bytes: { type: 'integer', description: 'How many\u2028lines' } },
    },
  })
  const { result } = await toValidators([entry])
  const library = new URL('../contract/define-validator.ts', import.meta.url).href
  writeFileSync(join(folder, 'validators.ts'), result.replace("from 'toolpact'", `from '${library}'`))
  const { validators } = (await import(pathToFileURL(join(folder, 'validators.ts')).href)) as {
    validators: { size: { input: Validate<object>; output: Validate<{ bytes: number }> } }
  }
  expect(await validators.size.output({ bytes: 3 })).toEqual({ valid: true, value: { bytes: 3 } })
  expect(await validators.size.output({ bytes: '3' })).toMatchObject({ problems: [{ pointer: '/bytes' }] })
  expect(await validators.size.input({ more: 1 })).toMatchObject({ valid: false })
  const given = `declare module 'toolpact' { export function defineValidator<V>(schema: object): (value: unknown) => Promise<{ valid: true; value: V }> }`
  writeFileSync(join(folder, 'given.d.ts'), given)
  const program = `
    type Size = Awaited<ReturnType<typeof t.validators.size.output>>['value']
    const bytes: keyof Size = 'bytes'
    // @ts-expect-error there is no such property
    const wrong: keyof Size = 'lines'
    export { bytes, wrong }`
  expect(compile(result, program, 'types.ts')).toBe('')
})

test('planned tools are left out, deprecated ones are marked, bad ones withheld', async () => {
  const { result, withheld } = await toTypes([
    toEntry({ name: 'later', status: 'planned' }),
    toEntry({ name: 'former', status: 'deprecated' }),
    toEntry({ name: 'bad', output: { type: 'strng' as 'string' } }),
  ])
  expect(result).not.toContain('Later')
  expect(result).toContain('  /**\n   * Probes.\n   * @deprecated\n   */\n  "former": ')
  expect(withheld).toEqual([{ tool: 'bad', reason: expect.stringContaining('"/output/type"') }])
})

test('the compiler that judges here is strict', () => {
  expect(compile('export type A = string', 'const a: t.A = null\nexport { a }')).toContain('TS2322')
  expect(readFileSync(join(folder, 'program.ts'), 'utf8')).toContain('null')
})

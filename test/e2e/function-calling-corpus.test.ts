import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Contract } from '../../src/contract/contract.ts'
import type { JsonSchema } from '../../src/contract/json.ts'
import { toListedNames } from '../../src/contract/listed-names.ts'
import { compileSchema } from '../../src/contract/schema/compile-schema.ts'
import { toAnthropicTools } from '../../src/projections/anthropic.ts'
import { toGeminiTools } from '../../src/projections/gemini.ts'
import { toOpenaiTools } from '../../src/projections/openai.ts'
import type { Listed } from '../../src/projections/projection.ts'
import { toTypes } from '../../src/projections/types.ts'
import { checkStrict } from '../helpers/check-strict.ts'

const folder = new URL('../../../shared/data/definitions/', import.meta.url)

describe.skipIf(!existsSync(folder))('schemas of real servers (needs ../shared/data)', () => {
  let entries: Listed[]
  let openai: Awaited<ReturnType<typeof toOpenaiTools>>
  let strictly: typeof openai
  let anthropic: Awaited<ReturnType<typeof toAnthropicTools>>
  beforeAll(async () => {
    entries = readdirSync(folder).flatMap(toEntries)
    openai = await toOpenaiTools(entries)
    strictly = await toOpenaiTools(entries, { strict: true })
    anthropic = await toAnthropicTools(entries)
  })

  function toEntries(file: string, _: number, files: readonly string[]): Listed[] {
    const { tools } = JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
    const schemas = new Map<string, JsonSchema>()
    for (const { name, inputSchema, outputSchema } of tools) {
      schemas.set(name, inputSchema)
      if (outputSchema) schemas.set(`${name}.output`, outputSchema)
    }
    const names = toListedNames(toToolset(file), [...schemas.keys()], files.map(toToolset))
    return [...schemas].map(([name, schema]) => toEntry(`${file}.${name}`, schema, names.get(name)))
  }

  function toToolset(file: string): string {
    return file.replace(/\.json$/, '').replace(/[^A-Za-z0-9_-]/g, '-')
  }

  function toEntry(name: string, input: JsonSchema, functionName = name): Listed {
    const contract = { name, description: '', status: 'active', input, output: input, errors: [], examples: [] }
    return { name, functionName, tool: { contract: contract as unknown as Contract } }
  }

  test('there are as many as there should be', () => {
    expect(entries.length).toBe(1957)
  })

  test('every one is offered to every consumer, each under a name of its own', async () => {
    for (const names of [
      openai.result.map((tool) => tool.function.name),
      strictly.result.map((tool) => tool.function.name),
      anthropic.result.map((tool) => tool.name),
      (await toGeminiTools(entries)).result[0]!.functionDeclarations.map((tool) => tool.name),
    ]) {
      expect(new Set(names).size).toBe(entries.length)
      for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,45}$/)
    }
  })

  test('broken ones among them withhold themselves alone', async () => {
    const bad = [{ type: 'strng' }, { type: 'object', required: 'a' }, { $ref: '#/nowhere' }, null].map(
      (input, index) => toEntry(`bad${index}`, input as unknown as JsonSchema),
    )
    const { result, withheld } = await toOpenaiTools([...bad, ...entries.slice(0, 50)], { strict: true })
    expect(result).toHaveLength(50)
    expect(withheld.map(({ tool }) => tool)).toEqual(['bad0', 'bad1', 'bad2', 'bad3'])
  })

  test('every schema that is called strict keeps the rules of strict mode', () => {
    const { result, losses } = strictly
    const strict = result.filter((tool) => tool.function.strict)
    expect(strict.length).toBeGreaterThan(1_700)
    const faults = strict.flatMap((tool) => checkStrict(tool.function.parameters).map((f) => [tool.function.name, f]))
    expect(faults).toEqual([])
    const reasons = losses.filter(({ note }) => note.startsWith('Not strict: '))
    expect(reasons).toHaveLength(result.length - strict.length)
  })

  test('every projected schema is a schema, with an object at its root and no union there', async () => {
    const schemas = openai.result.map((tool) => tool.function.parameters)
    for (const schema of [...schemas, ...anthropic.result.map((tool) => tool.input_schema)]) {
      expect(schema.type).toBe('object')
      expect(Object.keys(schema)).not.toContain('anyOf')
      expect(Object.keys(schema)).not.toContain('oneOf')
      expect(Object.keys(schema)).not.toContain('allOf')
    }
    // To compile one takes milliseconds; every twentieth tells enough.
    for (const [index, schema] of schemas.entries()) if (index % 20 === 0) await compileSchema(schema as JsonSchema)
  })

  test('the types of all of them compile', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolpact-corpus-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    writeFileSync(join(folder, 'tools.ts'), (await toTypes(entries)).result)
    const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
    const flags = ['--strict', '--noEmit', '--ignoreConfig', '--types', '', '--lib', 'es2024', 'tools.ts']
    expect(execFileSync(process.execPath, [compiler, ...flags], { cwd: folder, encoding: 'utf8' })).toBe('')
  })
})

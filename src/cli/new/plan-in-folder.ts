import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { readAbout } from '../../app/contract-folders/read-about.ts'
import type { ContractSource } from '../../contract/contract.ts'
import type { JsonValue } from '../../contract/json.ts'
import { toShellWord } from '../../contract/text/shell-word.ts'
import { UsageError } from '../options/command.ts'
import { toCommand } from '../options/to-input.ts'
import type { PlannedFiles } from './to-code.ts'
import { quote, toCode } from './to-code.ts'
import type { Field, WantedTool } from './wanted-tool.ts'

/** A tool in a user's folder: contract, handler, and a test for node:test. */
export async function planInFolder(folder: string, wanted: WantedTool, source: ContractSource): Promise<PlannedFiles> {
  const { name } = wanted
  refuseTwin(folder, name)
  const id = `${(await readAbout(folder)).name}.${name}`
  const extension = chooseExtension(folder)
  const handler = join(folder, `${name}.${extension}`)
  const test = join(folder, `${name}.test.${extension}`)
  const contract = toCode(source as unknown as JsonValue, { language: 'json', isSpread: true })
  const example = source.examples![0]!
  return {
    id,
    created: [
      { path: join(folder, `${name}.contract.json`), text: `${contract}\n`, about: 'what it promises' },
      { path: handler, text: toHandler(wanted), about: 'what it does: still to be written' },
      { path: test, text: toTest(name, id), about: 'a test, which fails until then' },
    ],
    changed: [],
    next: [
      `Write run in ${handler}.`,
      ...(wanted.examples.length > 0
        ? []
        : [`Put a real call under examples in ${join(folder, `${name}.contract.json`)}.`]),
      ...(isInstalled(folder) ? [] : ['npm install --save-dev toolpact']),
      `node --test ${toShellWord(test)}`,
      `${toCommand(id, example.input, source.input)} --contracts ${toShellWord(folder)}`,
    ],
  }
}

/** Colliding names would cause both tools to be withheld. */
export function refuseTwin(folder: string, name: string): void {
  const stems = existsSync(folder)
    ? readdirSync(folder).map((file) => /^(.+)\.(?:contract|workflow)\.(?:json|ya?ml)$/.exec(file)?.[1])
    : []
  const twin = stems.find((stem) => stem !== undefined && fold(stem) === fold(name))
  if (twin !== undefined)
    throw new UsageError(`There is a tool '${twin}' in ${folder} already.`, 'Choose a name that differs in more than case and separators.') // biome-ignore format: one line
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

/** Uses .mts if the folder has no package.json with "type": "module". */
function chooseExtension(folder: string): 'ts' | 'mts' {
  for (let place = resolve(folder); ; place = dirname(place)) {
    const file = join(place, 'package.json')
    if (existsSync(file)) return /"type"\s*:\s*"module"/.test(readFileSync(file, 'utf8')) ? 'ts' : 'mts'
    if (place === dirname(place)) return 'ts'
  }
}

function isInstalled(folder: string): boolean {
  try {
    createRequire(join(resolve(folder), 'x.js')).resolve('toolpact/package.json')
    return true
  } catch {
    return false
  }
}

function toHandler({ name, params, returns, errors }: WantedTool): string {
  const codes = errors.map(({ code }) => quote(code)).join(' | ')
  const types = [toType(params), toType(returns), ...(codes ? [codes] : [])]
  const line = `export const run: Handler<${types.join(', ')}> = () => {`
  const broken = `export const run: Handler<\n${types.map((type) => `  ${type}`).join(',\n')}\n> = () => {`
  return `import type { Handler } from 'toolpact'

/**
 * Honours ${name}.contract.json. Its parameters are (input, context, capabilities): the input is valid, the output is
 * checked, and context.fail(code, message) makes a failure that the contract declares. To use the world outside, list what
 * you need: export const needs = ['files'].
 */
${line.length <= 120 ? line : broken}
  throw new Error('${name} is not implemented yet.')
}
`
}

function toType(fields: readonly Field[]): string {
  const members = fields.map(({ name, type, isList, isOptional }) => {
    const base = type === 'integer' ? 'number' : type
    return `${name}${isOptional ? '?' : ''}: ${base}${isList ? '[]' : ''}`
  })
  return members.length === 0 ? 'Record<string, never>' : `{ ${members.join('; ')} }`
}

function toTest(name: string, id: string): string {
  return `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runExamples } from 'toolpact'

// Each example of the contract is a call that must come out as it says.
for (const { title, problem } of await runExamples('${id}', { contracts: [import.meta.dirname] })) {
  test(\`${name}: \${title}\`, () => assert.equal(problem, undefined))
}
`
}

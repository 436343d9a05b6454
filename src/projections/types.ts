import type { Contract } from '../contract/contract.ts'
import { pipelineErrors } from '../contract/error-codes.ts'
import type { JsonObject } from '../contract/json.ts'
import { findTarget } from '../contract/schema/local-reference.ts'
import { printableJson } from '../contract/text/printable.ts'
import { findFault, type Listed, type Projection, toCallable, type Withheld } from './projection.ts'
import { toComment, toTypeText } from './types/schema-type.ts'

/** A tool under the name by which a program calls it. */
type Named = Pick<Listed, 'name' | 'tool'>

/**
 * Contracts as TypeScript: for each tool the types of its input, output and declared error codes, and `Tools`, which
 * maps the names by which a program calls tools to them.
 */
export async function toTypes(entries: readonly Named[]): Promise<Projection<string>> {
  const { tools, withheld } = await declareTools(entries)
  return { result: toText('types', tools).join('\n'), losses: [], withheld }
}

/** The same types, and for each tool functions that validate values against its contract: an executable module. */
export async function toValidators(entries: readonly Named[]): Promise<Projection<string>> {
  const { tools, withheld } = await declareTools(entries)
  const members = tools.map(({ name, contract, input, output }) => {
    const sides = [
      `    input: defineValidator<${input}>(${printableJson(contract.input)}),\n`,
      `    output: defineValidator<${output}>(${printableJson(contract.output)}),\n`,
    ]
    return `  ${JSON.stringify(name)}: {\n${sides.join('')}  },\n`
  })
  const text = [
    ...toText('validators', tools),
    `/** Validators for the contract of each tool: \`await validators[name].output(value)\`. */\nexport const validators = {\n${members.join('')}}\n`,
  ]
  text.splice(1, 0, "import { defineValidator } from 'toolpact'\n")
  return { result: text.join('\n'), losses: [], withheld }
}

interface DeclaredTool {
  readonly name: string
  readonly contract: Contract
  readonly declarations: readonly string[]
  /** Names of types. */
  readonly input: string
  readonly output: string
  readonly error: string
}

async function declareTools(entries: readonly Named[]) {
  const withheld: Withheld[] = []
  const give = createNames()
  const tools: DeclaredTool[] = []
  for (const { name, contract } of toCallable(entries)) {
    const reason = (await findFault(contract, 'input')) ?? (await findFault(contract, 'output'))
    if (reason !== undefined) {
      withheld.push({ tool: name, reason })
      continue
    }
    tools.push({ name, contract, ...toDeclarations(name, contract, give) })
  }
  return { tools, withheld }
}

function toText(format: string, tools: readonly DeclaredTool[]): string[] {
  const members = tools.map(({ name, contract, input, output, error }) => {
    const member = `${JSON.stringify(name)}: { input: ${input}; output: ${output}; error: ${error} }`
    return `${toComment(wordsOf(contract), '  ')}  ${member}\n`
  })
  const codes = `export type PipelineError = ${toUnion(Object.keys(pipelineErrors))}\n`
  return [
    `// Inputs, outputs and error codes of tools. Written by \`toolpact export ${format}\`.\n`,
    ...tools.flatMap(({ declarations }) => declarations),
    `/** Every tool by the name under which a program calls it. */\nexport interface Tools {\n${members.join('')}}\n`,
    `/** Codes with which a call of any tool may fail. */\n${codes}`,
  ]
}

type GiveName = (wanted: string) => string

function toDeclarations(name: string, contract: Contract, give: GiveName) {
  const base = toPascalCase(name)
  const input = declareSchema(give(`${base}Input`), contract.input as JsonObject, give)
  const output = declareSchema(give(`${base}Output`), contract.output as JsonObject, give)
  const error = give(`${base}Error`)
  const codes = toUnion(contract.errors.map(({ code }) => code))
  const declarations = [...input.text, ...output.text, `export type ${error} = ${codes}\n`]
  return { input: input.name, output: output.name, error, declarations }
}

/** The schema as a type of that name, with a type for everything it refers to. */
function declareSchema(name: string, root: JsonObject, give: GiveName) {
  const names = new Map([['', name]])
  const text: string[] = []
  const nameOf = (reference: string): string => {
    const target = findTarget(root, reference)
    if (!target.found) return 'unknown'
    const known = names.get(target.pointer)
    if (known !== undefined) return known
    const given = give(`${name}${toPascalCase(target.pointer.slice(target.pointer.lastIndexOf('/') + 1))}`)
    names.set(target.pointer, given)
    declare(given, target.schema as JsonObject)
    return given
  }
  const declare = (given: string, schema: JsonObject) => {
    const type = toTypeText(schema, nameOf)
    text.unshift(`${toComment(typeof schema === 'object' ? schema : {})}export type ${given} = ${type}\n`)
  }
  declare(name, root)
  return { name, text }
}

function wordsOf({ description, status }: Contract): JsonObject {
  return { description, deprecated: status === 'deprecated' }
}

function toUnion(codes: readonly string[]): string {
  return codes.length === 0 ? 'never' : codes.map((code) => JSON.stringify(code)).join(' | ')
}

/** `workspace.create_file` becomes `WorkspaceCreateFile`. */
function toPascalCase(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  const joined = words.join('')
  return /^[A-Za-z]/.test(joined) ? joined : `T${joined}`
}

/** Makes names unique by appending a number. */
function createNames(): GiveName {
  const taken = new Set(['Tools', 'PipelineError'])
  return (wanted) => {
    let name = wanted
    for (let count = 2; taken.has(name); count++) name = `${wanted}${count}`
    taken.add(name)
    return name
  }
}

import { type Contract, type Example, operatorService, toReturnedKinds } from '../../contract/contract.ts'
import type { JsonObject, JsonSchema } from '../../contract/json.ts'
import { printable, printableJson } from '../../contract/text/printable.ts'
import { readClaim } from '../../policy/looks-like-read.ts'
import { type Command, commandCaller, UsageError } from '../options/command.ts'
import { findTool } from '../options/find-tool.ts'
import { toCommand } from '../options/to-input.ts'
import { toColumns } from '../terminal/columns.ts'
import { toCommandLines } from '../terminal/command-lines.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Line, type Part, paint } from '../terminal/terminal.ts'

export const show: Command = {
  usage: ['show TOOL'],
  about: "Shows a tool's contract: parameters, output, errors, limits, and examples to copy.",
  options: {},
  examples: [
    ['toolpact show learning.hello', 'for people'],
    ['toolpact show learning.hello --json', 'the contract itself'],
  ],
  next: (before) => (before.length === 0 ? 'tool' : undefined),
  pages: () => true,
  async run({ positionals, options, terminal, open }) {
    const [name, ...more] = positionals
    if (name === undefined) throw new UsageError('show needs the name of a tool.', 'Run `toolpact list` to see them.')
    if (more.length > 0) throw new UsageError(`show takes one name, but also got '${more[0]}'.`)
    const toolpact = await open({ storage: 'memory' })
    const found = await findTool(toolpact, name, commandCaller)
    await toolpact.close()
    terminal.print(...(options.json ? [printableJson(found.contract)] : toContractLines(found, terminal.columns)))
    return exitCodes.success
  },
}

function toContractLines(
  { id, contract, claimsToRead, workflow }: Awaited<ReturnType<typeof findTool>>,
  width?: number,
): Line[] {
  const { title, version, status, description, risk, approval } = contract
  return [
    [paint('bold', printable(id)), `  ${printable(title)} · version ${printable(version)}`],
    ...(status === 'active' ? [] : [paint('yellow', `This tool is ${status}.`)]),
    description,
    '',
    `Risk ${risk}; ${approval === 'ask' ? 'a call asks for approval' : 'a call asks for no approval'}.`,
    ...(claimsToRead ? [readClaim] : []),
    ...toPlaceLines(contract),
    ...toEffectLines(contract),
    ...toSection('Parameters', toFieldLines(contract.input, { isInput: true, width })),
    ...toSection('Output', toFieldLines(contract.output, { isInput: false, width })),
    ...(workflow ? toSection('Steps', toWorkflowLines(workflow, width)) : []),
    ...toSection('Errors of its own', toErrorLines(contract, width)),
    ...toSection('Limits', toLimitLines(contract)),
    ...toSection(
      'Examples',
      contract.examples.flatMap((example) => toExampleLines(example, { id, contract, width })),
    ),
  ]
}

function toSection(title: string, lines: readonly Line[]): Line[] {
  return ['', paint('bold', title), ...(lines.length > 0 ? lines : ['  none'])]
}

/** The steps of a workflow, in their order. Its document is checked before it is served. */
function toWorkflowLines({ steps, approval }: JsonObject, width: number | undefined): Line[] {
  const rows = (steps as JsonObject[]).map((step): Part[] => {
    const { id, tool, when, forEach, approval, onError } = step
    const notes = [
      when !== undefined && 'if its condition is true',
      forEach !== undefined && 'for each item',
      approval === 'ask' && 'always asks',
      onError === 'continue' && 'goes on if it fails',
      typeof onError === 'object' && 'is compensated if it fails',
    ]
    return [`  ${id}`, typeof tool === 'string' ? tool : 'waits', notes.filter(Boolean).join(', ')]
  })
  const one = approval === 'plan' ? ['  One approval in advance covers all steps.'] : []
  return [...toColumns(rows, { width }), ...one]
}

function toPlaceLines({ transport, endpoint }: Contract): Line[] {
  const places = [transport && `over ${printable(transport)}`, endpoint && `at ${printable(endpoint)}`].filter(Boolean)
  return places.length > 0 ? [`Reached ${places.join(', ')}.`] : []
}

function toEffectLines({ effects }: Contract): Line[] {
  const words = { reads: 'Reads', writes: 'Writes', fetches: 'Fetches', runs: 'Runs', sends: 'Sends data to' }
  const returned = toReturnedKinds(effects)
  const { sendsTo = [] } = effects
  return [
    ...Object.entries(words)
      .map(([kind, word]) => ({ word, fields: effects[kind as keyof typeof words] ?? [] }))
      .filter(({ fields }) => fields.length > 0)
      .map(({ word, fields }) => `${word} what ${fields.map(printable).join(', ')} names.`),
    ...(sendsTo.length > 0 ? [`Sends data to ${sendsTo.map(toReceiver).join(', ')}.`] : []),
    ...(returned.length > 0 ? [`Returns ${returned.join(' and ')} data.`] : []),
  ]
}

function toReceiver(name: string): string {
  return name === operatorService ? 'a service that the operator configured' : printable(name)
}

function toFieldLines(
  schema: Contract['input'],
  { isInput, width }: { isInput: boolean; width: number | undefined },
): Line[] {
  return toColumns(
    toSchemaRows(schema).map(({ name, type, required, notes, description }) => [
      `  ${name}`,
      paint('cyan', type),
      required === isInput ? (isInput ? 'required' : 'optional') : '',
      [description, notes.length > 0 ? `(${notes.join(', ')})` : ''].filter(Boolean).join(' '),
    ]),
    { width },
  )
}

function toErrorLines({ errors }: Contract, width: number | undefined): Line[] {
  return toColumns(
    errors.map(({ code, status, when, suggestion }) => [`  ${code}`, `${status}`, `${when} ${suggestion}`]),
    { width },
  )
}

function toLimitLines({ limits }: Contract): Line[] {
  const { calls, concurrency, timeoutMs, inputBytes, outputBytes } = limits
  return toColumns([
    ...(calls ? [['  calls', `${calls.count} in ${toTime(calls.windowMs)}, per caller`]] : []),
    ...(concurrency === undefined ? [] : [['  at once', `${concurrency}`]]),
    ['  time', toTime(timeoutMs)],
    ['  input', toSize(inputBytes)],
    ['  output', toSize(outputBytes)],
  ])
}

function toExampleLines(
  { title, input, output, error }: Example,
  { id, contract, width }: { id: string; contract: Contract; width: number | undefined },
): Line[] {
  return [
    ...(title === undefined ? [] : [paint('dim', `  # ${printable(title)}`)]),
    ...toCommandLines(printable(toCommand(id, input, contract.input)), { width, before: '  ' }),
    paint('dim', `    → ${error === undefined ? printableJson(output ?? {}) : printable(error)}`),
  ]
}

function toTime(milliseconds: number): string {
  if (milliseconds % 60_000 === 0) return `${milliseconds / 60_000} min`
  return milliseconds % 1000 === 0 ? `${milliseconds / 1000} s` : `${milliseconds} ms`
}

function toSize(bytes: number): string {
  if (bytes % 1_048_576 === 0) return `${bytes / 1_048_576} MiB`
  return bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${bytes} bytes`
}

/** A field of an input or output, as text. */
interface SchemaRow {
  /** Path of the field, such as `options.depth` or `tags[]`. */
  readonly name: string
  readonly type: string
  readonly required: boolean
  /** Default and limits, as text. */
  readonly notes: readonly string[]
  readonly description: string
}

const maxRows = 200
const deepest = 5

/** Flattens an object schema; nested fields follow their parent. */
export function toSchemaRows(schema: JsonSchema): SchemaRow[] {
  const rows: SchemaRow[] = []
  addFields(schema, '', rows, 0)
  return rows
}

function addFields(schema: JsonSchema, prefix: string, rows: SchemaRow[], depth: number) {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (rows.length >= maxRows) return
    const field = typeof property === 'object' ? property : {}
    rows.push({
      name: prefix + name,
      type: property === false ? 'never' : toTypeText(field),
      required: schema.required?.includes(name) ?? false,
      notes: toNotes(field),
      description: typeof field.description === 'string' ? field.description : '',
    })
    if (depth === deepest) continue
    addFields(field, `${prefix}${name}.`, rows, depth + 1)
    if (isSchema(field.items)) addFields(field.items, `${prefix}${name}[].`, rows, depth + 1)
  }
}

function toTypeText(schema: JsonSchema, depth = 0): string {
  const { type, enum: choices, const: only, anyOf, oneOf, items, $ref } = schema
  if (Array.isArray(choices)) return choices.map((choice) => JSON.stringify(choice)).join(' | ')
  if (only !== undefined) return JSON.stringify(only)
  if (type === 'array' && isSchema(items) && depth < deepest) return `array of ${toTypeText(items, depth + 1)}`
  if (type !== undefined) return [type].flat().join(' | ')
  const branches = [anyOf, oneOf].flat().filter(isSchema)
  if (branches.length > 0 && depth < deepest) return branches.map((branch) => toTypeText(branch, depth + 1)).join(' | ')
  return typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : 'any'
}

/** Texts of keywords; `#` is replaced by the keyword's value. */
const bounds: readonly (readonly [keyword: string, words: string])[] = [
  ['default', 'default #'],
  ['minimum', 'at least #'],
  ['exclusiveMinimum', 'more than #'],
  ['maximum', 'at most #'],
  ['exclusiveMaximum', 'less than #'],
  ['multipleOf', 'a multiple of #'],
  ['minLength', 'at least # characters'],
  ['maxLength', 'at most # characters'],
  ['pattern', 'matches #'],
  ['format', 'format #'],
  ['minItems', 'at least # items'],
  ['maxItems', 'at most # items'],
  ['uniqueItems', 'no item twice'],
  ['minProperties', 'at least # keys'],
  ['maxProperties', 'at most # keys'],
]

function toNotes(schema: JsonSchema): string[] {
  return bounds
    .filter(([keyword]) => schema[keyword] !== undefined && schema[keyword] !== false)
    .map(([keyword, words]) => {
      const value = schema[keyword]
      const bare = keyword === 'pattern' || keyword === 'format'
      return words.replace('#', () => (bare ? String(value) : JSON.stringify(value)))
    })
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

import type { Contract } from '../../contract/contract.ts'
import type { JsonSchema, JsonValue } from '../../contract/json.ts'

/** A searchable part of a contract. */
export interface Field {
  readonly text: string
  readonly weight: number
  /** Typical length of such a text: in a longer one each word counts less. */
  readonly usualWords: number
}

/** Limits what one tool adds to the index: a server must not win, or exhaust memory, with long texts. */
const maxTextCharacters = 4000
const maxParameters = 100
const maxDepth = 3
const maxExamples = 10

const weights = {
  name: 3,
  title: 1,
  toolset: 1,
  description: 2.5,
  parameterName: 1.5,
  parameterText: 1.5,
  example: 0.5,
}

/** The searchable text of a tool, with weights. */
export function toFields(toolset: string, contract: Contract): Field[] {
  const { name, title, description, input, examples } = contract
  const parameters: Parameter[] = []
  collectParameters(input, parameters, 1)
  return [
    { text: name, weight: weights.name, usualWords: 3 },
    { text: title, weight: weights.title, usualWords: 3 },
    { text: toolset, weight: weights.toolset, usualWords: 2 },
    { text: description.slice(0, maxTextCharacters), weight: weights.description, usualWords: 40 },
    { text: join(parameters.map((each) => each.name)), weight: weights.parameterName, usualWords: 8 },
    { text: join(parameters.map((each) => each.text)), weight: weights.parameterText, usualWords: 40 },
    { text: join(examples.slice(0, maxExamples).map(toExampleText)), weight: weights.example, usualWords: 20 },
  ]
}

interface Parameter {
  readonly name: string
  /** Its description and possible values. */
  readonly text: string
}

function collectParameters(schema: JsonSchema, found: Parameter[], depth: number): void {
  for (const [name, value] of Object.entries((schema.properties ?? {}) as { [name: string]: JsonSchema })) {
    if (found.length >= maxParameters) return
    if (typeof value !== 'object' || value === null) continue
    const values = Array.isArray(value.enum) ? value.enum.slice(0, 50).filter((each) => typeof each === 'string') : []
    found.push({ name, text: `${typeof value.description === 'string' ? value.description : ''} ${values.join(' ')}` })
    if (depth === maxDepth) continue
    collectParameters(value, found, depth + 1)
    collectParameters((value.items ?? {}) as JsonSchema, found, depth + 1)
  }
}

function toExampleText({ title = '', input }: Contract['examples'][number]): string {
  return `${title} ${toText(input)}`
}

function toText(value: JsonValue): string {
  if (typeof value === 'string') return value.slice(0, 200)
  if (typeof value !== 'object' || value === null) return ''
  return Object.values(value).slice(0, 20).map(toText).join(' ')
}

function join(texts: readonly string[]): string {
  return texts.join(' ').slice(0, maxTextCharacters)
}

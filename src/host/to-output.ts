import { type Fault, withEvidence, withFault } from '../contract/evidence.ts'
import { isObject, type JsonObject, type JsonValue } from '../contract/json.ts'
import { toOpaqueOutput } from '../contract/opaque-output.ts'
import { compileSchema } from '../contract/schema/compile-schema.ts'
import { parseJson } from '../contract/schema/parse-json.ts'
import { shorten } from '../contract/text/shorten.ts'
import type { Admitted, OutputForm } from './admission/verdict.ts'

/**
 * The interpretation of a server's result: an output for the pipeline to validate, with content to attach, or the message
 * of a failure that the tool reports. Text that accompanies structured content is dropped unless the operator trusts the
 * server with it, so that a model reads only what was validated.
 */
export type Meaning = Answer | { readonly failure: string }

interface Answer {
  readonly output: JsonObject
  readonly attached?: readonly JsonValue[]
}

export function toMeaning(result: JsonObject, admitted: Shape): Meaning | Promise<Meaning> {
  if (result.isError === true) return toFailure(result, admitted)
  const { outputForm, passesText, requiresIsError } = admitted
  if (requiresIsError && result.isError === undefined) {
    return { output: withEvidence(toViolation(missingIsError), result) }
  }
  const output = toOutput(outputForm, result)
  // Records the original if characters were stripped, for review.
  if (outputForm === 'opaque') return { output: withEvidence(output, result, isStripped(output, result)) }
  const blocks = Array.isArray(result.content) ? result.content : []
  const attached = blocks.filter((block) => isObject(block) && isAttached(block.type, passesText))
  return { output: withEvidence(output, result), ...(attached.length > 0 && { attached }) }
}

type Shape = Pick<Admitted, 'contract' | 'outputForm' | 'passesText' | 'requiresIsError'>

function isAttached(type: JsonValue | undefined, passesText: boolean): boolean {
  return type === 'text' ? passesText : ['image', 'audio', 'resource', 'resource_link'].includes(type as string)
}

/** Whether sanitizing changed a text. */
function isStripped(output: JsonObject, result: JsonObject): boolean {
  const sent = Array.isArray(result.content) ? result.content : []
  const kept = output.content as JsonObject[]
  return kept.some((block, index) => textOf(sent[index]) !== undefined && textOf(block) !== textOf(sent[index]))
}

function textOf(block: JsonValue | undefined): JsonValue | undefined {
  if (!isObject(block)) return undefined
  return block.text ?? (isObject(block.resource) ? block.resource.text : undefined)
}

/** A failure may carry an output too, which must match the contract. */
async function toFailure(result: JsonObject, { contract, outputForm }: Shape): Promise<Meaning> {
  if (result.structuredContent !== undefined && outputForm !== 'opaque') {
    const output = toOutput(outputForm, result)
    if ((await compileSchema(contract.output)).validate(output).length > 0)
      return { output: withEvidence(output, result) }
  }
  return { failure: toWords(result.content) }
}

function toOutput(form: OutputForm, result: JsonObject): JsonObject {
  const { structuredContent } = result
  switch (form) {
    case 'opaque':
      return toOpaqueOutput(result)
    case 'overlay':
      return toOverlaySource(result)
    case 'wrapped':
      return structuredContent === undefined ? missing() : { result: structuredContent }
    case 'structured':
      return isObject(structuredContent) ? structuredContent : missing(structuredContent)
  }
}

function missing(found?: JsonValue): JsonObject {
  const what = found === undefined ? 'none' : 'one that is not an object'
  return toViolation({ message: `The tool declares an output, and the server sent ${what} (structuredContent).` })
}

const missingIsError: Fault = {
  message: 'The result has no isError, which "responses": "strict" requires.',
  suggestion:
    'Report the server to its author. To accept such results, the operator removes "responses": "strict" from the entry of the server in the config.',
}

/** A list violates every contract, since outputs are objects. The fault explains the violation to callers. */
function toViolation(fault: Fault): JsonObject {
  return withFault([fault.message] as never, fault)
}

/**
 * The value that an attached schema describes: `structuredContent` if the server sends it, else its only text (parsed if
 * it is a JSON object, `{ result }` for a JSON array, `{ text }` otherwise), else quoted blocks.
 */
export function toOverlaySource(result: JsonObject): JsonObject {
  const { structuredContent, content } = result
  if (isObject(structuredContent)) return structuredContent
  if (structuredContent !== undefined) return { result: structuredContent }
  const [block, ...more] = Array.isArray(content) ? content : []
  if (more.length > 0 || !isObject(block) || block.type !== 'text' || typeof block.text !== 'string')
    return toOpaqueOutput(result)
  const { text } = block
  const parsed = /^\s*[[{]/.test(text) ? parseJson(text, { maxBytes: text.length * 4, maxDepth: 64 }) : undefined
  if (!parsed?.ok) return { text }
  return isObject(parsed.value) ? parsed.value : { result: parsed.value }
}

const maxWords = 2000

/** The text of a failure, shortened. Callers quote it. */
function toWords(content: JsonValue | undefined): string {
  let words = ''
  for (const block of Array.isArray(content) ? content : []) {
    if (words.length > maxWords) break
    if (isObject(block) && block.type === 'text' && typeof block.text === 'string')
      words += `${words && '\n'}${block.text.slice(0, maxWords + 1)}`
  }
  return shorten(words, maxWords)
}

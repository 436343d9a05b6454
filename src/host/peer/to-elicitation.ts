import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { findHiddenStrings } from '../../contract/text/hidden-strings.ts'
import { isSecretName } from '../../policy/secret-name.ts'
import { PeerRefusal } from '../connect/client.ts'
import { inQuotes } from '../connect/quote.ts'
import type { Quote } from '../connect/transport.ts'

export interface ElicitationOptions {
  /** The server's name in the config: the one that people know. */
  readonly server: string
  readonly quote: Quote
}

const maxMessage = 2000
const maxFields = 50
const maxTitle = 100
const maxDescription = 500
const maxUrl = 4000
const maxChoices = 500

/**
 * What the user is shown of a server's question: the server is named by the operator's name for it, its words are sanitized and
 * quoted, and only what MCP allows in a form is kept. Throws a `PeerRefusal` if the question may not be asked.
 */
export function toElicitation(params: JsonObject, options: ElicitationOptions): JsonObject {
  const { mode = 'form', message } = params
  if (typeof message !== 'string') throw invalid('an elicitation has a message')
  if (mode === 'url') return toUrlElicitation(params, message, options)
  if (mode !== 'form') throw invalid('the mode is form or url')
  const { server, quote } = options
  const requestedSchema = toFormSchema(params.requestedSchema, quote)
  refuseSecrets(requestedSchema, message)
  const intro = `The MCP server ${server}, which gets your answer, asks:`
  return { message: `${intro} ${inQuotes(quote(message, maxMessage))}`, requestedSchema }
}

function toUrlElicitation(
  { url, elicitationId }: JsonObject,
  message: string,
  { server, quote }: ElicitationOptions,
): JsonObject {
  const target = typeof url === 'string' && url.length <= maxUrl && URL.canParse(url) ? new URL(url) : undefined
  const isLocal = target?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(target.hostname)
  if (!target || (target.protocol !== 'https:' && !isLocal)) throw invalid('a page has an https address')
  if (target.username !== '' || target.password !== '') throw invalid('the address of a page has no credentials')
  const intro = `The MCP server ${server} wants you to open a page of ${target.host}. It says:`
  return {
    mode: 'url',
    message: `${intro} ${inQuotes(quote(message, maxMessage))}`,
    url: target.href,
    ...(typeof elicitationId === 'string' && { elicitationId: `${server}:${quote(elicitationId, 200)}` }),
  }
}

/** A flat object of primitive fields, with sanitized texts. */
function toFormSchema(schema: JsonValue | undefined, quote: Quote): JsonObject {
  const { type, properties = {}, required = [] } = isObject(schema) ? schema : {}
  const fields = isObject(properties) ? Object.entries(properties) : undefined
  if (type !== 'object' || !fields || !Array.isArray(required)) throw invalid('requestedSchema describes an object')
  if (fields.length > maxFields) throw invalid(`a form has at most ${maxFields} fields`)
  if (findHiddenStrings(fields.map(([name, field]) => [name, valuesOf(field)]) as JsonValue).length > 0)
    throw invalid('names and choices have no hidden characters')
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, toField(field, quote)])),
    required: fields.map(([name]) => name).filter((name) => required.includes(name)),
  }
}

/** What is sent back as it is, so that it cannot be sanitized. */
function valuesOf(field: JsonValue): JsonValue {
  if (!isObject(field)) return null
  const { enum: values = null, default: preset = null, oneOf = null, items = null } = field
  return [values, preset, oneOf, items]
}

const numberKeys = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems']
const fieldTypes = ['string', 'number', 'integer', 'boolean', 'array']

function toField(field: JsonValue, quote: Quote): JsonObject {
  if (!isObject(field) || !fieldTypes.includes(field.type as string))
    throw invalid('a field is a string, a number, a boolean or a list of choices')
  const { type, title, description, format, items } = field
  const kept = Object.fromEntries(numberKeys.flatMap((key) => (typeof field[key] === 'number' ? [[key, field[key]]] : []))) // biome-ignore format: one line
  return {
    type: type as string,
    ...(typeof title === 'string' && { title: quote(title, maxTitle) }),
    ...(typeof description === 'string' && { description: quote(description, maxDescription) }),
    ...(['email', 'uri', 'date', 'date-time'].includes(format as string) && { format: format! }),
    ...kept,
    ...toChoices(field, quote),
    ...(type === 'array' && { items: isObject(items) ? toItems(items, quote) : notChoices() }),
    ...toDefault(field.default),
  }
}

function toItems(items: JsonObject, quote: Quote): JsonObject {
  const choices = toChoices(items, quote)
  if (Object.keys(choices).length === 0) return notChoices()
  return { ...(items.type === 'string' && { type: 'string' }), ...choices }
}

/** Choices with or without titles, in each of the forms of MCP. */
function toChoices(field: JsonObject, quote: Quote): JsonObject {
  const { enum: values, enumNames } = field
  if (Array.isArray(values)) {
    if (values.length > maxChoices || !values.every((value) => typeof value === 'string')) notChoices()
    const titles = Array.isArray(enumNames) ? enumNames.slice(0, values.length) : []
    const names = titles.length > 0 && { enumNames: titles.map((name) => quote(String(name), maxTitle)) }
    return { enum: values, ...names }
  }
  const key = ['oneOf', 'anyOf'].find((name) => Array.isArray(field[name]))
  if (key === undefined) return {}
  const choices = field[key] as JsonValue[]
  if (choices.length > maxChoices) notChoices()
  return {
    [key]: choices.map((choice) => {
      if (!isObject(choice) || typeof choice.const !== 'string') return notChoices()
      return { const: choice.const, ...(typeof choice.title === 'string' && { title: quote(choice.title, maxTitle) }) }
    }),
  }
}

function notChoices(): never {
  throw invalid(`choices are at most ${maxChoices} texts`)
}

function toDefault(value: JsonValue | undefined): JsonObject {
  const isPlain = ['string', 'number', 'boolean'].includes(typeof value)
  const isList = Array.isArray(value) && value.length <= maxChoices && value.every((item) => typeof item === 'string')
  return isPlain || isList ? { default: value! } : {}
}

/** MCP forbids forms for credentials: they would pass through the client, its model and this host. */
function refuseSecrets({ properties }: JsonObject, message: string) {
  const typed = Object.entries(properties as { [name: string]: JsonObject }).filter(
    ([, { type, enum: values, oneOf }]) =>
      ['string', 'number', 'integer'].includes(type as string) && values === undefined && oneOf === undefined,
  )
  const isAbout = (words: JsonValue | undefined) => typeof words === 'string' && secretWords.test(words)
  const found = typed.find(
    ([name, { title, description }]) => isSecretName(name) || isAbout(name) || isAbout(title) || isAbout(description),
  )
  if (!found && !(typed.length > 0 && isAbout(message))) return
  const where = found ? `the field ${JSON.stringify(found[0])}` : 'the message'
  throw new PeerRefusal(
    `A form may not ask for passwords, keys or other secrets, and ${where} does. Use mode "url" to ask on a page of your own.`,
  )
}

const secretWords =
  /\b(?:pass(?:word|phrase|code)s?|secrets?|api[ _-]?keys?|private[ _-]?keys?|(?:access|auth\w*|bearer|refresh|api|personal access)[ _-]?tokens?|credentials?|credit[ _-]?card|card[ _-]?number|cvv|cvc|one[ _-]?time[ _-]?(?:code|password)s?|otp|pin[ _-]?code|(?:seed|recovery)[ _-]?phrase|social[ _-]?security)\b/i

function invalid(rule: string): PeerRefusal {
  return new PeerRefusal(`The question was not asked: ${rule}.`)
}

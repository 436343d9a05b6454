import { isObject, type JsonObject, type JsonValue } from '../../../contract/json.ts'
import { isWho, maxWho } from '../../../contract/principal.ts'
import { type Rule, reservedRuleIds } from '../../../contract/rule.ts'
import { parseJson } from '../../../contract/schema/parse-json.ts'

/** Parses a rules file. Error messages complete a sentence that starts with the file name. */
export function readRules(bytes: Uint8Array): Rule[] {
  const parsed = parseJson(bytes, { maxBytes: 67_108_864, maxDepth: 64 })
  if (!parsed.ok) throw new Error(`is not valid: ${parsed.message}`)
  const { version, rules, ...others } = mustBeObject(parsed.value, 'is no object')
  if (version !== 1) throw new Error(`has the version ${JSON.stringify(version)}, and this Toolpact knows version 1`)
  const [other] = Object.keys(others)
  if (other !== undefined) throw new Error(`has '${other}', which no rules file has`)
  if (!Array.isArray(rules)) throw new Error("has no list 'rules'")
  const ids = new Set<string>()
  return rules.map((value, index) => {
    const rule = readRule(value, `rule ${index + 1}`)
    if (ids.has(rule.id)) throw new Error(`has two rules with the id '${rule.id}'`)
    ids.add(rule.id)
    return rule
  })
}

export function writeRules(rules: readonly Rule[]): string {
  return `${JSON.stringify({ version: 1, rules }, null, 2)}\n`
}

const text = (value: JsonValue) => typeof value === 'string'
const words = (value: JsonValue) => typeof value === 'string' && value !== ''
const oneOf = (...choices: JsonValue[]) => ({
  is: (value: JsonValue) => choices.includes(value),
  what: choices.join(', '),
})

/** Unknown fields are errors: ignoring a misspelt one could allow what it was meant to forbid. */
const fields: { readonly [name: string]: { is: (value: JsonValue) => boolean; what: string; optional?: boolean } } = {
  id: { is: (value) => words(value) && isFreeId(value as string), what: 'letters, digits, - and _, at most 64' },
  tool: { is: words, what: 'the full id of a tool' },
  pattern: { is: text, what: 'a regular expression' },
  short: { is: words, what: 'the form in which it was written, such as command: git status', optional: true },
  action: oneOf('allow', 'ask', 'deny'),
  scope: oneOf('session', 'workspace', 'everywhere'),
  who: { is: isWhoList, what: 'names of callers, or group:NAME', optional: true },
  session: { is: words, what: 'the id of a session', optional: true },
  workspace: { is: words, what: 'a path', optional: true },
  expiresAt: { is: text, what: 'a time', optional: true },
  disabled: { is: (value) => typeof value === 'boolean', what: 'true or false', optional: true },
  description: { is: text, what: 'text', optional: true },
  createdBy: { is: text, what: 'text' },
  createdAt: { is: text, what: 'a time' },
  examples: { is: isExamples, what: '{ "match": […], "mustNotMatch": […] } with inputs', optional: true },
}

function readRule(value: JsonValue, name: string): Rule {
  const rule = mustBeObject(value, `has a ${name} that is no object`)
  for (const [field, { is, what, optional }] of Object.entries(fields)) {
    if (!Object.hasOwn(rule, field)) {
      if (!optional) throw new Error(`has no '${field}' in ${name}`)
    } else if (!is(rule[field]!)) throw new Error(`has a wrong '${field}' in ${name}: write ${what}`)
  }
  const other = Object.keys(rule).find((field) => !Object.hasOwn(fields, field))
  if (other !== undefined) throw new Error(`has '${other}' in ${name}, which no rule has`)
  for (const scope of ['session', 'workspace'])
    if ((rule.scope === scope) !== Object.hasOwn(rule, scope))
      throw new Error(`has a scope in ${name} that does not go with its '${scope}'`)
  return rule as unknown as Rule
}

/** The ledger records what decided a call in one field, so rule ids must not collide with built-in deciders. */
function isFreeId(id: string): boolean {
  return /^[\w-]{1,64}$/.test(id) && !reservedRuleIds.includes(id)
}

/** One that names nobody, or cannot be read, must not become a rule for everybody. */
function isWhoList(value: JsonValue): boolean {
  return Array.isArray(value) && value.length > 0 && value.length <= maxWho && value.every(isWho)
}

function isExamples(value: JsonValue): boolean {
  return (
    isObject(value) &&
    Object.entries(value).every(
      ([name, inputs]) => ['match', 'mustNotMatch'].includes(name) && Array.isArray(inputs) && inputs.every(isObject),
    )
  )
}

function mustBeObject(value: JsonValue, fault: string): JsonObject {
  if (isObject(value)) return value
  throw new Error(fault)
}

import type { ModelAnswer } from '../../capabilities/model.ts'
import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'
import { nearest } from '../../contract/text/nearest.ts'
import { shorten } from '../../contract/text/shorten.ts'
import type { Offer } from './offer.ts'

/** Each reason to refuse a plan, and what it means. Listed in docs/chat.md too. */
export const planFaults = {
  plan_empty: 'The model said nothing.',
  plan_not_json: 'It is not JSON.',
  plan_text_around: 'There is text around the JSON object, or beside a function call.',
  plan_fenced: 'The JSON object is in a Markdown fence.',
  plan_not_object: 'It is JSON but not an object, such as an array of plans.',
  plan_two_calls: 'It asks for more than one call.',
  plan_duplicate_key: 'A key occurs twice, so that two parsers could see two plans.',
  plan_too_large: 'It has more than 262,144 bytes.',
  plan_too_deep: 'It is nested more than 32 levels deep.',
  plan_unknown_type: 'Its type is neither call_tool nor final_answer.',
  plan_unknown_key: 'It has a key that a plan does not have.',
  plan_missing_key: 'It lacks a key that a plan must have.',
  plan_wrong_type: 'A key has a value of the wrong type.',
  plan_unknown_server: 'It names a server that the model was not offered.',
  plan_unknown_tool: 'It names a tool that the model was not offered.',
  plan_args_not_object: 'The input of the tool is not a JSON object.',
  plan_ungrounded: 'It is an answer that no tool supports; only needs_more_info: true is allowed without one.',
} as const

/** What a model may ask for: one call, or more information. */
export type Plan =
  | { readonly type: 'call_tool'; readonly server: string; readonly tool: string; readonly args: JsonObject }
  | { readonly type: 'final_answer'; readonly answer: string; readonly needs_more_info: true }

export type PlanVerdict =
  | { readonly passed: true; readonly plan: Plan }
  | { readonly passed: false; readonly code: PlanFault; readonly reason: string }

/** A model's answer, or a plan that was parsed before. */
export type Said = Pick<ModelAnswer, 'text' | 'toolCalls'> | { readonly plan: JsonValue }

/** The name of the function for `final_answer`. */
export const finalAnswer = 'final_answer'

const bounds = { maxBytes: 262_144, maxDepth: 32 }
const maxAnswer = 4000

/**
 * Parses a plan strictly: one function call and no text, or one JSON object and nothing around it. Nothing is repaired,
 * guessed or dropped; anything else is refused with the reason.
 */
export function decidePlan(said: Said, offer: Offer): PlanVerdict {
  if ('plan' in said) return decideObject(said.plan, offer)
  const { text, toolCalls } = said
  if (toolCalls.length > 1) return refuse('plan_two_calls', `The model asked for ${toolCalls.length} calls at once.`)
  const [call] = toolCalls
  if (!call) return decideText(text, offer)
  if (text.trim() !== '') return refuse('plan_text_around', 'The model wrote text beside its call.')
  return decideCall(call, offer)
}

function decideText(text: string, offer: Offer): PlanVerdict {
  if (text.trim() === '') return refuse('plan_empty', 'The model said nothing.')
  if (/^\s*(?:```|~~~)/.test(text)) return refuse('plan_fenced', 'The plan is in a code fence.')
  const parsed = parse(text, 'The plan')
  return 'passed' in parsed ? parsed : decideObject(parsed.value, offer)
}

/** A function that was not offered is unknown, whether it exists or not. */
function decideCall({ name, arguments: text }: ModelAnswer['toolCalls'][number], offer: Offer): PlanVerdict {
  const parsed = parse(text, 'The input')
  if ('passed' in parsed) return parsed
  const { value } = parsed
  if (name === finalAnswer) {
    if (!isObject(value)) return refuse('plan_not_object', `The plan is ${kindOf(value)}, and must be an object.`)
    if (Object.hasOwn(value, 'type')) return refuse('plan_unknown_key', `The plan has the key "type".`)
    return decideFields({ ...value, type: finalAnswer }, offer)
  }
  const tool = offer.fromFunction(name)
  if (!tool) return refuse('plan_unknown_tool', toUnknown(name, offer.functions))
  return decideArguments(tool, value)
}

function decideObject(value: JsonValue, offer: Offer): PlanVerdict {
  if (!isObject(value)) return refuse('plan_not_object', `The plan is ${kindOf(value)}, and must be an object.`)
  return decideFields(value, offer)
}

const keys = {
  call_tool: ['type', 'server', 'tool', 'args'],
  final_answer: ['type', 'answer', 'needs_more_info'],
} as const

function decideFields(value: JsonObject, offer: Offer): PlanVerdict {
  const { type } = value
  if (type !== 'call_tool' && type !== 'final_answer')
    return refuse('plan_unknown_type', `The plan has the type ${show(type)}; there are call_tool and final_answer.`)
  const allowed: readonly string[] = keys[type]
  const strange = Object.keys(value).find((key) => !allowed.includes(key))
  if (strange !== undefined) return refuse('plan_unknown_key', `The plan has the key ${show(strange)}.`)
  const missing = allowed.find((key) => !Object.hasOwn(value, key))
  if (type === 'final_answer') return decideAnswer(value)
  if (missing !== undefined) return refuse('plan_missing_key', `The plan lacks the key '${missing}'.`)
  const { server, tool, args } = value
  if (typeof server !== 'string') return refuse('plan_wrong_type', `server is ${kindOf(server)}, and must be text.`)
  if (typeof tool !== 'string') return refuse('plan_wrong_type', `tool is ${kindOf(tool)}, and must be text.`)
  const tools = offer.servers.get(server)
  if (!tools) return refuse('plan_unknown_server', toUnknown(server, [...offer.servers.keys()]))
  if (!tools.has(tool)) return refuse('plan_unknown_tool', toUnknown(tool, [...tools]))
  return decideArguments({ server, tool }, args)
}

/** The pipeline checks whether they fit the contract. */
function decideArguments(tool: { server: string; tool: string }, args: JsonValue | undefined): PlanVerdict {
  if (!isObject(args)) return refuse('plan_args_not_object', `The input is ${kindOf(args)}, and must be an object.`)
  return { passed: true, plan: { type: 'call_tool', ...tool, args } }
}

/** Without a tool nothing supports an answer: a model may only ask for more information. */
function decideAnswer({ answer, needs_more_info: needsMore }: JsonObject): PlanVerdict {
  if (needsMore !== true)
    return refuse('plan_ungrounded', 'The model answered by itself, without a tool and without needs_more_info: true.')
  if (typeof answer !== 'string' || answer.trim() === '')
    return refuse('plan_wrong_type', `answer is ${answer === undefined ? 'missing' : 'no text'}.`)
  if (answer.length > maxAnswer) return refuse('plan_too_large', `The answer has more than ${maxAnswer} characters.`)
  return { passed: true, plan: { type: 'final_answer', answer, needs_more_info: true } }
}

const faults: { readonly [reason: string]: PlanFault } = {
  too_large: 'plan_too_large',
  too_deep: 'plan_too_deep',
  duplicate_key: 'plan_duplicate_key',
}

function parse(text: string, what: string): { value: JsonValue } | Extract<PlanVerdict, { passed: false }> {
  const parsed = parseJson(text, bounds)
  if (parsed.ok) return parsed
  const code = faults[parsed.reason] ?? 'plan_not_json'
  if (parsed.reason === 'syntax' && isSurrounded(text, parsed.syntax?.isAfterValue))
    return refuse('plan_text_around', `There is text around the plan. ${parsed.message}`)
  return refuse(code, `${what} is not strictly JSON. ${parsed.message}`)
}

/** The most common fault: a plan with text before or after it. */
function isSurrounded(text: string, isAfterValue = false): boolean {
  return isAfterValue || (!/^[ \t\n\r]*[{["]/.test(text) && text.includes('{'))
}

function refuse(code: PlanFault, reason: string) {
  return { passed: false, code, reason } as const
}

function toUnknown(name: string, choices: readonly string[]): string {
  const close = nearest(name, choices)
  return `The model was not offered ${show(name)}${close === undefined ? '.' : `; ${show(close)} is near.`}`
}

/** A model's text may be long, and is shown to people. */
function show(value: JsonValue | undefined): string {
  return shorten(JSON.stringify(value) ?? 'nothing', 80)
}

function kindOf(value: JsonValue | undefined): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : typeof value === 'string' ? 'text' : `a ${typeof value}`
}

type PlanFault = keyof typeof planFaults

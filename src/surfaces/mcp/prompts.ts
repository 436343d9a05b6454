import { isObject, type JsonObject, type JsonSchema } from '../../contract/json.ts'
import { promptPrefix } from '../../contract/offer.ts'
import { shorten } from '../../contract/text/shorten.ts'
import { errorCodes, type Reply, refuse, toErrorReply } from '../../protocol/reply.ts'
import { type Asked, callOffer } from './call-offer.ts'
import type { CallServices } from './call-tool.ts'
import type { Entries } from './catalogue-search.ts'
import { answerPage } from './paging.ts'

/** Answers `prompts/list`. */
export async function listPrompts(services: CallServices, asked: Asked): Promise<Reply> {
  const entries = await findPrompts(services, asked)
  const items = entries.map((entry) => ({ key: entry.promptName!, item: toMcpPrompt(entry) }))
  return answerPage(services, asked, { member: 'prompts', items })
}

/** Answers `prompts/get` with a call of the prompt. */
export async function getPrompt(services: CallServices, asked: Asked): Promise<Reply> {
  const { id, params } = asked.request
  const { name, arguments: input = {} } = params
  if (typeof name !== 'string') return refuse(id, 'name must be a string: the name of a prompt.')
  if (!isObject(input)) return refuse(id, 'arguments must be an object.')
  const entry = findPrompt(await findPrompts(services, asked), name)
  if (!entry) return refusePrompt(id, name)
  return callOffer(services, asked, { tool: entry.id, input, toResult: (output) => output })
}

/** By its listed name or id, or by its own name if that is unique. */
export function findPrompt(entries: Entries, name: string): Entries[number] | undefined {
  const bare = entries.filter(({ tool }) => tool.contract.name === promptPrefix + name)
  return (
    entries.find(({ id, promptName }) => promptName === name || id === name) ??
    (bare.length === 1 ? bare[0] : undefined)
  )
}

export function refusePrompt(id: Asked['request']['id'], name: string): Reply {
  const message = `There is no prompt '${shorten(name, 100)}'. List the prompts, and use one of their names.`
  return { text: toErrorReply(id, { code: errorCodes.params, message }).text }
}

export async function findPrompts({ served }: CallServices, { exchange }: Asked): Promise<Entries> {
  const entries = await served.catalog.offers(exchange.caller)
  return entries.filter(({ tool }) => tool.offer?.kind === 'prompt' && tool.contract.status !== 'planned')
}

function toMcpPrompt({ promptName, tool: { contract } }: Entries[number]): JsonObject {
  const { title, description, status, input } = contract
  const args = Object.entries(input.properties ?? {}).map(([name, schema]) => toArgument(name, schema, input))
  return {
    name: promptName!,
    title,
    description: status === 'deprecated' ? `Deprecated. ${description}` : description,
    ...(args.length > 0 && { arguments: args }),
  }
}

function toArgument(name: string, schema: JsonSchema | boolean, { required = [] }: JsonSchema): JsonObject {
  const { title, description } = typeof schema === 'boolean' ? {} : schema
  return {
    name,
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
    required: required.includes(name),
  }
}

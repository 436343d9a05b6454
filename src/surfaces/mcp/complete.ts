import { isObject, type JsonObject } from '../../contract/json.ts'
import { type Reply, refuse, toReply } from '../../protocol/reply.ts'
import { type Asked, callHelper } from './call-offer.ts'
import { type CallServices, toMore } from './call-tool.ts'
import { findPrompt, findPrompts, refusePrompt } from './prompts.ts'
import { findResources, refuseResource } from './resources.ts'

/** Answers `completion/complete`: values for an argument of a prompt, or a variable of a template. */
export async function complete(services: CallServices, asked: Asked): Promise<Reply> {
  const { request, exchange, client } = asked
  const { id, params } = request
  const { ref, argument, context } = params
  if (!isObject(ref)) return refuse(id, 'ref must be an object: of type ref/prompt or ref/resource.')
  if (!isObject(argument) || typeof argument.name !== 'string' || typeof argument.value !== 'string')
    return refuse(id, 'argument must be an object with name and value, both strings.')
  const found = await findCompleter(services, asked, ref)
  if ('refusal' in found) return found.refusal
  const known = isObject(context) && isObject(context.arguments) ? context.arguments : {}
  const input = { ref: found.ref, argument: argument.name, value: argument.value, context: known }
  const output =
    found.tool === undefined ? undefined : await callHelper(services, exchange, { tool: found.tool, input })
  return toReply(id, { ...toMore(services, client), completion: output ?? { values: [], hasMore: false } })
}

type Completer = { readonly refusal: Reply } | { readonly ref: string; readonly tool?: string | undefined }

async function findCompleter(services: CallServices, asked: Asked, ref: JsonObject): Promise<Completer> {
  const { id } = asked.request
  if (ref.type === 'ref/prompt' && typeof ref.name === 'string') {
    const entry = findPrompt(await findPrompts(services, asked), ref.name)
    if (entry?.tool.offer?.kind !== 'prompt') return { refusal: refusePrompt(id, ref.name) }
    const { completedBy } = entry.tool.offer
    return { ref: ref.name, tool: completedBy && `${entry.toolset}.${completedBy}` }
  }
  if (ref.type === 'ref/resource' && typeof ref.uri === 'string') {
    const { uri } = ref
    const entries = await findResources(services, asked)
    const entry = entries.find(({ offer }) => offer.templates.some(({ uriTemplate }) => uriTemplate === uri))
    if (!entry) return { refusal: refuseResource(asked, uri) }
    const { completedBy } = entry.offer
    return { ref: uri, tool: completedBy && `${entry.toolset}.${completedBy}` }
  }
  return { refusal: refuse(id, 'ref must be { type: "ref/prompt", name } or { type: "ref/resource", uri }.') }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { appScheme } from '../../contract/app-ui.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import type { ResourceOffer } from '../../contract/offer.ts'
import { shorten } from '../../contract/text/shorten.ts'
import { errorCodes, type Reply, refuse, toErrorReply, toReply } from '../../protocol/reply.ts'
import { type Asked, callHelper, callOffer } from './call-offer.ts'
import type { CallServices } from './call-tool.ts'
import type { Entries } from './catalogue-search.ts'
import { toSession } from './found-tools.ts'
import { answerPage, refuseCursor, toListMore } from './paging.ts'

export type ResourceEntry = Entries[number] & { readonly offer: ResourceOffer }

/** Longer ones are refused. */
const maxUriCharacters = 4096
const maxTtlMs = 3_600_000
/** Helpers that one request for a page may call. A list of more continues on the next page. */
const maxHelperCalls = 20
const maxPerPage = 5000
/** How long a list waits for servers that are starting. Their resources are announced as a change afterwards. */
const maxListingMs = 3000

/** Answers `resources/templates/list`. */
export async function listTemplates(services: CallServices, asked: Asked): Promise<Reply> {
  const entries = await findListed(services, asked)
  const items = toUnique(
    entries.flatMap(({ offer }) => offer.templates as unknown as JsonObject[]),
    'uriTemplate',
  )
  return answerPage(services, asked, { member: 'resourceTemplates', items })
}

/**
 * Answers `resources/list`: what is known without a call, then what helpers list. A cursor names the helper to continue
 * with, and the cursor of its list.
 */
export async function listResources(services: CallServices, asked: Asked): Promise<Reply> {
  const { id, params } = asked.request
  const entries = await findListed(services, asked)
  const listers = entries.filter(({ offer }) => offer.listedBy !== undefined)
  const found: JsonObject[] = []
  let place = readCursor(params.cursor, listers)
  if (place === undefined) return refuseCursor(id)
  if (params.cursor === undefined)
    found.push(...entries.flatMap(({ offer }) => offer.resources as unknown as JsonObject[]))
  for (let calls = 0; place.index < listers.length && calls < maxHelperCalls && found.length < maxPerPage; calls++) {
    const { toolset, offer } = listers[place.index]!
    const page = await callHelper(services, asked.exchange, {
      tool: `${toolset}.${offer.listedBy}`,
      input: place.inner === undefined ? {} : { cursor: place.inner },
    })
    // A list that fails is left out. It must not hide the others.
    found.push(
      ...((page?.resources ?? []) as JsonObject[]).filter(({ uri }) => offer.toInput(uri as string) !== undefined),
    )
    const inner = page?.nextCursor as string | undefined
    place = inner === undefined || inner === place.inner ? { index: place.index + 1 } : { index: place.index, inner }
  }
  const next = listers[place.index]
  return toReply(id, {
    ...toListMore(services, asked.client),
    resources: toUnique(found, 'uri').map(({ item }) => item),
    ...(next && { nextCursor: toCursor(next.id, place.inner) }),
  })
}

/** Answers `resources/read` with a call of the resource. */
export async function readResource(services: CallServices, asked: Asked): Promise<Reply> {
  const { id, params } = asked.request
  const fault = findUriFault(params)
  if (fault !== undefined) return refuse(id, fault)
  const uri = params.uri as string
  const found = findResource(await findResources(services, asked), uri)
  if (!found) return refuseResource(asked, uri)
  if (uri.startsWith(appScheme)) services.shownApps.add(toSession(asked.exchange), [found.entry.toolset])
  // Who may read it differs between callers, so shared caches must not store it.
  const toMore = ({ ttlMs }: JsonObject): JsonObject =>
    asked.client.isModern ? { ttlMs: toTtl(ttlMs), cacheScope: 'private' } : {}
  return callOffer(services, asked, {
    tool: found.entry.id,
    input: found.input,
    // A server's own URI is answered with the URI that the client used.
    toResult: (output, notes) => ({ contents: toRequested(output, found.input.uri, uri), ...toMore(notes) }),
    about: { uri },
  })
}

/** How long its MCP server lets the content be used. Other content is read again. */
function toTtl(ttlMs: JsonValue | undefined): number {
  return typeof ttlMs === 'number' && ttlMs > 0 ? Math.min(Math.floor(ttlMs), maxTtlMs) : 0
}

function toRequested({ contents }: JsonObject, own: JsonValue | undefined, uri: string): JsonObject[] {
  return (contents as JsonObject[]).map((content) => (content.uri === own ? { ...content, uri } : content))
}

/** What is wrong with the `uri` of a request. */
export function findUriFault({ uri }: JsonObject): string | undefined {
  const isUri = typeof uri === 'string' && uri !== '' && uri.length <= maxUriCharacters
  return isUri ? undefined : `uri must be a string of 1 to ${maxUriCharacters} characters.`
}

/**
 * The first that covers a URI. A URI that is listed takes precedence over a template. A server's own URI is accepted if
 * exactly one server has it.
 */
export function findResource(
  entries: readonly ResourceEntry[],
  uri: string,
): { readonly entry: ResourceEntry; readonly input: JsonObject } | undefined {
  const fixed = entries.find(({ offer }) => offer.resources.some((resource) => resource.uri === uri))
  for (const entry of fixed ? [fixed] : entries) {
    const input = entry.offer.toInput(uri)
    if (input) return { entry, input }
  }
  const aliases = entries.flatMap((entry) => {
    const input = entry.offer.toAliasInput?.(uri)
    return input ? [{ entry, input }] : []
  })
  return aliases.length === 1 ? aliases[0] : undefined
}

/** Before 2026-07-28 a missing resource had a code of its own. */
export function refuseResource({ request, client }: Pick<Asked, 'request' | 'client'>, uri: string): Reply {
  const code = client.isModern ? errorCodes.params : -32002
  const message = `There is no resource '${shorten(uri, 200)}'. List the resources, and use one of their URIs.`
  return { text: toErrorReply(request.id, { code, message, data: { uri } }).text }
}

export async function findResources(
  { served }: CallServices,
  { exchange }: Pick<Asked, 'exchange'>,
): Promise<ResourceEntry[]> {
  const entries = await served.catalog.offers(exchange.caller)
  return entries.flatMap((entry) => {
    const { offer, contract } = entry.tool
    return offer?.kind === 'resource' && contract.status !== 'planned' ? [{ ...entry, offer }] : []
  })
}

/** With the lists of servers whose tools are known from an earlier run: several clients list once, and at their start. */
async function findListed(services: CallServices, asked: Asked): Promise<ResourceEntry[]> {
  const entries = await findResources(services, asked)
  const listing = entries.flatMap(({ offer }) => offer.listing?.() ?? [])
  if (listing.length > 0) await Promise.race([Promise.all(listing), sleep(maxListingMs, undefined, { ref: false })])
  return entries
}

/** Clients could not distinguish two with the same address, so the first is listed. */
function toUnique(items: readonly JsonObject[], address: 'uri' | 'uriTemplate') {
  const unique = new Map<string, JsonObject>()
  for (const item of items) if (!unique.has(item[address] as string)) unique.set(item[address] as string, item)
  return [...unique].map(([key, item]) => ({ key, item }))
}

interface Place {
  readonly index: number
  /** Cursor of the helper's list. */
  readonly inner?: string | undefined
}

function readCursor(cursor: unknown, listers: readonly ResourceEntry[]): Place | undefined {
  if (cursor === undefined) return { index: 0 }
  if (typeof cursor !== 'string' || cursor.length > 2 * maxUriCharacters) return undefined
  const [id, inner] = Buffer.from(cursor, 'base64url').toString().split('\n', 2)
  const index = listers.findIndex((entry) => entry.id === id)
  return index === -1 ? undefined : { index, inner: inner || undefined }
}

function toCursor(id: string, inner = ''): string {
  return Buffer.from(`${id}\n${inner}`).toString('base64url')
}

import { appScheme, type PageGrants, type PageUi, readPageUi, readToolUi } from '../../contract/app-ui.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import type { UpstreamClient } from '../connect/client.ts'

/** Where the definition of a tool has what its app may reach, so that lock and review cover it. */
const grantsKey = 'toolpact/app'
const maxApps = 64
const readMs = 5000

/** What each page that was read declares, once per connection: pages are large. */
const pages = new WeakMap<UpstreamClient, Map<string, Promise<PageUi | undefined>>>()

/**
 * Adds to the definition of each tool with an app what that app may reach. Servers declare this with the resource, in their
 * list or only with its content, so a page that is listed without it is read. A page that cannot be read gets nothing.
 */
export async function withAppGrants(
  client: UpstreamClient,
  { tools, resources }: { readonly tools: readonly JsonObject[]; readonly resources: readonly JsonObject[] },
  signal: AbortSignal,
): Promise<readonly JsonObject[]> {
  const uris = new Set(tools.flatMap(({ _meta }) => readToolUi(_meta).resourceUri ?? []))
  const grants = new Map<string, JsonObject>()
  await Promise.all(
    [...uris].slice(0, maxApps).map(async (uri) => {
      const listed = resources.find((resource) => resource.uri === uri)?._meta
      const declared = isObject(listed) && isObject(listed.ui) ? readPageUi(listed.ui) : await readPage(client, uri, signal) // biome-ignore format: one line
      const known = declared && toKeys(declared)
      if (known) grants.set(uri, known)
    }),
  )
  return tools.map((tool) => withGrants(tool, grants.get(readToolUi(tool._meta).resourceUri ?? '')))
}

/** What the app of an admitted definition may reach, and its page as the server names it. */
export function readGrants({ _meta }: JsonObject): { readonly uri: string; readonly grants: PageGrants } | undefined {
  const { resourceUri: uri } = readToolUi(_meta)
  if (uri === undefined) return undefined
  const { domain, permissions, ...csp } = (isObject(_meta) && isObject(_meta[grantsKey]) ? _meta[grantsKey] : {}) as Keys // biome-ignore format: one line
  const toList = (keys: JsonObject) => Object.keys(keys)
  const grants = readPageUi({
    csp: Object.fromEntries(Object.entries(csp).map(([list, origins]) => [list, toList(origins)])),
    permissions: Object.fromEntries(toList(permissions ?? {}).map((name) => [name, {}])),
    domain: toList(domain ?? {})[0] ?? null,
  })
  return { uri, grants: grants ?? {} }
}

type Keys = { readonly [member: string]: JsonObject }

/** As keys, so that a diff names each domain that was added or removed. */
function toKeys({ csp = {}, permissions = {}, domain }: PageUi): JsonObject | undefined {
  const toObject = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, true]))
  const keys: JsonObject = {
    ...Object.fromEntries(Object.entries(csp).map(([list, origins]) => [list, toObject(origins)])),
    ...(Object.keys(permissions).length > 0 && { permissions: toObject(Object.keys(permissions)) }),
    ...(domain !== undefined && { domain: toObject([domain]) }),
  }
  return Object.keys(keys).length > 0 ? keys : undefined
}

/** Whatever the server itself has written under our key is dropped. */
function withGrants(tool: JsonObject, grants: JsonObject | undefined): JsonObject {
  const { _meta } = tool
  if (!isObject(_meta) || (!grants && _meta[grantsKey] === undefined)) return tool
  const { [grantsKey]: _, ...rest } = _meta
  return { ...tool, _meta: { ...rest, ...(grants && { [grantsKey]: grants }) } }
}

function readPage(client: UpstreamClient, uri: string, signal: AbortSignal): Promise<PageUi | undefined> {
  const known = pages.get(client) ?? new Map<string, Promise<PageUi | undefined>>()
  pages.set(client, known)
  const read =
    known.get(uri) ??
    readDeclared(client, uri, signal).catch(() => {
      known.delete(uri)
      return undefined
    })
  known.set(uri, read)
  return read
}

async function readDeclared(client: UpstreamClient, uri: string, signal: AbortSignal): Promise<PageUi | undefined> {
  if (client.capabilities.resources === undefined || !uri.startsWith(appScheme)) return undefined
  const until = AbortSignal.any([signal, AbortSignal.timeout(readMs)])
  const result = await client.readResource(uri, { signal: until })
  const [content] = isObject(result) && Array.isArray(result.contents) ? result.contents : []
  return isObject(content) && isObject(content._meta) ? readPageUi(content._meta.ui) : undefined
}

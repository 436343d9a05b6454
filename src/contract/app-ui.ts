import { isObject, type JsonObject, type JsonValue } from './json.ts'

/** The MCP Apps extension: tools whose results a client shows in a page of the server. */
export const appsExtension = 'io.modelcontextprotocol/ui'
export const appMimeType = 'text/html;profile=mcp-app'
export const appScheme = 'ui://'

/** The `_meta.ui` of a tool. */
export interface ToolUi {
  /** The page that shows its results. */
  readonly resourceUri?: string
  /** Who may call it. Absent: models and apps. */
  readonly visibility?: readonly ('model' | 'app')[]
}

/** The `_meta.ui` of a page, with known and valid members only: what it may reach, and how it wants to be shown. */
export interface PageUi extends PageGrants {
  readonly prefersBorder?: boolean
}

/** What a client lets a page do. Absent: nothing beyond showing itself. */
export interface PageGrants {
  readonly csp?: { readonly [list in DomainList]?: readonly string[] }
  readonly permissions?: { readonly [permission in Permission]?: JsonObject }
  /** The origin that the page gets. */
  readonly domain?: string
}

type DomainList = (typeof domainLists)[number]
type Permission = (typeof permissionNames)[number]

const domainLists = ['connectDomains', 'resourceDomains', 'frameDomains', 'baseUriDomains'] as const
const permissionNames = ['camera', 'microphone', 'geolocation', 'clipboardWrite'] as const
const maxDomains = 32

/** Whether a client shows apps, by its declared capabilities. */
export function declaresApps({ extensions }: JsonObject): boolean {
  const ui = isObject(extensions) ? extensions[appsExtension] : undefined
  if (!isObject(ui)) return false
  return !Array.isArray(ui.mimeTypes) || ui.mimeTypes.includes(appMimeType)
}

/** The `_meta` of a tool from an untrusted source. Older servers write the members as keys: `ui/resourceUri`. */
export function readToolUi(meta: JsonValue | undefined): ToolUi {
  if (!isObject(meta)) return {}
  const ui = isObject(meta.ui) ? meta.ui : {}
  const { resourceUri = meta['ui/resourceUri'], visibility = meta['ui/visibility'] } = ui
  const known = Array.isArray(visibility)
    ? (['model', 'app'] as const).filter((scope) => visibility.includes(scope))
    : undefined
  return {
    ...(isPageUri(resourceUri) && { resourceUri }),
    ...(known && known.length > 0 && { visibility: known }),
  }
}

function isPageUri(uri: JsonValue | undefined): uri is string {
  return typeof uri === 'string' && uri.length <= 2048 && /^ui:\/\/[\x21-\x7e]+$/.test(uri)
}

/** The `_meta.ui` of a page from an untrusted source. Domains that are not plain origins are left out. */
export function readPageUi(ui: JsonValue | undefined): PageUi | undefined {
  if (!isObject(ui)) return undefined
  const { csp, permissions, domain, prefersBorder } = ui
  const domains = toMembers(domainLists, (list) => readDomains(isObject(csp) ? csp[list] : undefined))
  const allowed = toMembers(permissionNames, (name) => (isObject(permissions) && isObject(permissions[name]) ? {} : undefined)) // biome-ignore format: one line
  const found: PageUi = {
    ...(domains && { csp: domains }),
    ...(allowed && { permissions: allowed }),
    ...(typeof domain === 'string' && /^[a-z0-9][a-z0-9.-]{0,252}$/i.test(domain) && { domain }),
    ...(typeof prefersBorder === 'boolean' && { prefersBorder }),
  }
  return Object.keys(found).length > 0 ? found : undefined
}

/** What of a page's `_meta.ui` was granted: of everything that gives access, only what `granted` has too. */
export function limitPageUi(ui: PageUi, granted: PageGrants = {}): PageUi | undefined {
  const { csp, permissions, domain } = granted
  const limited = {
    csp: toMembers(domainLists, (list) => ui.csp?.[list]?.filter((origin) => csp?.[list]?.includes(origin)) as string[] | undefined), // biome-ignore format: one line
    permissions: toMembers(permissionNames, (name) => (permissions?.[name] ? ui.permissions?.[name] : undefined)),
    ...(ui.domain === domain && { domain }),
    prefersBorder: ui.prefersBorder,
  }
  return readPageUi(limited as JsonObject)
}

/** What was granted to a page by either. */
export function mergeGrants(one: PageGrants, other: PageGrants): PageGrants {
  const domain = one.domain ?? other.domain
  return {
    csp: toMembers(domainLists, (list) => [...new Set([...(one.csp?.[list] ?? []), ...(other.csp?.[list] ?? [])])]),
    permissions: { ...one.permissions, ...other.permissions },
    ...(domain !== undefined && { domain }),
  } as PageGrants
}

const listWords: { readonly [list in DomainList]: string } = {
  connectDomains: 'sends to and receives from',
  resourceDomains: 'loads scripts, styles and media from',
  frameDomains: 'embeds pages of',
  baseUriDomains: 'resolves addresses against',
}

/** What was granted to a page, each as a phrase for the operator. */
export function describeGrants({ csp, permissions, domain }: PageGrants): string[] {
  const used = permissionNames.filter((name) => permissions?.[name])
  return [
    ...domainLists.flatMap((list) => (csp?.[list] ? [`${listWords[list]} ${csp[list].join(', ')}`] : [])),
    ...(used.length > 0 ? [`asks for ${used.join(', ')}`] : []),
    ...(domain === undefined ? [] : [`wants the origin ${domain}`]),
  ]
}

/** An object of the members that have a value; undefined if none has. */
function toMembers<Name extends string, Value extends JsonValue>(
  names: readonly Name[],
  read: (name: Name) => Value | undefined,
): { [name in Name]?: Value } | undefined {
  const found = names.flatMap((name) => {
    const value = read(name)
    return value === undefined || (Array.isArray(value) && value.length === 0) ? [] : [[name, value] as const]
  })
  return found.length > 0 ? (Object.fromEntries(found) as { [name in Name]?: Value }) : undefined
}

/** An origin as a content security policy has it: nothing that could add a directive, and no wildcard for all hosts. */
const originForm =
  /^(?:https|wss):\/\/(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9](?::\d{1,5})?$/
const localForm = /^(?:https?|wss?):\/\/(?:localhost|127\.0\.0\.1)(?::\d{1,5})?$/

function readDomains(domains: JsonValue | undefined): string[] | undefined {
  if (!Array.isArray(domains)) return undefined
  const origins = domains
    .filter((domain) => typeof domain === 'string' && domain.length <= 255)
    .map((domain) => (domain as string).toLowerCase().replace(/\/$/, ''))
    .filter((origin) => originForm.test(origin) || localForm.test(origin))
  return [...new Set(origins)].sort().slice(0, maxDomains)
}

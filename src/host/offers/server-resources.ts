import { limitPageUi, mergeGrants, type PageGrants, readPageUi } from '../../contract/app-ui.ts'
import type { JsonObject } from '../../contract/json.ts'
import { type ListedResource, type ListedTemplate, type ResourceOffer, toCompleteName } from '../../contract/offer.ts'
import { toListedResource } from '../../contract/offer-outputs.ts'
import { findHiddenStrings } from '../../contract/text/hidden-strings.ts'
import { parseUriTemplate, type UriTemplate } from '../../contract/uri-template.ts'
import { ReadCache } from './read-cache.ts'
import { fromServedUri, toServedUri } from './served-uri.ts'
import { resourcesName } from './to-definitions.ts'

export interface ResourcesOptions {
  readonly server: string
  /** Whether the server reports changes of resources. */
  readonly canWatch: () => boolean
  readonly canComplete: () => boolean
  /** Starts the server unless it runs. Never rejects. */
  readonly start: () => Promise<unknown>
  /** Replaces the set of resources whose changes the server reports. */
  readonly follow: (uris: readonly string[]) => void
}

/**
 * The resources that a server lists. They are not part of the lock, since they come and go with the server's data: each entry
 * is sanitized, and left out if it has hidden characters. Reading one is a call.
 */
export class ServerResources {
  readonly offer: ResourceOffer
  readonly reads = new ReadCache()
  readonly #options: ResourcesOptions
  readonly #watchers = new Map<string, Set<() => void>>()
  /** With the server's own URIs. */
  #listed: readonly ListedResource[] = []
  #resources: readonly ListedResource[] = []
  /** What each app may reach, by its own URI. */
  #apps: ReadonlyMap<string, PageGrants> = new Map()
  #templates: readonly ListedTemplate[] = []
  /** The server's own URIs, and the templates of further ones. */
  #uris: ReadonlySet<string> = new Set()
  #patterns: readonly UriTemplate[] = []
  #key = '[[],[]]'
  /** False while only the tools of an earlier run are known. */
  #isListed = false

  constructor(options: ResourcesOptions) {
    this.#options = options
    const { server, canWatch, canComplete, start } = options
    const resources = () => this.#resources
    const templates = () => this.#templates
    const listing = async () => void (await start())
    const isListed = () => this.#isListed
    const watch: ResourceOffer['watch'] = (uri, onUpdate) => this.#watch(uri, onUpdate)
    this.offer = {
      kind: 'resource',
      get resources() {
        return resources()
      },
      get templates() {
        return templates()
      },
      get listing() {
        return isListed() ? undefined : listing
      },
      toInput: (uri) => {
        const own = fromServedUri(server, uri)
        return own === undefined || own === '' ? undefined : { uri: own }
      },
      toAliasInput: (uri) => (this.#has(uri) ? { uri } : undefined),
      get completedBy() {
        return canComplete() ? toCompleteName(resourcesName) : undefined
      },
      get watch() {
        return canWatch() ? watch : undefined
      },
    } as ResourceOffer
  }

  get counts() {
    return { listed: this.#resources.length, templates: this.#templates.length }
  }

  get uris(): readonly string[] {
    return [...this.#watchers.keys()]
  }

  /** Whether the server offers resources at all. */
  isOffered = false

  /** Takes new lists. Returns whether anything that clients see has changed. */
  take(resources: readonly JsonObject[], templates: readonly JsonObject[]): boolean {
    const { server } = this.#options
    this.#isListed = true
    const sound = (entries: readonly JsonObject[]) => entries.filter((entry) => findHiddenStrings(entry).length === 0)
    this.#listed = sound(resources).flatMap((entry) => toListedResource(entry) ?? [])
    this.#uris = new Set(this.#listed.map(({ uri }) => uri))
    this.#templates = sound(templates).flatMap((entry) => {
      const cleaned = toListedResource({ ...entry, uri: entry.uriTemplate ?? null })
      if (!cleaned) return []
      const { uri, size: _, ...about } = cleaned
      return [{ ...about, uriTemplate: toServedUri(server, uri) }]
    })
    this.#patterns = this.#templates.flatMap(({ uriTemplate }) => readTemplate(fromServedUri(server, uriTemplate)!))
    return this.#update()
  }

  /** Takes what the apps of admitted tools may reach. Returns whether anything that clients see has changed. */
  grant(apps: readonly { readonly uri: string; readonly grants: PageGrants }[]): boolean {
    const granted = new Map<string, PageGrants>()
    for (const { uri, grants } of apps) granted.set(uri, mergeGrants(granted.get(uri) ?? {}, grants))
    this.#apps = granted
    return this.#update()
  }

  /** A page's `_meta` with what was reviewed: a server cannot give its app more than the definition of a tool says. */
  limitMeta(uri: string, { ui, ...meta }: JsonObject): JsonObject {
    const declared = readPageUi(ui)
    const limited = declared && limitPageUi(declared, this.#apps.get(uri))
    return { ...meta, ...(limited && { ui: limited as JsonObject }) }
  }

  #update(): boolean {
    const { server } = this.#options
    this.#resources = this.#listed.map(({ _meta, ...entry }) => {
      const meta = _meta && this.limitMeta(entry.uri, _meta)
      const hasMeta = meta !== undefined && Object.keys(meta).length > 0
      return { ...entry, ...(hasMeta && { _meta: meta }), uri: toServedUri(server, entry.uri) }
    })
    const before = this.#key
    this.#key = JSON.stringify([this.#resources, this.#templates])
    return this.#key !== before
  }

  /** The server says that a resource has changed. */
  update(uri: string) {
    this.reads.forget(uri)
    for (const notify of this.#watchers.get(uri) ?? []) notify()
  }

  #has(uri: string): boolean {
    return this.#uris.has(uri) || this.#patterns.some(({ match }) => match(uri) !== undefined)
  }

  #watch(served: string, onUpdate: () => void): () => void {
    const { uri } = (this.offer.toInput(served) ?? this.offer.toAliasInput!(served) ?? {}) as { uri?: string }
    if (uri === undefined) return () => {}
    const watchers = this.#watchers.get(uri) ?? new Set()
    watchers.add(onUpdate)
    this.#watchers.set(uri, watchers)
    if (watchers.size === 1) this.#options.follow(this.uris)
    return () => {
      watchers.delete(onUpdate)
      if (watchers.size > 0 || !this.#watchers.delete(uri)) return
      this.#options.follow(this.uris)
    }
  }
}

/** Empty if the template has forms that are not supported: its resources can then be read by their served URIs alone. */
function readTemplate(template: string): readonly UriTemplate[] {
  try {
    return [parseUriTemplate(template)]
  } catch {
    return []
  }
}

import { join } from 'node:path'
import type { JsonValue } from '../contract/json.ts'
import { lazily } from '../contract/lazily.ts'
import type { Caller } from '../contract/tool.ts'
import type { Capabilities } from './capabilities.ts'
import type { Documents } from './documents.ts'
import { toProtectedPaths } from './files/protected-paths.ts'
import { openFiles } from './files.ts'
import type { History, LastCommand } from './history.ts'
import { openModelLater } from './model/open-model-later.ts'
import type { ModelConfig } from './model/read-model-settings.ts'
import type { ModelServerSettings, ModelServers } from './model-servers.ts'
import type { Pages } from './pages.ts'
import { openProcess, type ProcessOptions } from './process.ts'
import { openSearch } from './search.ts'
import type { Web } from './web.ts'
import type { SearchConfig } from './web-search/read-search-settings.ts'
import type { WebSearch } from './web-search.ts'

export interface CapabilityOptions {
  /** The folder that tools work in. */
  readonly workspace: string
  /** Stays closed to every tool, even inside the workspace. */
  readonly stateDirectory?: string
  /** Files and folders that Toolpact loads settings or code from. Tools may read them and must not write them. */
  readonly protectedPaths?: readonly string[]
  /** Whether this process keeps what it must remember there. */
  readonly keepsState?: boolean
  readonly environment: ProcessOptions['environment']
  readonly sandbox?: ProcessOptions['sandbox']
  readonly network?: boolean
  readonly unixSockets?: boolean
  readonly readable?: readonly string[]
  readonly limits?: ProcessOptions['limits']
  readonly keepEnvironment?: readonly string[]
  /** Hosts that tools may fetch from although they are private. */
  readonly allowHosts?: readonly string[]
  /** What servers are told who asks; `WEB_FETCH_USER_AGENT` goes before it. */
  readonly userAgent?: string
  /** Whether pages are fetched only as a site's robots.txt asks. Default: true. */
  readonly keepsToRobots?: boolean
  /** Who answers searches, as the config says it; the environment goes before it. */
  readonly webSearch?: SearchConfig
  /** The model that the config names; the environment goes before it. */
  readonly model?: ModelConfig
  /** The name of another model for transcripts, or that none is to be asked. */
  readonly transcript?: { readonly model?: string; readonly rulesOnly?: boolean }
  /** How model servers are started, as the config says it. */
  readonly modelServers?: Pick<ModelServerSettings, 'driver' | 'ssh' | 'command' | 'host' | 'loadTimeoutMs'>
  /** Told of work that must be done before this process ends, even if the call that began it has ended. */
  readonly keep?: (work: Promise<unknown>) => void
  /** Where small values outlive this process. */
  readonly notes: {
    get(key: string): Promise<JsonValue | undefined>
    set(key: string, value: JsonValue): Promise<void>
  }
}

/** Opens what tools may touch, once for all calls. Each caller has a history of its own. */
export function openCapabilities(options: CapabilityOptions): (caller: Caller) => Capabilities {
  const { workspace, stateDirectory, notes } = options
  const closed = stateDirectory === undefined ? [] : [stateDirectory]
  const appends = stateDirectory !== undefined && options.keepsState ? join(stateDirectory, 'appends') : undefined
  const protectedPaths = toProtectedPaths(options.protectedPaths)
  const files = openFiles({ root: workspace, denied: closed, protectedPaths, appends })
  const search = openSearch({ root: workspace, denied: closed })
  const process = openProcess({ ...options, cwd: workspace, hidden: closed, protectedPaths })
  const web = openWebLater(options)
  const { environment, transcript = {}, model: config } = options
  const model = openModelLater({ environment, config })
  const transcriptModel = transcript.rulesOnly
    ? undefined
    : openModelLater({ environment, config, name: transcript.model })
  const webSearch = openWebSearchLater(options)
  const pages = openPagesLater(web, options)
  const documents = openDocumentsLater()
  const modelServers = openModelServersLater(options)
  const shared = { files, search, process, web, pages, documents, webSearch, model, transcriptModel, modelServers }
  return (caller) => ({ ...shared, history: openHistory(notes, files.root, caller) })
}

/** Loading what speaks HTTP takes longer than most calls of other tools. */
function openWebLater(options: CapabilityOptions): Web {
  const settings = { allowHosts: options.allowHosts, userAgent: toUserAgent(options) }
  const open = lazily(async () => (await import('./web.ts')).openWeb(settings))
  return {
    fetch: async (url, options) => (await open()).fetch(url, options),
    check: async (url) => (await open()).check(url),
  }
}

function openPagesLater(web: Web, options: CapabilityOptions): Pages {
  const { keepsToRobots } = options
  // What stands before the version is the name that robots.txt knows.
  const robot = /^[A-Za-z_-]+/.exec(toUserAgent(options))?.[0] ?? 'toolpact'
  const open = lazily(async () => (await import('./pages.ts')).openPages({ web, robot, keepsToRobots }))
  return { check: web.check, get: async (url, request) => (await open()).get(url, request) }
}

function toUserAgent({ environment, userAgent }: CapabilityOptions): string {
  const named = environment.WEB_FETCH_USER_AGENT?.trim() || userAgent
  // A header takes nothing else.
  return named !== undefined && /^[ -~]+$/.test(named) ? named : 'toolpact'
}

function openDocumentsLater(): Documents {
  const open = lazily(async () => (await import('./documents.ts')).openDocuments())
  return { readPdf: async (bytes, options) => (await open()).readPdf(bytes, options) }
}

/** Where nobody is configured to answer, a search fails and says so. */
function openWebSearchLater({ environment, webSearch: config }: CapabilityOptions): WebSearch {
  const open = lazily(async () => (await import('./web-search.ts')).openWebSearch(environment, config))
  return {
    check: async () => (await open()).check(),
    search: async (query, options) => (await open()).search(query, options),
  }
}

/** A load that is cancelled still ends what it has started. */
function openModelServersLater({ stateDirectory, keep = () => {}, ...options }: CapabilityOptions): ModelServers {
  const { environment, keepEnvironment, modelServers: settings } = options
  const open = lazily(async () => {
    const { openModelServers } = await import('./model-servers.ts')
    // Servers outlive this process, whatever else it keeps.
    if (stateDirectory === undefined) throw new Error('Model servers are remembered in a state directory.')
    const directory = join(stateDirectory, 'model-servers')
    return openModelServers({ ...settings, environment, keepEnvironment, directory })
  })
  const kept = <Result>(work: Promise<Result>) => {
    keep(work)
    return work
  }
  return {
    load: (model, port, request) => kept(open().then((servers) => servers.load(model, port, request))),
    checkLoad: async (model, port) => (await open()).checkLoad(model, port),
    checkUnload: async (port) => (await open()).checkUnload(port),
    unload: (port, request) => kept(open().then((servers) => servers.unload(port, request))),
  }
}

function openHistory(notes: CapabilityOptions['notes'], root: string, { name, session }: Caller): History {
  const key = JSON.stringify(['last command', root, name, session ?? null])
  return {
    last: async () => (await notes.get(key)) as LastCommand | undefined,
    remember: (command) => notes.set(key, command),
  }
}

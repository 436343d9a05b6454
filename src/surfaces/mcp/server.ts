import { setImmediate } from 'node:timers/promises'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { lazily } from '../../contract/lazily.ts'
import { isPublicCaller } from '../../contract/public-access.ts'
import { shorten } from '../../contract/text/shorten.ts'
import type { Caller } from '../../contract/tool.ts'
import { findCaseVariant, type Request } from '../../protocol/message.ts'
import { errorCodes, type Reply, refuse, refuseRevision, toErrorReply, toReply } from '../../protocol/reply.ts'
import { legacyRevisions, metaKeys, modernRevisions } from '../../protocol/revisions.ts'
import type { Asking } from '../asking.ts'
import type { Peers } from '../http/peers.ts'
import type { Served } from '../served.ts'
import { ParkedCalls } from './answer-call.ts'
import type { Asked } from './call-offer.ts'
import { type CallServices, callTool } from './call-tool.ts'
import { findCapabilities } from './capabilities.ts'
import { createCatalogueSearch } from './catalogue-search.ts'
import { type Changes, createChanges, type ListKind } from './changes.ts'
import { complete } from './complete.ts'
import { cancelledByClient, type Exchange } from './connection.ts'
import { FoundTools } from './found-tools.ts'
import { findInstructions } from './instructions.ts'
import { createToolLister } from './list-tools.ts'
import { listen } from './listen.ts'
import { setLogLevel } from './logging.ts'
import { getPrompt, listPrompts } from './prompts.ts'
import { loadStateKey } from './request-state.ts'
import { listResources, listTemplates, readResource } from './resources.ts'
import { subscribe, unsubscribe } from './subscribe.ts'
import { createTaskRunner } from './tasks/create-task-runner.ts'
import { toTaskCapabilities } from './tasks/task.ts'
import { findTaskMethod } from './tasks/task-methods.ts'
import type { TaskSettings } from './tasks/task-runner.ts'

export type CatalogueMode = 'all' | 'search'

/** How the server identifies itself. */
export interface McpInfo {
  readonly name: string
  readonly title?: string
  readonly version: string
  /** For the model: how to use the tools. */
  readonly instructions?: string
}

export interface McpOptions {
  readonly info: McpInfo
  readonly asking: Asking
  /** Whether clients list every tool or search. Read for each request. Default: `all`. */
  readonly catalogue?: (() => CatalogueMode) | undefined
  /** Signs `requestState`. Default: that of the storage. */
  readonly stateKey?: Uint8Array | undefined
  /** When calls become tasks, and how long tasks are kept. Read for each call. */
  readonly tasks?: (() => TaskSettings) | undefined
  /** Other processes that serve the same port, over HTTP. */
  readonly peers?: Peers | undefined
}

/** Answers requests, independent of the transport. */
export interface McpServer {
  /** Never rejects. Undefined if the client cancelled the request. */
  answer(request: Request, exchange: Exchange): Promise<Reply | undefined>
  /** Changes of lists, for transports that push notifications. */
  readonly changes: Changes
  canListen(caller: Caller): Promise<boolean>
  /** Ends subscriptions, and calls that wait for an answer of their client. */
  close(): void
  /** Waits for running tasks, and ends those that take longer. After `close`. */
  settle(graceMs: number): Promise<void>
}

/** What responses depend on. */
export interface Client {
  readonly revision: string
  readonly isModern: boolean
  /** Only known for modern revisions. */
  readonly name?: string
  readonly capabilities: JsonObject
}

type Answer = Reply | undefined | Promise<Reply | undefined>

/** Per client. */
export const maxCallsInFlight = 256
const discoverTtlMs = 3_600_000

const paramKeys = ['_meta', 'name', 'arguments', 'cursor', 'uri', 'level', 'ref', 'argument', 'context', 'inputResponses', 'requestState', 'notifications', 'protocolVersion', 'capabilities', 'task', 'taskId'] // biome-ignore format: one line

export function createMcpServer(
  served: Served,
  { info, asking, catalogue, stateKey, tasks: settings, peers }: McpOptions,
): McpServer {
  const { instructions, ...implementation } = info
  const serverMeta = { [metaKeys.server]: implementation }
  const changes = createChanges(served.catalog, { bySession: catalogue !== undefined })
  const search = createCatalogueSearch(served, changes)
  const services: CallServices = {
    served,
    asking,
    serverMeta,
    stateKey: lazily(async () => stateKey ?? loadStateKey(served.notes)),
    parked: new ParkedCalls(peers?.toOwnId),
    shownApps: new FoundTools(),
    get search() {
      return catalogue?.() === 'search' ? search : undefined
    },
    get tasks() {
      return tasks
    },
  }
  const tasks = served.tasks && createTaskRunner(services, served.tasks, settings ?? (() => ({})))
  const listTools = createToolLister(services)
  const toAbout = async ({ caller }: Exchange, revision: string): Promise<JsonObject> => {
    const [capabilities, all] = await Promise.all([
      findCapabilities(served, caller, changes),
      findInstructions(served, caller, instructions),
    ])
    const declared = { ...capabilities, ...toTaskCapabilities(services, caller, revision) }
    return { capabilities: declared, ...(all !== undefined && { instructions: all }) }
  }

  function answer(request: Request, exchange: Exchange): Answer {
    const starting = exchange.connection?.starting
    if (starting) return starting.then(() => answer(request, exchange))
    const { id, params } = request
    const variant = findCaseVariant(params, paramKeys)
    if (variant !== undefined) return refuse(id, variant)
    const meta = params._meta
    if (meta !== undefined && !isObject(meta)) return refuse(id, '_meta must be an object.')
    if (meta?.[metaKeys.revision] === undefined) return answerLegacy(request, exchange)
    const revision = meta[metaKeys.revision]
    const capabilities = meta[metaKeys.capabilities]
    if (typeof revision !== 'string') return refuse(id, `_meta["${metaKeys.revision}"] must be a string.`)
    if (!modernRevisions.includes(revision)) return refuseRevision(id, revision)
    if (!isObject(capabilities)) return refuse(id, `_meta["${metaKeys.capabilities}"] must be an object. Send it.`)
    const client = meta[metaKeys.client]
    const name = isObject(client) && typeof client.name === 'string' ? client.name : ''
    return answerModern(request, exchange, { revision, isModern: true, capabilities, name })
  }

  function answerModern(request: Request, exchange: Exchange, client: Client): Answer {
    switch (request.method) {
      case 'server/discover':
        return discover(request, exchange)
      case 'tools/list':
        return listTools(request, exchange, client)
      case 'tools/call':
        return call(request, exchange, client)
      case 'subscriptions/listen':
        return startListening(request, exchange, client)
      default:
        return answerTask(request, exchange, client) ?? answerOffer(request, exchange, client)
    }
  }

  async function startListening(request: Request, exchange: Exchange, client: Client): Promise<Reply | undefined> {
    const { notifications } = request.params
    const isAboutTasks = isObject(notifications) && notifications.taskIds !== undefined
    const mayFollow = isAboutTasks && tasks !== undefined && !isPublicCaller(exchange.caller)
    if (!mayFollow && !(await canListen(exchange.caller))) return refuseMethod(request)
    return count(request, exchange, () => listen({ ...services, changes }, { request, exchange, client }))
  }

  function answerTask(request: Request, exchange: Exchange, client: Client): Answer {
    const asked = { request, exchange, client }
    const method = findTaskMethod(services, asked)
    return method && count(request, exchange, () => method({ ...services, tasks: tasks! }, asked))
  }

  /** Whether anything can be announced. Streams are limited, and reserved for callers with a token. */
  async function canListen(caller: Caller): Promise<boolean> {
    if (isPublicCaller(caller)) return false
    if (changes.canChange) return true
    const { resources } = await findCapabilities(served, caller, changes)
    return isObject(resources) && resources.subscribe === true
  }

  /** Prompts, resources and completions, the same in every revision. */
  function answerOffer(request: Request, exchange: Exchange, client: Client): Answer {
    const work = Object.hasOwn(offerMethods, request.method) ? offerMethods[request.method] : undefined
    if (!work) return refuseMethod(request)
    return count(request, exchange, async () => {
      if (!(await isDeclared(request.method, exchange))) return refuseMethod(request)
      return work(services, { request, exchange, client })
    })
  }

  /** Methods of capabilities that were not declared do not exist. */
  async function isDeclared(method: string, exchange: Exchange): Promise<boolean> {
    const [kind = ''] = method.split('/')
    if (exchange.connection?.lists.includes(kind as ListKind)) return true
    const offers = await served.catalog.offers(exchange.caller)
    const kinds = offers.map(({ tool: { offer } }) => `${offer?.kind}s`)
    return kinds.some((found) => found === kind || (kind === 'completion' && ['prompts', 'resources'].includes(found)))
  }

  async function discover({ id }: Request, exchange: Exchange): Promise<Reply> {
    return toReply(id, {
      resultType: 'complete',
      supportedVersions: [...modernRevisions],
      ...(await toAbout(exchange, modernRevisions[0]!)),
      ttlMs: discoverTtlMs,
      // What is offered differs between callers.
      cacheScope: 'private',
      _meta: serverMeta,
    })
  }

  function answerLegacy(request: Request, exchange: Exchange): Answer {
    const { connection } = exchange
    if (request.method === 'initialize' && connection) return initialize(request, exchange)
    if (request.method === 'ping') return toReply(request.id, {})
    const client = connection?.client
    if (!client) {
      const how = `Send initialize first, or the revision in _meta["${metaKeys.revision}"] of each request.`
      return refuse(request.id, `The MCP revision of this request is unknown. ${how}`)
    }
    switch (request.method) {
      case 'tools/list':
        return listTools(request, exchange, client)
      case 'tools/call':
        return call(request, exchange, client)
      case 'logging/setLevel':
        return setLogLevel(request, exchange)
      case 'resources/subscribe':
        return count(request, exchange, () => subscribe(services, { request, exchange, client }))
      case 'resources/unsubscribe':
        return unsubscribe(services, { request, exchange, client })
      default:
        return answerTask(request, exchange, client) ?? answerOffer(request, exchange, client)
    }
  }

  async function initialize({ id, params }: Request, exchange: Exchange): Promise<Reply> {
    const { protocolVersion, capabilities = {} } = params
    if (typeof protocolVersion !== 'string') return refuse(id, 'protocolVersion must be a string.')
    if (!isObject(capabilities)) return refuse(id, 'capabilities must be an object.')
    const revision = legacyRevisions.includes(protocolVersion) ? protocolVersion : legacyRevisions[0]!
    const connection = exchange.connection!
    connection.client = { revision, isModern: false, capabilities }
    const about = toAbout(exchange, revision)
    about.then(({ capabilities }) => {
      connection.lists = (['tools', 'prompts', 'resources'] as const).filter(
        (kind) => kind in (capabilities as JsonObject),
      )
    })
    connection.starting = about
      .then(() => setImmediate())
      .finally(() => {
        connection.starting = undefined
      })
    return toReply(id, { protocolVersion: revision, ...(await about), serverInfo: implementation as JsonObject })
  }

  function call(request: Request, exchange: Exchange, client: Client): Answer {
    return count(request, exchange, () => callTool(services, { request, exchange, client }))
  }

  /** Limits requests in flight. Undefined if the client cancelled the request. */
  async function count(
    { id }: Request,
    { connection, controller }: Exchange,
    work: () => Answer,
  ): Promise<Reply | undefined> {
    if (connection?.isInFlight(id)) return refuse(id, 'A request with this id is in flight. Use another id.')
    if (connection && connection.callsInFlight >= maxCallsInFlight) {
      const message = `${maxCallsInFlight} calls are in flight. Retry once one of them has ended.`
      return toErrorReply(id, { code: errorCodes.internal, message })
    }
    connection?.begin(id, controller)
    try {
      const reply = await work()
      return controller.signal.reason === cancelledByClient ? undefined : reply
    } finally {
      connection?.end(id)
    }
  }

  return {
    changes,
    canListen,
    close() {
      changes.close()
      services.parked.close()
      tasks?.close()
    },
    async settle(graceMs) {
      await tasks?.settle(graceMs)
    },
    answer(request, exchange) {
      const fail = () => toErrorReply(request.id, { code: errorCodes.internal, message: 'Internal error. Report it.' })
      try {
        return Promise.resolve(answer(request, exchange)).catch(fail)
      } catch {
        return Promise.resolve(fail())
      }
    },
  }
}

const offerMethods: { readonly [method: string]: (services: CallServices, asked: Asked) => Promise<Reply> } = {
  'prompts/list': listPrompts,
  'prompts/get': getPrompt,
  'resources/list': listResources,
  'resources/templates/list': listTemplates,
  'resources/read': readResource,
  'completion/complete': complete,
}

function refuseMethod({ id, method }: Request): Reply {
  return toErrorReply(id, { code: errorCodes.method, message: `Unknown method '${shorten(method, 100)}'.` })
}

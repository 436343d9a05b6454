import type { LogLevel } from '../../contract/call-client.ts'
import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import type { SentRequest } from '../../contract/trace-context.ts'
import { errorCodes } from '../../protocol/reply.ts'
import { tasksExtension } from '../../protocol/tasks.ts'
import {
  type ClientOptions,
  type OperatorLogs,
  type ServerAddress,
  type UpstreamCallOptions,
  type UpstreamClient,
  UpstreamFailure,
} from './client.ts'
import type { Conversation } from './conversation.ts'
import { type ListKind, listMethods, listPages } from './list-pages.ts'
import { LogLevels } from './log-levels.ts'
import { runRounds } from './multi-round.ts'
import type { Agreement } from './negotiate.ts'
import { findParamHeaders, type ParamHeader, toParamHeaders } from './param-headers.ts'
import { Subscriptions } from './subscriptions.ts'

/** Time for a server to exit after its input is closed, and again after SIGTERM. */
const graceMs = 2000
/** A call waits this long for the log level that its client wants. */
const setLevelMs = 2000

interface CreateOptions {
  readonly address: ServerAddress
  readonly mayAsk: boolean
  readonly roots: readonly JsonObject[] | undefined
  readonly logs: OperatorLogs | undefined
  readonly follow: ClientOptions['follow']
}

interface CallRequest {
  readonly method: string
  /** The content of `params`, as JSON without the outer braces. */
  readonly fields: string
  /** What is called, and the headers that it requires, for HTTP. */
  readonly name?: string
  readonly headers?: { readonly [name: string]: string } | undefined
}

/** The client of a server, once a revision is agreed on. */
export function createClient(
  conversation: Conversation,
  { revision, isModern, serverInfo, capabilities, instructions }: Agreement,
  { address, mayAsk, roots, logs, follow }: CreateOptions,
): UpstreamClient {
  const isHttp = address.kind === 'http'
  const onNoise = (text: string) => conversation.onNoise(text)
  const closing = new AbortController()
  /** The headers that each tool requires. Only modern revisions over HTTP have them. */
  const wanted = new Map<string, readonly ParamHeader[]>()
  const mirrors = isModern && isHttp
  const subscriptions = new Subscriptions(conversation, { capabilities, isModern, mayAsk, signal: closing.signal })
  const levels =
    !isModern && capabilities.logging !== undefined
      ? new LogLevels((level) => conversation.request('logging/setLevel', `"level":"${level}"`, { signal: AbortSignal.any([closing.signal, AbortSignal.timeout(setLevelMs)]) })) // biome-ignore format: one line
      : undefined
  const where = toWhere(address)
  // For as long as it is connected.
  if (logs) levels?.want(logs.level)
  const taskTools = new Set<string>()
  const { extensions } = capabilities
  const hasTasks = isModern && isObject(extensions) && extensions[tasksExtension] !== undefined
  let closed: Promise<void> | undefined

  async function list(kind: ListKind, signal?: AbortSignal) {
    const offered = kind === 'resourceTemplates' ? 'resources' : kind
    // Some servers declare no tools, and have them.
    if (kind !== 'tools' && capabilities[offered] === undefined) return { entries: [] }
    const ask = (cursor: string | undefined) => {
      const fields = cursor === undefined ? '' : `"cursor":${JSON.stringify(cursor)}`
      return conversation.request(listMethods[kind], fields, { signal })
    }
    const listed = await listPages(kind, { ask, onNoise }).catch((failure: UpstreamFailure) => {
      // Not every server with resources has templates.
      const mayLack = kind === 'resourceTemplates' || capabilities[offered] === undefined
      if (failure.code === errorCodes.method && mayLack) return { entries: [] }
      throw failure
    })
    if (kind === 'tools' && !isModern) takeTasks(listed.entries)
    return mirrors && kind === 'tools' ? { ...listed, entries: listed.entries.filter(takeHeaders) } : listed
  }

  /** Tools of 2025-11-25 that can only be called as tasks. */
  function takeTasks(entries: readonly JsonObject[]) {
    taskTools.clear()
    for (const { name, execution } of entries)
      if (typeof name === 'string' && isObject(execution) && execution.taskSupport === 'required') taskTools.add(name)
  }

  /** MCP forbids the use of tools with invalid headers. */
  function takeHeaders({ name, inputSchema }: JsonObject): boolean {
    const headers = findParamHeaders(inputSchema)
    if (typeof headers === 'string')
      onNoise(`The tool ${conversation.quote(String(name), 200)} is left out. ${headers}`)
    else if (typeof name === 'string') wanted.set(name, headers)
    return typeof headers !== 'string'
  }

  function send(request: CallRequest, options: UpstreamCallOptions): Promise<JsonValue> {
    const { method, name } = request
    const followed = follow?.({ method, name, revision, trace: options.trace, ...where })
    if (!followed) return sendAs(request, options)
    const answered = sendAs(request, { ...options, trace: followed.trace ?? options.trace })
    answered.then(
      (result) => followed.end(isObject(result) && result.isError === true ? 'tool_error' : undefined),
      ({ code, kind }: UpstreamFailure) => followed.end(code === undefined ? kind : String(code)),
    )
    return answered
  }

  function sendAs({ method, fields, name, headers }: CallRequest, options: UpstreamCallOptions): Promise<JsonValue> {
    const { signal, onProgress, peer, trace } = options
    const all = isHttp && trace ? { ...headers, ...trace } : headers
    const takesTasks = hasTasks && method === 'tools/call'
    const sendOnce = (more: string) =>
      conversation.request(method, `${fields}${more}`, { signal, onProgress, peer, trace, name, headers: all, takesTasks }) // biome-ignore format: one line
    const follow = async (task: JsonObject) => {
      const { followTask } = await import('./follow-task.ts')
      return followTask(conversation, task, { signal, peer, roots, ...(onProgress && { onProgress }) })
    }
    if (isModern) return runRounds(conversation, { send: sendOnce, peer, roots, signal, follow: takesTasks ? follow : undefined }) // biome-ignore format: one line
    return peer?.logLevel && levels ? withLogs(levels, peer.logLevel, () => sendOnce('')) : sendOnce('')
  }

  async function callAsTask(request: CallRequest, options: UpstreamCallOptions): Promise<JsonValue> {
    const { awaitTask } = await import('./follow-task.ts')
    return awaitTask(conversation, await send(request, options), options)
  }

  return {
    revision,
    serverInfo,
    capabilities,
    ...(instructions !== undefined && { instructions }),
    list,
    callTool(name, input, options) {
      const fields = `"name":${JSON.stringify(name)},"arguments":${JSON.stringify(input)}`
      const headers = mirrors ? toParamHeaders(wanted.get(name) ?? [], input) : undefined
      if (taskTools.has(name)) return callAsTask({ method: 'tools/call', fields: `${fields},"task":{}`, name }, options)
      return send({ method: 'tools/call', fields, name, headers }, options)
    },
    getPrompt(name, input, options) {
      const fields = `"name":${JSON.stringify(name)},"arguments":${JSON.stringify(input)}`
      return send({ method: 'prompts/get', fields, name }, options)
    },
    readResource: (uri, options) =>
      send({ method: 'resources/read', fields: `"uri":${JSON.stringify(uri)}`, name: uri }, options),
    complete: (params, options) =>
      send({ method: 'completion/complete', fields: JSON.stringify(params).slice(1, -1) }, options),
    subscribe: (uris) => subscriptions.follow(uris),
    async ping(signal) {
      await conversation.request(isModern ? 'server/discover' : 'ping', '', { signal })
    },
    close() {
      closing.abort()
      conversation.end(new UpstreamFailure('unavailable', 'The connection to the server was closed.'))
      closed ??= conversation.transport.close(graceMs)
      return closed
    },
  }
}

async function withLogs<T>(levels: LogLevels, level: LogLevel, work: () => Promise<T>): Promise<T> {
  const done = await levels.want(level)
  return work().finally(done)
}

function toWhere(address: ServerAddress): Pick<SentRequest, 'transport' | 'address'> {
  if (address.kind === 'stdio' || !URL.canParse(address.url)) return { transport: 'pipe' }
  const { hostname: host, port, protocol } = new URL(address.url)
  return { transport: 'tcp', address: { host, port: Number(port) || (protocol === 'https:' ? 443 : 80) } }
}

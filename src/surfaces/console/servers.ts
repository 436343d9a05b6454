import type { Toolpact } from '../../app/app.ts'
import { shorten } from '../../contract/text/shorten.ts'
import type { UpstreamStatus } from '../../host/upstream.ts'
import { countOffered, countWithheld, toCountWords, toWithheldWords } from '../offered-counts.ts'
import type { ActionResponse } from './api/rules.ts'
import type {
  AddServersRequest,
  AddServersResponse,
  AdoptRequest,
  ProposeServersResponse,
  ServerDetail,
  ServerList,
  ServerRow,
} from './api/servers.ts'
import { type ConsoleParts, type Endpoint, Refusal } from './endpoint.ts'
import { describeIsolation, describeRefused } from './isolation-words.ts'
import { countReviews } from './reviews.ts'
import type { ServerConfig } from './server-config.ts'

export const serverEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: 'servers',
    right: 'view',
    async handle(_asked, parts): Promise<ServerList> {
      const { toolpact, servers } = parts
      const measured = await measure(parts)
      return {
        servers: toolpact.upstreams.look().map((status) => toRow(status, measured)),
        configPath: servers?.path() ?? null,
      }
    },
  },
  {
    method: 'GET',
    path: 'servers/{name}',
    right: 'view',
    text: 'code',
    handle: async ({ params }, parts) => toDetail(findServer(parts.toolpact, params.name!), await measure(parts)),
  },
  {
    method: 'POST',
    path: 'servers/{name}/restart',
    right: 'manage',
    async handle({ params }, { toolpact }): Promise<ActionResponse> {
      const { name } = findServer(toolpact, params.name!)
      const status = await within(toolpact.upstreams.restart(name), restartMs)
      if (status?.state === 'failed') return { message: `${name} could not be started. ${status.fault ?? ''}` }
      if (status?.state !== 'ready') return { message: `${name} is starting.` }
      return { message: `${name} was restarted.` }
    },
  },
  {
    method: 'POST',
    path: 'servers/{name}/adopt',
    right: 'manage',
    body: 'AdoptRequest',
    async handle({ params, person, body }, { toolpact, servers }): Promise<ActionResponse> {
      const { name } = findServer(toolpact, params.name!)
      return { message: await requireConfig(servers).adopt(name, body as AdoptRequest, person.name) }
    },
  },
  {
    method: 'POST',
    path: 'servers/propose',
    right: 'manage',
    body: 'AddServersRequest',
    text: 'code',
    handle: ({ body, signal }, { servers }): Promise<ProposeServersResponse> =>
      requireConfig(servers).propose(body as unknown as AddServersRequest, signal),
  },
  {
    method: 'POST',
    path: 'servers/add',
    right: 'manage',
    body: 'AddServersRequest',
    text: 'code',
    handle: ({ person, body }, { servers }): Promise<AddServersResponse> =>
      requireConfig(servers).add(body as unknown as AddServersRequest, person.name),
  },
]

/** The page learns from the stream when a server that takes longer is ready. */
const restartMs = 5000

function findServer({ upstreams }: Toolpact, name: string): UpstreamStatus {
  const found = upstreams.look().find((status) => status.name === name)
  if (found) return found
  throw new Refusal('not_found', 'No server of this name is in use.', 'Run toolpact mcp list to see which are configured, disabled or not trusted.') // biome-ignore format: one line
}

function requireConfig(servers: ServerConfig | undefined): ServerConfig {
  if (servers) return servers
  throw new Refusal('conflict', 'The program that serves this does not let the console change its config.', 'Change the config, and start the program again.') // biome-ignore format: one line
}

/** What is known about servers beside their status. */
interface Measured {
  readonly pings: ReadonlyMap<string, number>
  readonly reviews: ReadonlyMap<string, number>
  readonly describe: ServerConfig['describe']
}

async function measure({ toolpact, servers }: ConsoleParts): Promise<Measured> {
  const [pings, reviews] = await Promise.all([ping(toolpact), countReviews(toolpact)])
  return { pings, reviews, describe: (name) => servers?.describe(name) ?? { address: '', grants: [] } }
}

const pingMs = 1000
const reuseMs = 5000
const pinged = new WeakMap<Toolpact, { readonly at: number; readonly times: Promise<ReadonlyMap<string, number>> }>()

/** Servers that take long to answer get no time. */
async function ping(toolpact: Toolpact): Promise<ReadonlyMap<string, number>> {
  const known = pinged.get(toolpact)
  if (known && performance.now() - known.at < reuseMs) return (await within(known.times, pingMs)) ?? new Map()
  const times = toolpact.upstreams.measure()
  pinged.set(toolpact, { at: performance.now(), times })
  return (await within(times, pingMs)) ?? new Map()
}

/** Undefined if it takes longer. */
async function within<Value>(promise: Promise<Value>, ms: number): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

function toRow(status: UpstreamStatus, { pings, reviews, describe }: Measured): ServerRow {
  const { name, state, fault, admitted, restarts, startedInMs } = status
  const [offered, left] = [countOffered(admitted.map(({ tool }) => tool)), countWithheld(status)]
  const pingMs = pings.get(name)
  return {
    ...{ name, state, restarts },
    ...(fault !== undefined && { fault }),
    offered: `${toCountWords(offered)}${left.tools + left.prompts + left.resources > 0 ? `, withheld: ${toWithheldWords(left)}` : ''}`,
    admitted: offered.tools,
    withheld: left.tools,
    prompts: offered.prompts,
    resources: offered.resources,
    flagged: admitted.filter((tool) => toFlags(tool).length > 0).length,
    reviews: reviews.get(name) ?? 0,
    startedInMs: startedInMs === undefined ? null : Math.round(startedInMs),
    pingMs: pingMs === undefined ? null : Math.round(pingMs * 10) / 10,
    address: describe(name).address,
    isolation: describeIsolation(status.isolation),
  }
}

/** Flags of accepted definitions were reviewed. Reading them searches the definition, so only the others are read. */
function toFlags(tool: UpstreamStatus['admitted'][number]): readonly { message: string; excerpt: string }[] {
  return tool.locked ? [] : tool.flags
}

function toDetail(status: UpstreamStatus, measured: Measured): ServerDetail {
  const { name, serverInfo = {}, revision = null, instructions, admitted, withheld, unread, noise } = status
  const reasonsOfUnread = unread && [{ name: `${unread.count} more`, reasons: [unread.reason] }]
  return {
    ...toRow(status, measured),
    serverInfo: {
      ...(typeof serverInfo.name === 'string' && { name: shorten(serverInfo.name, maxCharacters) }),
      ...(typeof serverInfo.version === 'string' && { version: shorten(serverInfo.version, maxCharacters) }),
    },
    revision,
    ...(instructions !== undefined && { instructions }),
    admittedTools: admitted.map((tool) => ({
      id: `${name}.${tool.tool.contract.name}`,
      name: tool.tool.contract.name,
      risk: tool.tool.contract.risk,
      outputForm: tool.outputForm,
      flags: toFlags(tool).map(({ message, excerpt }) => `${message} "${excerpt}"`),
    })),
    withheldTools: [...withheld, ...(reasonsOfUnread ?? [])].map(({ name, reasons }) => ({
      name,
      reasons: reasons.map(({ code, message, fix }) => ({ code, message, fix })),
      ...toAction(reasons.map(({ code }) => code)),
    })),
    noise,
    grants: measured.describe(name).grants,
    refused: (status.isolation?.refused ?? []).map((refused) => describeRefused(name, refused)),
    ...(status.isolation?.state === 'confined' && {
      changeGrants: `toolpact mcp grant ${name} --read DIR, toolpact mcp revoke ${name}`,
    }),
  }
}

const maxCharacters = 200

/** What makes a withheld tool usable, if one step does. */
function toAction(codes: readonly string[]): { readonly action?: 'adopt' | 'review' } {
  if (codes.every((code) => code === 'no_output_schema')) return { action: 'adopt' }
  if (codes.every((code) => code === 'differs_from_lock' || code === 'not_in_lock')) return { action: 'review' }
  return {}
}

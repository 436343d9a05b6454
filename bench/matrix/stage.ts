import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '../../src/contract/json.ts'
import type { UpstreamEntry } from '../../src/host/open-upstreams.ts'
import { isAlive } from '../../test/helpers/is-alive.ts'
import { findPort } from '../host/gateways.ts'
import { start } from '../serve/contender.ts'
import { type Answer, type Client, openClient, send, toHeaders, type User } from './client.ts'
import type { Gateway } from './gateways.ts'

const changeling = fileURLToPath(new URL('../../test/upstream-servers/changeling.ts', import.meta.url))
const hostile = fileURLToPath(new URL('../../test/upstream-servers/hostile.ts', import.meta.url))
const startMs = 25_000

type Servers = { readonly [name: string]: UpstreamEntry }

interface ServeOptions {
  /** How many tools to wait for. */
  readonly tools?: number
  /** Additional Toolpact config. */
  readonly flags?: readonly string[]
  readonly config?: JsonObject
}

/** One gateway set up for one row, with the resources to clean up. */
export function openStage(gateway: Gateway) {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-matrix-'))
  const children: ChildProcess[] = []
  const clients: Client[] = []
  const listPids: (() => number[])[] = []

  /** A server with a configurable tool list. Its calls run without approval. */
  function makeChangeling(definitions: readonly JsonObject[], entry: UpstreamEntry = {}) {
    const file = join(mkdtempSync(join(folder, 'changeling-')), 'tools.json')
    const list = (next: readonly JsonObject[]) => writeFileSync(file, JSON.stringify(next))
    const pids = () =>
      existsSync(`${file}.starts`) ? readFileSync(`${file}.starts`, 'utf8').trim().split('\n').map(Number) : []
    list(definitions)
    listPids.push(pids)
    return {
      entry: { command: process.execPath, args: [changeling, file], approval: 'never' as const, ...entry },
      list,
      pids,
    }
  }

  /** A misbehaving server. Its tools have no output schemas, so the config accepts quoted results. */
  function makeHostile(kind = ''): UpstreamEntry {
    return {
      command: process.execPath,
      args: [hostile, kind],
      env: { DESCRIBED: 'yes' },
      withoutOutputSchema: 'opaque',
    }
  }

  const toServer = (program: string, ...args: readonly string[]): UpstreamEntry => ({
    command: process.execPath,
    args: [fileURLToPath(new URL(`../../test/upstream-servers/${program}.ts`, import.meta.url)), ...args],
    withoutOutputSchema: 'opaque',
    approval: 'never',
  })

  /** A server that offers these prompts and resources. Its calls run without approval, and its results are quoted. */
  function makeOffering(offered: JsonObject): UpstreamEntry {
    const file = join(mkdtempSync(join(folder, 'offering-')), 'offered.json')
    writeFileSync(file, JSON.stringify(offered))
    return toServer('offering', file)
  }

  /** The same with hostile prompts, resources and questions: see test/upstream-servers/hostile-offers.ts. */
  const makeHostileOffers = (kind = '') => toServer('hostile-offers', 'legacy', kind)

  async function serve(servers: Servers, { tools = 1, flags = [], config: more = {} }: ServeOptions = {}) {
    const names = Object.keys(servers)
    const config = join(folder, 'toolpact.json')
    writeFileSync(config, JSON.stringify({ mcpServers: servers, ...(gateway.findToken && { toolsets: names }), ...more })) // biome-ignore format: one line
    const first = servers[names[0]!] ?? {}
    const port = await findPort()
    const args = gateway.toArgs({ port, folder, config, command: [first.command ?? '', ...(first.args ?? [])] })
    const { child } = await start([...args, ...(gateway.findToken ? flags : [])], { env: gateway.toEnv(folder) })
    child.stdout.resume()
    children.push(child)
    const url = `http://127.0.0.1:${port}/mcp`
    let token: string | undefined
    const toAddress = () => {
      token ??= gateway.findToken?.(folder)
      return { url, transport: gateway.transport, token }
    }
    const isAlone = names.length === 1

    async function open(headers?: { readonly [name: string]: string }, user?: User) {
      const client = await openClient(toAddress(), headers, user)
      clients.push(client)
      return client
    }

    const list = async (client: Client) => {
      const answer = await client.ask('tools/list')
      const listed: unknown[] = answer.message?.result?.tools ?? []
      // A gateway may pass on any listed tool.
      const tools = listed.filter((tool): tool is JsonObject => typeof tool === 'object' && tool !== null)
      return { names: tools.map(({ name }) => String(name)), tools, text: answer.text }
    }
    const call = (client: Client, [server, tool]: readonly [string, string], input: JsonObject = { text: 'hi' }) =>
      client.ask('tools/call', { name: gateway.toName(server, tool, isAlone), arguments: input })

    let opened: Client | undefined
    const client = await untilReady(child, async () => {
      opened ??= await open()
      const wanted = gateway.takesMany ? tools : Math.min(tools, 1)
      return (await list(opened)).names.length >= wanted ? opened : undefined
    })
    return {
      child,
      client,
      url,
      open,
      list: (by = client) => list(by),
      call: (tool: readonly [string, string], input?: JsonObject, by = client) => call(by, tool, input),
      toName: (server: string, tool: string) => gateway.toName(server, tool, isAlone),
      /** A request as a local program would make it, with the token if there is one. */
      send: (path: string, { headers, ...options }: Parameters<typeof send>[1] = {}): Promise<Answer> =>
        send(new URL(path, url).href, { ...options, headers: { ...toHeaders(toAddress()), ...headers } }),
    }
  }

  async function close() {
    for (const client of clients) client.close()
    await Promise.all(children.map(end))
    for (const pid of listPids.flatMap((pids) => pids())) endProcess(pid)
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }

  const makeFolder = (name: string) => {
    mkdirSync(join(folder, name))
    return join(folder, name)
  }
  return { gateway, folder, makeFolder, makeChangeling, makeHostile, makeOffering, makeHostileOffers, serve, close }
}

export type Stage = ReturnType<typeof openStage>
export type Host = Awaited<ReturnType<Stage['serve']>>

async function untilReady(child: ChildProcess, look: () => Promise<Client | undefined>): Promise<Client> {
  let last: unknown = new Error('It lists no tools.')
  for (const limit = Date.now() + startMs; Date.now() < limit; await sleep(50)) {
    if (child.exitCode !== null) break
    try {
      const client = await look()
      if (client) return client
    } catch (failure) {
      last = failure
    }
  }
  throw new Error('It did not serve the servers.', { cause: last })
}

/** Terminates it, with a short grace period. */
export async function end(child: ChildProcess) {
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (hasEnded()) return
    child.kill(signal)
    for (const limit = Date.now() + 3000; !hasEnded() && Date.now() < limit; ) await sleep(20)
  }
}

export function endProcess(pid: number): void {
  if (isAlive(pid)) process.kill(pid, 'SIGKILL')
}

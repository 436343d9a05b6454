import { type ChildProcess, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { installPeer } from '../peer.ts'
import { type Contender, start, toHttpContender, toStdioContender } from '../serve/contender.ts'
import { toSseContender } from './sse-contender.ts'

// The built package, as users run it.
const command = fileURLToPath(new URL('../../dist/cli/toolpact.js', import.meta.url))
const peer = fileURLToPath(new URL('../serve/peer-server.ts', import.meta.url))

export const gatewayVersions = {
  '@modelcontextprotocol/sdk': '1.32.2',
  'mcp-proxy': '6.7.19',
  supergateway: '4.0.0',
  'mcp-hub': '4.2.1',
}

/** One way to reach the same tool: how to start it and how to call it. */
export interface Gateway {
  readonly name: string
  readonly args: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly toContender: (child: ChildProcess) => Contender
}

/** The direct upstream (the baseline) and every gateway in front of it. */
export async function toGateways(folder: string): Promise<Gateway[]> {
  const sdk = installPeer('@modelcontextprotocol/sdk', gatewayVersions['@modelcontextprotocol/sdk'])
  const upstream = [peer, 'v1', 'stdio', sdk]
  const config = join(folder, 'toolpact.json')
  // What an operator would answer when adding it: its tool claims to read, so calls do not ask.
  const mcpServers = { bench: { command: process.execPath, args: upstream, approval: 'reads' } }
  writeFileSync(config, JSON.stringify({ mcpServers }))
  return [
    await toDirect([peer, 'v1', 'http', sdk]),
    {
      name: 'the upstream itself, over stdio',
      args: upstream,
      toContender: (child) => toStdioContender('the upstream itself, over stdio', child, '2025-11-25'),
    },
    await toToolpact(folder, config, '2025-11-25'),
    await toToolpact(folder, config, '2026-07-28'),
    await toPeer('mcp-proxy', (port) => ['--host', '127.0.0.1', '--port', port, '--server', 'stream', '--', process.execPath, ...upstream]), // biome-ignore format: one line
    await toPeer('supergateway', (port) => ['--stdio', [process.execPath, ...upstream].join(' '), '--outputTransport', 'streamableHttp', '--stateful', '--logLevel', 'none', '--port', port]), // biome-ignore format: one line
    await toHub(folder, config),
  ]
}

/** Starts it and resolves after the first answered call, with the time that took. */
export async function startGateway({ name, args, env, toContender }: Gateway) {
  const begin = performance.now()
  const { child } = await start(args, env && { env })
  const contender = toContender(child)
  // Drain its log, or the process would block on a full pipe.
  child.stdout.resume()
  for (;;) {
    try {
      const { calls, close } = await contender.open(1)
      await calls[0]!().finally(close)
      return { contender, milliseconds: performance.now() - begin }
    } catch (failure) {
      if (child.exitCode !== null || performance.now() - begin > 30_000)
        throw new Error(`${name} did not start.`, { cause: failure })
      await sleep(10)
    }
  }
}

async function toDirect(args: readonly string[]): Promise<Gateway> {
  const name = 'official SDK over HTTP, direct'
  const port = await findPort()
  const toContender = (child: ChildProcess) => toHttpContender(name, child, { url: toUrl(port) }, '2025-11-25')
  return { name, args, env: { PORT: port }, toContender }
}

async function toToolpact(folder: string, config: string, revision: '2025-11-25' | '2026-07-28'): Promise<Gateway> {
  const name = `toolpact, ${revision}`
  const port = await findPort()
  const env = { TOOLPACT_STATE_DIR: mkdtempSync(join(folder, 'state-')) }
  const [node, all] = [process.execPath, { ...process.env, ...env }]
  const token = execFileSync(node, [command, 'token', 'create', 'local'], {
    env: all,
    encoding: 'utf8',
    stdio: 'pipe',
  }).trim()
  const args = [command, 'serve', '--port', port, '--json', '--config', config, '--toolset', 'bench']
  return {
    name,
    args,
    env,
    toContender: (child) => toHttpContender(name, child, { url: toUrl(port), token }, revision),
  }
}

async function toPeer(name: 'mcp-proxy' | 'supergateway', toArgs: (port: string) => string[]): Promise<Gateway> {
  const version = gatewayVersions[name]
  const port = await findPort()
  return {
    name: `${name} ${version}`,
    args: [findProgram(name, version), ...toArgs(port)],
    toContender: (child) => toHttpContender(`${name} ${version}`, child, { url: toUrl(port) }, '2025-11-25'),
  }
}

async function toHub(folder: string, config: string): Promise<Gateway> {
  const version = gatewayVersions['mcp-hub']
  const name = `mcp-hub ${version}, HTTP+SSE`
  const port = await findPort()
  return {
    name,
    args: [findProgram('mcp-hub', version), '--port', port, '--config', config],
    env: { XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
    toContender: (child) => toSseContender(name, child, { url: toUrl(port), tool: 'bench__hello' }),
  }
}

/** The program of a peer, installed on first use. */
export function findProgram(name: string, version: string): string {
  const home = join(installPeer(name, version), 'node_modules', name)
  const { bin } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { bin: { [name: string]: string } }
  return join(home, bin[name]!)
}

const toUrl = (port: string) => `http://127.0.0.1:${port}/mcp`

export function findPort(): Promise<string> {
  const server = createServer()
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(String(port)))
    })
  })
}

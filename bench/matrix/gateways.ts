import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findProgram, gatewayVersions } from '../host/gateways.ts'
import type { Address } from './client.ts'

// From source, so that no build is needed.
const toolpact = fileURLToPath(new URL('../../src/cli/toolpact.ts', import.meta.url))
const about = new URL('../../package.json', import.meta.url)

/** Start options of a gateway. */
interface Setting {
  readonly port: string
  readonly folder: string
  readonly config: string
  /** The command of the first server. */
  readonly command: readonly string[]
}

export interface Gateway {
  readonly name: string
  readonly version: string
  /** Whether it supports more than one server. */
  readonly takesMany: boolean
  readonly transport: Address['transport']
  /** Installs it if needed, and returns the script for Node. */
  toArgs(setting: Setting): string[]
  toEnv(folder: string): NodeJS.ProcessEnv
  /** The exposed name of a tool; `isAlone`: there is only one server. */
  toName(server: string, tool: string, isAlone: boolean): string
  findToken?(folder: string): string
  /** Pins the packages of servers, if supported. */
  pin?(folder: string): void
}

const { version } = JSON.parse(readFileSync(about, 'utf8')) as { version: string }

export const gateways: readonly Gateway[] = [
  {
    name: 'Toolpact',
    version,
    takesMany: true,
    transport: 'http',
    toArgs: ({ port, config }) => [toolpact, 'serve', '--port', port, '--config', config, '--wait', '2'],
    toEnv: (folder) => ({ TOOLPACT_STATE_DIR: join(folder, 'state') }),
    toName: (server, tool, isAlone) => (isAlone ? tool : `${server}.${tool}`),
    findToken: (folder) => {
      const env = { ...process.env, TOOLPACT_STATE_DIR: join(folder, 'state') }
      return execFileSync(process.execPath, [toolpact, 'token', 'create', 'local'], { env, encoding: 'utf8', stdio: 'pipe' }).trim() // biome-ignore format: one line
    },
    pin: (folder) => {
      const env = { ...process.env, TOOLPACT_STATE_DIR: join(folder, 'state') }
      execFileSync(process.execPath, [toolpact, 'lock', '--config', join(folder, 'toolpact.json')], {
        env,
        stdio: 'pipe',
      })
    },
  },
  {
    name: 'mcp-proxy',
    version: gatewayVersions['mcp-proxy'],
    takesMany: false,
    transport: 'http',
    toArgs: ({ port, command }) => [findProgram('mcp-proxy', gatewayVersions['mcp-proxy']), '--host', '127.0.0.1', '--port', port, '--server', 'stream', '--', ...command], // biome-ignore format: one line
    toEnv: () => ({}),
    toName: (_, tool) => tool,
  },
  {
    name: 'supergateway',
    version: gatewayVersions.supergateway,
    takesMany: false,
    transport: 'http',
    toArgs: ({ port, command }) => [findProgram('supergateway', gatewayVersions.supergateway), '--stdio', command.join(' '), '--outputTransport', 'streamableHttp', '--stateful', '--logLevel', 'none', '--port', port], // biome-ignore format: one line
    toEnv: () => ({}),
    toName: (_, tool) => tool,
  },
  {
    name: 'mcp-hub',
    version: gatewayVersions['mcp-hub'],
    takesMany: true,
    transport: 'sse',
    toArgs: ({ port, config }) => [findProgram('mcp-hub', gatewayVersions['mcp-hub']), '--port', port, '--config', config], // biome-ignore format: one line
    toEnv: (folder) => ({ XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder }),
    toName: (server, tool) => `${server}__${tool}`,
  },
]

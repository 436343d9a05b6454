import type { ClientOptions, StdioAddress, UpstreamClient } from '../../src/host/connect/client.ts'
import { openClient } from '../../src/host/connect/open-client.ts'
import { entries } from '../helpers/run-command.ts'

/** The address of a server that misbehaves: see hostile.ts. */
export function hostile(start = '', env: StdioAddress['env'] = {}): StdioAddress {
  return { kind: 'stdio', command: process.execPath, args: [entries.hostile, start], env }
}

export function options(more: Partial<ClientOptions> = {}): ClientOptions {
  return { info: { name: 'toolpact-test', version: '0.0.0' }, startMs: 30_000, maxMessageBytes: 4_000_000, ...more }
}

export interface Opened {
  readonly client: UpstreamClient
  /** What it said beside the protocol. */
  readonly noise: string[]
  /** Why the connection was lost, each time that was told. */
  readonly lost: Error[]
  /** How often it told that its tools have changed. */
  readonly changes: number[]
}

export async function openHostile(start?: string, more: Partial<ClientOptions> = {}): Promise<Opened> {
  const noise: string[] = []
  const lost: Error[] = []
  const changes: number[] = []
  const client = await openClient(
    hostile(start),
    options({
      onNoise: (text) => noise.push(text),
      onLost: (failure) => lost.push(failure),
      onListChanged: (kind) => kind === 'tools' && changes.push(changes.length),
      ...more,
    }),
  )
  return { client, noise, lost, changes }
}

import { fileURLToPath } from 'node:url'
import { installPeer } from './peer.ts'
import { type Contender, start, stop, toHttpContender, toStdioContender } from './serve/contender.ts'
import { measureGrowth } from './serve/growth.ts'
import { measure, type ServeAim } from './serve/measure.ts'
import { openStates, startHttp, startStdio } from './serve/start-toolpact.ts'
import { measureWorkers } from './serve/workers.ts'
import type { About, Table } from './table.ts'

const peer = fileURLToPath(new URL('serve/peer-server.ts', import.meta.url))
const loads = [
  { callers: 1, calls: 400 },
  { callers: 16, calls: 1600 },
  { callers: 64, calls: 2400 },
]

const versions = { v1: '1.32.2', v2: '2.4.0', node: '2.1.2' }

export const about: About = {
  compares:
    '`tools/call` through a server with every check and the ledger on disk, beside servers that check nothing; two workers beside one; and what more tools cost.',
  peers: [
    `@modelcontextprotocol/sdk ${versions.v1}`,
    `@modelcontextprotocol/server ${versions.v2} with @modelcontextprotocol/node ${versions.node}`,
  ],
}

export async function* bench(): AsyncGenerator<Table> {
  const v1 = installPeer('@modelcontextprotocol/sdk', versions.v1)
  const v2 = installPeer('@modelcontextprotocol/server', versions.v2, [`@modelcontextprotocol/node@${versions.node}`])
  const states = openStates()
  for (const [title, startAll, rounds, aim] of [
    [
      'tools/call over HTTP',
      startAllHttp,
      60,
      { minThroughput: 2, maxMemory: 150, beside: { name: 'bare node:http', minThroughput: 0.5, maxCallers: 16 } },
    ],
    ['tools/call over stdio', startAllStdio, 240, { maxLatency: 1.5 }],
  ] satisfies [string, typeof startAllHttp, number, ServeAim][]) {
    const contenders = await startAll({ v1, v2 }, states.make)
    try {
      for (const load of loads) yield await measure({ title, aim }, contenders, { ...load, rounds })
    } finally {
      await Promise.all(contenders.map(({ child }) => stop(child)))
    }
  }
  states.remove()
  if (process.platform === 'linux') yield await measureWorkers()
  yield await measureGrowth()
}

interface Peers {
  readonly v1: string
  readonly v2: string
}

const tools = ['--toolset', 'learning']

async function startAllHttp({ v1, v2 }: Peers, makeState: () => NodeJS.ProcessEnv): Promise<Contender[]> {
  const startPeer = (kind: string, folder: string) => start([peer, kind, 'http', folder], { line: /^http\S+/ })
  const first = await startPeer('v1', v1)
  const second = await startPeer('v2', v2)
  const bare = await startPeer('bare', '')
  const own = await startHttp(makeState(), tools)
  return [
    toHttpContender('official SDK v1, 2025-11-25', first.child, { url: first.found }, '2025-11-25'),
    toHttpContender('official SDK v2, 2026-07-28', second.child, { url: second.found }, '2026-07-28'),
    toHttpContender('toolpact, 2025-11-25', own.child, own.address, '2025-11-25'),
    toHttpContender('toolpact, 2026-07-28', own.child, own.address, '2026-07-28'),
    toHttpContender('bare node:http', bare.child, { url: bare.found }, '2026-07-28'),
  ]
}

async function startAllStdio({ v1, v2 }: Peers, makeState: () => NodeJS.ProcessEnv): Promise<Contender[]> {
  const startPeer = async (kind: string, folder: string) => (await start([peer, kind, 'stdio', folder])).child
  return [
    toStdioContender('official SDK v1, 2025-11-25', await startPeer('v1', v1), '2025-11-25'),
    toStdioContender('official SDK v2, 2026-07-28', await startPeer('v2', v2), '2026-07-28'),
    toStdioContender('toolpact, 2025-11-25', await startStdio(makeState(), tools), '2025-11-25'),
    toStdioContender('toolpact, 2026-07-28', await startStdio(makeState(), tools), '2026-07-28'),
    toStdioContender('bare lines', await startPeer('bare', ''), '2026-07-28'),
  ]
}

import { fileURLToPath } from 'node:url'
import { installPeer } from './peer.ts'
import { type Contender, start, stop, toHttpContender, toStdioContender } from './serve/contender.ts'
import { measure } from './serve/measure.ts'

const peer = fileURLToPath(new URL('serve/peer-server.ts', import.meta.url))
const loads = [
  { callers: 1, calls: 400 },
  { callers: 16, calls: 1600 },
  { callers: 64, calls: 2400 },
]

/** `tools/call` through a server with every check and the ledger on disk, against servers that check nothing. */
export async function bench() {
  const v1 = installPeer('@modelcontextprotocol/sdk', '1.32.2')
  const v2 = installPeer('@modelcontextprotocol/server', '2.4.0', ['@modelcontextprotocol/node@2.1.2'])
  for (const [title, contenders] of [
    ['tools/call over HTTP', await startHttp(v1, v2)],
    ['tools/call over stdio', await startStdio(v1, v2)],
  ] as const) {
    try {
      for (const load of loads) await measure(title, contenders, load)
    } finally {
      await Promise.all(contenders.map(({ child }) => stop(child)))
    }
  }
}

async function startHttp(v1: string, v2: string): Promise<Contender[]> {
  const address = /^http\S+/
  const startPeer = (kind: string, folder: string) => start([peer, kind, 'http', folder], { line: address })
  const first = await startPeer('v1', v1)
  const second = await startPeer('v2', v2)
  const bare = await startPeer('bare', '')
  return [
    toHttpContender('official SDK v1, no checks', first.child, { url: first.found }, '2025-11-25'),
    toHttpContender('official SDK v2, no checks', second.child, { url: second.found }, '2026-07-28'),
    toHttpContender('bare node:http, no checks', bare.child, { url: bare.found }, '2026-07-28'),
  ]
}

async function startStdio(v1: string, v2: string): Promise<Contender[]> {
  const startPeer = async (kind: string, folder: string) => (await start([peer, kind, 'stdio', folder])).child
  return [
    toStdioContender('official SDK v1, no checks', await startPeer('v1', v1), '2025-11-25'),
    toStdioContender('official SDK v2, no checks', await startPeer('v2', v2), '2026-07-28'),
    toStdioContender('bare lines, no checks', await startPeer('bare', ''), '2025-11-25'),
  ]
}

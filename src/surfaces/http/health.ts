import type { ServerResponse } from 'node:http'
import type { StorageHealth } from '../../runtime/storage/storage.ts'
import { nobody } from './credentials.ts'
import type { Handle, HttpSurface, Route } from './route.ts'

export interface HealthOptions {
  readonly storage: () => Promise<StorageHealth>
  /** The MCP servers of the config. */
  readonly upstreams: () => readonly UpstreamHealth[]
  /** Whether the ledger is sealed. It never makes the server unready: calls are recorded all the same. */
  readonly sealing?: () => SealingHealth | undefined
  /** The server is about to stop, and takes requests for a while. */
  readonly isDraining?: () => boolean
  /** Other machines need no token either. Default: false. */
  readonly isPublic?: boolean
}

interface SealingHealth {
  readonly size: number | null
  readonly lastSealedAt: number | null
  readonly fault: string | null
  readonly places: readonly { readonly lastSentAt: number | null; readonly fault: string | null }[]
}

export interface UpstreamHealth {
  readonly name: string
  readonly state: string
  /** Its tools are known, from this process or an earlier one. */
  readonly isListed: boolean
}

/** A check may write to the disk, and every program on this machine can request one. */
const reuseMs = 1000

/**
 * `/healthz`: the process is alive. `/readyz`: calls can be served, that is, they can be recorded and, if MCP servers are
 * configured, at least one is usable; `degraded` if only calls that read are served. Requests without a token see only which part is not ready.
 */
export function createHealth({
  storage,
  upstreams,
  sealing = () => undefined,
  isDraining = () => false,
  isPublic = false,
}: HealthOptions): HttpSurface {
  let checked: Promise<StorageHealth> | undefined
  let checkedAt = Number.NEGATIVE_INFINITY

  function checkStorage(): Promise<StorageHealth> {
    if (!checked || performance.now() - checkedAt > reuseMs) {
      checkedAt = performance.now()
      checked = storage().catch(() => ({ isWritable: false, lastCommitAt: null, lastFailure: null }))
    }
    return checked
  }

  async function look(isAuthenticated: boolean) {
    const { isWritable, lastCommitAt, lastFailure, refusedLines = 0, journal } = await checkStorage()
    const servers = upstreams()
    const isServed = servers.length === 0 || servers.some(isUsable)
    const reasons = [
      ...(isDraining() ? ['draining'] : []),
      ...(isWritable ? [] : ['storage']),
      ...(isServed ? [] : ['upstreams']),
    ]
    // Calls that only read are served, and recorded in a journal.
    const isDegraded = journal?.isFull === false && reasons.every((reason) => reason === 'storage')
    return {
      status: reasons.length === 0 ? 'ready' : isDegraded ? 'degraded' : 'not_ready',
      ...(reasons.length > 0 && { reasons }),
      ...(isAuthenticated && {
        storage: {
          writable: isWritable,
          last_commit_at: toTime(lastCommitAt),
          // Without the message, which contains paths. It is on the server's stderr.
          last_failure_at: toTime(lastFailure?.at ?? null),
          ...(refusedLines > 0 && { refused_lines: refusedLines }),
          ...(journal && { journal: { since: toTime(journal.since), records: journal.records, full: journal.isFull } }),
        },
        ...toSealing(sealing()),
        upstreams: servers.map(({ name, state }) => ({ name, state })),
      }),
    }
  }

  const toRoute = (path: string, handle: Handle): Route => ({
    methods: ['GET', 'HEAD'],
    path,
    needs: isPublic ? 'optional' : 'loopback',
    handle,
  })
  return {
    routes: [
      toRoute('/healthz', (_request, response) => send(response, { status: 'ok' })),
      toRoute('/readyz', async (_request, response, { caller }) => send(response, await look(caller !== nobody))),
    ],
  }
}

/** Without faults and places, which contain paths and addresses: they are on the server's stderr. */
function toSealing(sealing: SealingHealth | undefined) {
  if (!sealing) return undefined
  const { size, lastSealedAt, fault, places } = sealing
  return {
    checkpoints: {
      size,
      last_at: toTime(lastSealedAt),
      failing: fault !== null,
      places: places.map(({ lastSentAt, fault }) => ({ last_at: toTime(lastSentAt), failing: fault !== null })),
    },
  }
}

function send(response: ServerResponse, health: { readonly status: string }) {
  const body = JSON.stringify(health)
  const isReady = health.status !== 'not_ready'
  response.writeHead(isReady ? 200 : 503, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    ...(!isReady && { 'Retry-After': 1 }),
  })
  response.end(body)
}

/** `idle`: it starts with the first call. */
function isUsable({ state, isListed }: UpstreamHealth): boolean {
  return state === 'ready' || state === 'idle' || (isListed && state !== 'failed')
}

function toTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}

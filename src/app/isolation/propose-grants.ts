import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { probe as probeSandbox } from '../../capabilities/sandbox/probe.ts'
import { findNamedFolders } from '../../capabilities/sandbox/server/code-root.ts'
import type { Grants } from '../../host/lock/grants.ts'
import type { UpstreamEntry } from '../../host/open-upstreams.ts'
import { openToolpact } from '../app.ts'
import type { ConfigSource } from '../config/config.ts'
import { toGrantPath } from './grant-path.ts'

/** What a server appears to need, or why it cannot be found out. */
export type GrantProposal =
  | { readonly grants: Grants }
  /** `unavailable`: nothing confines servers here. `failed`: it does not start confined, for a reason that is not known. */
  | { readonly state: 'unavailable' | 'failed'; readonly reason: string; readonly suggestion?: string }

export interface ProposeOptions {
  readonly workspace?: string | undefined
  /** Grants are written relative to this folder, if they are in it; undefined for a server of every folder. */
  readonly folder: string | undefined
  readonly signal: AbortSignal
}

/**
 * Starts a server once, confined and without network, and proposes what it then wanted: the hosts that it was refused, and
 * the folders that its entry names.
 */
export async function proposeGrants(
  name: string,
  entry: UpstreamEntry,
  options: ProposeOptions,
): Promise<GrantProposal> {
  // biome-ignore format: one line
  const probe = await probeSandbox({ wanted: entry.container === undefined ? undefined : 'container' })
  if ('reason' in probe) return { state: 'unavailable', ...probe }
  const cwd = resolve(options.folder ?? '.', entry.cwd ?? '.')
  const named = findNamedFolders(entry, entry.cwd === undefined ? process.cwd() : cwd, homedir())
  // A folder that the entry names for it to run in is there for it to work with.
  const write = [...new Set(entry.cwd === undefined ? named : [cwd, ...named])]
  const { disabled: _, ...plain } = entry as UpstreamEntry & { disabled?: boolean }
  const trial = { ...plain, isolation: 'required', read: [], write, network: 'none', start: 'lazy' }
  const toolpact = await openToolpact({
    storage: 'memory',
    config: { mcpServers: { [name]: trial } } as ConfigSource,
    ...(options.workspace !== undefined && { workspace: options.workspace }),
  })
  const stop = () => void toolpact.close()
  options.signal.addEventListener('abort', stop, { once: true })
  try {
    const [status] = await toolpact.upstreams.statuses()
    const hosts = (status?.isolation?.refused ?? []).map(({ host, port }) =>
      port === undefined || port === 443 || port === 80 ? host : `${host}:${port}`,
    )
    if (status?.state !== 'ready' && hosts.length === 0) return { state: 'failed', reason: status?.fault ?? 'it did not start' } // biome-ignore format: one line
    return {
      grants: {
        read: [],
        write: write.map((path) => toGrantPath(path, options.folder)),
        network: hosts.length > 0 ? [...new Set(hosts)].sort() : 'none',
      },
    }
  } finally {
    options.signal.removeEventListener('abort', stop)
    await toolpact.close()
  }
}

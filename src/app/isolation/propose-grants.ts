import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { probe as probeSandbox } from '../../capabilities/sandbox/probe.ts'
import { findNamedFolders } from '../../capabilities/sandbox/server/code-root.ts'
import type { RefusedFile } from '../../host/connect/confinement.ts'
import type { Grants } from '../../host/lock/grants.ts'
import type { UpstreamEntry } from '../../host/open-upstreams.ts'
import { openToolpact } from '../app.ts'
import type { ConfigSource } from '../config/config.ts'
import { toGrantPath } from './grant-path.ts'
import { isGranted } from './is-granted.ts'

/** What a server appears to need, or why it cannot be found out. */
export type GrantProposal =
  | { readonly offers: readonly GrantOffer[] }
  /** `unavailable`: nothing confines servers here. `failed`: it does not start confined, for a reason that is not known. */
  | { readonly state: 'unavailable' | 'failed'; readonly reason: string; readonly suggestion?: string }

/** One thing that a server could be granted. */
export interface GrantOffer {
  readonly access: 'read' | 'write' | 'connect'
  /** A path as it is written into the config, or a host. */
  readonly value: string
  readonly why: string
  /** Only the server itself says that it needs it, so that a person must choose it. */
  readonly isClaim: boolean
}

export interface ProposeOptions {
  readonly workspace?: string | undefined
  /** Grants are written relative to this folder, if they are in it; undefined for a server of every folder. */
  readonly folder: string | undefined
  readonly signal: AbortSignal
  /** Told what installs it, such as `npm`. */
  readonly onInstalling?: (by: string) => void
}

/**
 * Starts a server once, confined and without network, and proposes what it then wanted: the hosts that it was refused, the
 * folders that its entry names, and the files that it looked for.
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
  const installers = new Set<string>()
  toolpact.upstreams.watch(({ installing }) => {
    if (installing && !installers.has(installing.by)) options.onInstalling?.(installing.by)
    if (installing) installers.add(installing.by)
  })
  options.signal.addEventListener('abort', stop, { once: true })
  try {
    const [status] = await toolpact.upstreams.statuses()
    const refused = status?.isolation?.refused ?? []
    const hosts = [...new Set(refused.flatMap((each) => ('host' in each ? [each.grant] : [])))].sort()
    const files = refused.flatMap((each) => ('path' in each ? [each] : []))
    if (status?.state !== 'ready' && refused.length === 0) return { state: 'failed', reason: status?.fault ?? 'it did not start' } // biome-ignore format: one line
    return {
      offers: [
        ...write.map((path) => ({ access: 'write' as const, value: toGrantPath(path, options.folder), why: path === cwd ? 'the folder that it runs in' : 'named by its entry', isClaim: false })), // biome-ignore format: one line
        ...hosts.map((value) => ({ access: 'connect' as const, value, why: 'it tried to', isClaim: false })),
        ...toFileOffers(files, options.folder),
      ],
    }
  } finally {
    options.signal.removeEventListener('abort', stop)
    await toolpact.close()
  }
}

const maxFiles = 20

/** What it looked for, without what another of them includes. */
function toFileOffers(files: readonly RefusedFile[], folder: string | undefined): GrantOffer[] {
  const shortestFirst = files.toSorted((a, b) => a.grant.length - b.grant.length)
  const kept: RefusedFile[] = []
  for (const file of shortestFirst) {
    const granted = { read: kept.filter(({ access }) => access === 'read').map(({ grant }) => grant), write: kept.filter(({ access }) => access === 'write').map(({ grant }) => grant) } // biome-ignore format: one line
    if (!isGranted(granted, { ...file, path: file.grant }, '/')) kept.push(file)
  }
  return kept.slice(0, maxFiles).map(({ access, grant }) => ({
    access,
    value: toGrantPath(grant, folder),
    why: 'it looked for it',
    isClaim: true,
  }))
}

/** The grants that offers stand for. */
export function toOfferedGrants(offers: readonly GrantOffer[]): Grants {
  const of = (wanted: GrantOffer['access']) => offers.flatMap(({ access, value }) => (access === wanted ? [value] : []))
  const hosts = of('connect')
  return { read: of('read'), write: of('write'), network: hosts.length > 0 ? hosts : 'none' }
}

import { printable } from '../../contract/text/printable.ts'
import type { ServerSettings } from '../server-settings.ts'

/** What a confined server may touch, as written in the config: paths are not resolved, since a lock is shared. */
export interface Grants {
  readonly read: readonly string[]
  readonly write: readonly string[]
  readonly network: 'none' | 'any' | readonly string[]
}

export type GrantedEntry = Pick<ServerSettings, 'isolation' | 'container' | 'read' | 'write' | 'network'>

/** The grants of an entry; undefined if it runs unconfined: switched off, or nothing was granted yet. */
export function toGrants({ isolation = 'auto', container, read, write, network }: GrantedEntry): Grants | undefined {
  const isGranted = container !== undefined || read !== undefined || write !== undefined || network !== undefined
  if (isolation === 'off' || (isolation === 'auto' && !isGranted)) return undefined
  const sorted = network === undefined || typeof network === 'string' ? (network ?? 'none') : network.toSorted()
  return {
    read: [...(read ?? [])].sort(),
    write: [...(write ?? [])].sort(),
    network: Array.isArray(sorted) && sorted.length === 0 ? 'none' : sorted,
  }
}

/** Such as "reads ~/notes, writes nothing, talks to api.notion.com". */
export function describeGrants(grants: Grants | undefined): string {
  if (!grants) return 'reads and writes what you can, talks to any host'
  const { read, write, network } = grants
  const list = (values: readonly string[]) => values.map((value) => printable(value)).join(', ')
  const reads = read.length > 0 ? list(read) : write.length > 0 ? 'only what it writes' : 'nothing of yours'
  const talks = network === 'any' ? 'any host' : network === 'none' ? 'no host' : list(network)
  return `reads ${reads}, writes ${write.length > 0 ? list(write) : 'nothing'}, talks to ${talks}`
}

/** What the next grants allow in addition, in words; empty if they allow no more. */
export function findWider(old: Grants | undefined, next: Grants | undefined): string[] {
  if (!old) return []
  if (!next) return ['it is no longer confined']
  const more = (kind: 'read' | 'write', verb: string) => {
    const known = kind === 'read' ? [...old.read, ...old.write] : old.write
    return next[kind].filter((path) => !known.includes(path)).map((path) => `${verb} ${printable(path)}`)
  }
  return [...more('read', 'reads'), ...more('write', 'writes'), ...findWiderHosts(old.network, next.network)]
}

function findWiderHosts(old: Grants['network'], next: Grants['network']): string[] {
  if (next === 'none' || old === 'any') return []
  if (next === 'any') return ['talks to any host']
  const known = old === 'none' ? [] : old
  return next.filter((host) => !known.includes(host)).map((host) => `talks to ${printable(host)}`)
}

import type { JsonObject } from '../../contract/json.ts'
import { isInside } from '../../policy/path.ts'
import { UsageError } from '../options/command.ts'

/** The part of an entry that says what a server may touch. */
export interface GrantMembers {
  readonly isolation?: string
  readonly read?: readonly string[]
  readonly write?: readonly string[]
  readonly network?: 'any' | 'none' | readonly string[]
}

/** Turns a path as it is written in the config into an absolute one. */
type ToPath = (written: string) => string

/** What a server may touch once `more` is granted too. A folder that it may write is not listed as readable as well. */
export function addGrants(entry: JsonObject, more: GrantMembers, toPath: ToPath): GrantMembers {
  const { read = [], write = [], network } = entry as GrantMembers
  const isIn = (folders: readonly string[]) => (path: string) =>
    folders.some((folder) => isInside(toPath(folder), toPath(path), process.platform))
  const writes = [...write, ...(more.write ?? []).filter((path) => !isIn(write)(path))]
  const known = read.filter((path) => !isIn(writes)(path))
  const reads = [...known, ...(more.read ?? []).filter((path) => !isIn([...known, ...writes])(path))]
  const isListed = Array.isArray(more.network)
  return {
    ...(more.isolation !== undefined && { isolation: more.isolation }),
    ...((more.read || reads.length < read.length) && { read: reads }),
    ...(more.write && { write: writes }),
    ...(more.network !== undefined && {
      network: isListed ? addHosts(network, more.network as readonly string[]) : more.network,
    }),
  }
}

/** `none` becomes the list; `any` includes it. */
function addHosts(old: GrantMembers['network'], more: readonly string[]): 'any' | readonly string[] {
  if (old === 'any') return old
  return [...new Set([...(old === undefined || old === 'none' ? [] : old), ...more])]
}

/** What is left once `less` is taken back. Throws a `UsageError` for what was not granted. */
export function removeGrants(entry: JsonObject, less: GrantMembers, toPath: ToPath): GrantMembers {
  const { read = [], write = [], network } = entry as GrantMembers
  const isSame = (one: string) => (other: string) => toPath(one) === toPath(other)
  const without = (kind: 'read' | 'write', known: readonly string[]) => {
    const gone = less[kind] ?? []
    const missing = gone.find((path) => !known.some(isSame(path)))
    if (missing !== undefined) throw toNotGranted(kind, missing, { read, write, isSame })
    return known.filter((path) => !gone.some(isSame(path)))
  }
  return {
    ...(less.read && { read: without('read', read) }),
    ...(less.write && { write: without('write', write) }),
    ...(less.network !== undefined && { network: removeHosts(network, less.network) }),
  }
}

interface Known {
  readonly read: readonly string[]
  readonly write: readonly string[]
  readonly isSame: (one: string) => (other: string) => boolean
}

function toNotGranted(kind: 'read' | 'write', path: string, known: Known): UsageError {
  const other = kind === 'read' ? 'write' : 'read'
  const verb = other === 'write' ? 'read and write' : 'only read'
  if (known[other].some(known.isSame(path)))
    return new UsageError(`It may ${verb} ${path}.`, `To take that back: --${other} ${path}`)
  const folders = [...known.read.map((folder) => `--read ${folder}`), ...known.write.map((folder) => `--write ${folder}`)] // biome-ignore format: one line
  return new UsageError(
    `--${kind} ${path} was not granted.`,
    folders.length > 0 ? `Granted are ${folders.join(', ')}.` : 'No folder was granted.',
  )
}

function removeHosts(
  old: GrantMembers['network'] = 'none',
  less: NonNullable<GrantMembers['network']>,
): 'none' | readonly string[] {
  if (less === 'none') throw new UsageError('There is nothing to take back with --network none.', 'To take back all hosts: --network any') // biome-ignore format: one line
  if (less === 'any') return 'none'
  if (old === 'any') throw new UsageError('It may connect to any host.', 'To take that back: --network any')
  const known = old === 'none' ? [] : old
  const missing = less.find((host) => !known.includes(host))
  if (missing !== undefined)
    throw new UsageError(
      `--allow-host ${missing} was not granted.`,
      known.length > 0 ? `Granted are ${known.join(', ')}.` : 'No host was granted.',
    )
  const left = known.filter((host) => !less.includes(host))
  return left.length > 0 ? left : 'none'
}

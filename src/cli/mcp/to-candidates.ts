import { isDeepStrictEqual } from 'node:util'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { isObject } from './find-servers.ts'
import { type EntryContext, toServerEntry } from './server-entry.ts'
import { isServerName, toServerName } from './to-server-name.ts'

/** A server in the file of another client, and what would become of it here. */
export interface Candidate {
  readonly given: string
  /** What it would be called here. */
  readonly name: string
  readonly from: string
  readonly entry: JsonObject
  readonly notes: readonly string[]
  /** Why it is not taken; undefined where it is. */
  readonly skipped?: string
}

export interface FoundServers {
  readonly from: string
  readonly servers: { readonly [name: string]: JsonValue }
}

interface Options extends EntryContext {
  /** As our config has them now. */
  readonly existing: { readonly [name: string]: unknown }
  /** Names that no server can have. */
  readonly reserved: readonly string[]
  readonly replace: boolean
  /** Only these, by the names that they have there; all of them if there are none. */
  readonly wanted: readonly string[]
  readonly findFault: (name: string, entry: JsonObject) => Promise<string | undefined>
}

/** Decides about every server that was found. Of two with one name the first counts. */
export async function toCandidates(found: readonly FoundServers[], options: Options): Promise<Candidate[]> {
  const { wanted } = options
  const candidates: Candidate[] = []
  for (const { from, servers } of found) {
    for (const [given, source] of Object.entries(servers)) {
      if (wanted.length > 0 && !wanted.includes(given)) continue
      candidates.push({ given, from, ...(await decide(given, source, candidates, options)) })
    }
  }
  return candidates
}

type Decided = Omit<Candidate, 'given' | 'from'>

async function decide(
  given: string,
  source: JsonValue,
  seen: readonly Candidate[],
  options: Options,
): Promise<Decided> {
  const { existing, reserved, replace, findFault } = options
  if (!isObject(source)) return { name: given, entry: {}, notes: [], skipped: 'its entry is no object' }
  const { entry, notes } = toServerEntry(source, options)
  const skip = (skipped: string, name = given) => ({ name, entry, notes, skipped })
  if (entry.command === undefined && entry.url === undefined) return skip('it has neither a command nor a url')
  const before = seen.find((candidate) => candidate.given === given)
  if (before) return skip(`${before.from} has it too, and that one counts`)
  if (isOurselves(entry)) return skip('it is Toolpact itself')
  const isSame = (name: string) => Object.hasOwn(existing, name) && isDeepStrictEqual(existing[name], entry)
  const isThere = (name: string) => Object.hasOwn(existing, name) && !isSame(name)
  // A name that is made here must not be that of another server; one that was given may be meant to be.
  const isTaken = (name: string) =>
    reserved.includes(name) ||
    seen.some((candidate) => candidate.name === name) ||
    (!isServerName(given) && isThere(name))
  const name = toServerName(given, isTaken)
  if (isSame(name)) return skip('it is there already', name)
  if (isThere(name) && !replace) return skip('there is another one of that name; --replace replaces it', name)
  const fault = await findFault(name, entry)
  if (fault !== undefined) return skip(fault, name)
  return { name, entry, notes: [...(name === given ? [] : [`It is called ${name} here.`]), ...notes] }
}

/** A client that has us would have us start ourselves, over and over. */
function isOurselves({ command, args = [] }: JsonObject): boolean {
  const words = [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === 'string')
  return words.some((word) => /(?:^|[\\/])toolpact(?:\.[jt]s|\.cmd|@[^/]*)?$/.test(word)) && words.includes('serve')
}

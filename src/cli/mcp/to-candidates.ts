import { basename } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import type { FileRules } from './find-servers.ts'
import { type EntryContext, type TakenEntry, toServerEntry } from './server-entry.ts'

/** A server of another client and its converted entry. */
export interface Candidate {
  readonly given: string
  /** Its name here. */
  readonly name: string
  readonly from: string
  /** The client, or the file if unknown. */
  readonly owner: string
  readonly entry: JsonObject
  readonly notes: readonly string[]
  /** Settings that could not be converted, and what to do. */
  readonly problems: readonly string[]
  /** Why it is not imported, if so. */
  readonly skipped?: string
}

/** The servers of one file. */
export interface FoundServers {
  readonly from: string
  readonly path: string
  readonly owner: string
  /** Whether the file belongs to this folder rather than the user. */
  readonly isOfFolder: boolean
  readonly servers: { readonly [name: string]: JsonValue }
  /** Merged from all files of this client. */
  readonly rules: FileRules
  readonly hasBareVariables: boolean
}

interface Options extends Omit<EntryContext, 'inputs' | 'hasBareVariables'> {
  /** Whether servers are imported for every folder. */
  readonly isEverywhere: boolean
  /** Servers already in our config. */
  readonly existing: { readonly [name: string]: unknown }
  /** Reserved names. */
  readonly reserved: readonly string[]
  readonly replace: boolean
  /** Only these servers, by their original names; all if empty. */
  readonly wanted: readonly string[]
  readonly findFault: (name: string, entry: JsonObject) => Promise<string | undefined>
}

/**
 * Decides which servers to import. Within one client the first of a name wins; servers of different clients are both imported
 * if they differ.
 */
export async function toCandidates(found: readonly FoundServers[], options: Options): Promise<Candidate[]> {
  const { wanted } = options
  const candidates: Candidate[] = []
  for (const file of found) {
    for (const [given, source] of Object.entries(file.servers)) {
      if (wanted.length > 0 && !wanted.includes(given)) continue
      const { from, owner } = file
      candidates.push({ given, from, owner, ...(await decide(given, source, { file, seen: candidates, options })) })
    }
  }
  return candidates
}

type Decided = Omit<Candidate, 'given' | 'from' | 'owner'>

interface Deciding {
  readonly file: FoundServers
  readonly seen: readonly Candidate[]
  readonly options: Options
}

async function decide(given: string, source: JsonValue, { file, seen, options }: Deciding): Promise<Decided> {
  const { existing, reserved, replace, findFault } = options
  const { owner, path, rules, hasBareVariables } = file
  if (!isObject(source)) return { name: given, entry: {}, notes: [], problems: ['Its entry is not an object.'], skipped: 'its entry is not an object' } // biome-ignore format: one line
  const inputs = [...rules.inputs, ...(Array.isArray(source.inputs) ? source.inputs : [])]
  const taken = toServerEntry(source, { ...options, ...toFolders(file, options), inputs, hasBareVariables })
  const { entry, notes, problems } = applyRules(taken, { given, path, title: owner, rules })
  /** Skips without reporting a problem. */
  const skip = (skipped: string, name = given) => ({ name, entry, notes, problems: [], skipped })
  const refuse = (skipped: string, name = given) => ({ name, entry, notes, problems: problems.length > 0 ? problems : [`It cannot be imported: ${skipped}.`], skipped }) // biome-ignore format: one line
  const before = seen.find((candidate) => candidate.given === given && candidate.owner === owner)
  if (before) return skip(`${before.from} has it too, and that one counts`)
  if (isOurselves(entry)) return skip('it is Toolpact itself')
  if (entry.command === undefined && entry.url === undefined) return refuse('it has neither a command nor a url')
  const same = seen.find((candidate) => candidate.skipped === undefined && isDeepStrictEqual(candidate.entry, entry))
  if (same) return skip(`it is the same as ${same.name} of ${same.from}`)
  const present = Object.keys(existing).find((name) => isDeepStrictEqual(existing[name], entry))
  if (present !== undefined) return skip(`it already exists${present === given ? '' : `, as ${present}`}`, present)
  const isThere = (name: string) => Object.hasOwn(existing, name)
  // A generated name must not collide; a given name may replace an entry on purpose.
  const isTaken = (name: string) =>
    reserved.includes(name) ||
    seen.some((candidate) => candidate.skipped === undefined && candidate.name === name) ||
    ((!isServerName(given) || name !== given) && isThere(name))
  const name = toServerName(given, isTaken)
  if (isThere(name) && !replace) return skip('there is another one of that name; --replace replaces it', name)
  const fault = await findFault(name, entry)
  if (fault !== undefined) return refuse(fault.replace(/\.$/, ''), name)
  return { name, entry, notes: [...(name === given ? [] : [`It is called ${name} here.`]), ...notes], problems }
}

/**
 * The working folder of an entry. In a user config it is the folder that is open; if the server is for every folder, the path
 * stays relative.
 */
function toFolders({ isOfFolder }: FoundServers, { isEverywhere, workspace, folder }: Options) {
  if (!isEverywhere) return { workspace, folder }
  return isOfFolder ? { workspace, folder: '' } : { workspace: '.', folder: '.' }
}

/** A connected client lists Toolpact itself; importing that would start it recursively. */
function isOurselves({ command, args = [] }: JsonObject): boolean {
  const words = [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === 'string')
  return words.some((word) => /(?:^|[\\/])toolpact(?:\.[jt]s|\.cmd|@[^/]*)?$/.test(word)) && words.includes('serve')
}

interface Found {
  readonly given: string
  readonly path: string
  readonly title: string
  readonly rules: FileRules
}

/** Applies restrictions from the client's files outside the entry. */
function applyRules(taken: TakenEntry, { given, path, title, rules }: Found): TakenEntry {
  const isDisabled =
    rules.disabled.includes(given) ||
    (rules.allowed !== undefined && !rules.allowed.includes(given)) ||
    (basename(path) === '.mcp.json' && rules.disabledInMcpJson.includes(given)) ||
    rules.deniedTools.some((pattern) => pattern === `${given}*` || pattern === `${given}_*`)
  const denied = rules.deniedTools.filter((pattern) => pattern.startsWith(`${given}_`) && pattern !== `${given}_*`)
  const tools = denied.filter((pattern) => !pattern.includes('*')).map((pattern) => pattern.slice(given.length + 1))
  const patterns = denied.filter((pattern) => pattern.includes('*'))
  const entry: JsonObject = {
    ...taken.entry,
    ...(tools.length > 0 && { exclude: [...((taken.entry.exclude as string[] | undefined) ?? []), ...tools] }),
    ...(isDisabled && { disabled: true }),
  }
  return {
    entry,
    notes: [...taken.notes, ...(isDisabled && taken.entry.disabled !== true ? [`It is disabled in ${title}, and so it is here.`] : [])], // biome-ignore format: one line
    problems: [...taken.problems, ...patterns.map((pattern) => `${pattern} denies tools by a pattern: list them under exclude.`)], // biome-ignore format: one line
  }
}

const fits = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/
const longest = 64

export function isServerName(name: string): boolean {
  return fits.test(name)
}

/** A valid, unused name close to the given one. */
export function toServerName(given: string, isTaken: (name: string) => boolean): string {
  const name = isServerName(given) ? given : makeFit(given)
  if (!isTaken(name)) return name
  for (let count = 2; ; count++) {
    const end = `-${count}`
    const next = `${name.slice(0, longest - end.length)}${end}`
    if (!isTaken(next)) return next
  }
}

/** `@scope/My server` becomes `scope-My-server`. */
function makeFit(given: string): string {
  const plain = given
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
  const started = /^[A-Za-z]/.test(plain) ? plain : `server${plain === '' ? '' : `-${plain.replace(/^[-_]+/, '')}`}`
  return started.slice(0, longest).replace(/-+$/, '')
}

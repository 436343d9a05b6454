import { execFile } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { ContractSet } from '../../contract/diff/diff-contracts.ts'
import type { JsonValue } from '../../contract/json.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'
import { findHidden } from '../../contract/text/hidden-characters.ts'
import type { Lock } from '../../host/lock/lock.ts'
import { fromContractSet, NoContracts, toContractSet } from '../../projections/contracts.ts'
import { type Request, UsageError } from '../options/command.ts'

/** Stands for the current contracts or servers. */
export const current = '.'

const limits = { maxBytes: 268_435_456, maxDepth: 128 }

/** One side of a comparison. */
export type Source = 'current' | { readonly contracts: ContractSet } | { readonly lock: Lock }

/**
 * Reads one side of a comparison: `.` or `current` for the served tools, a file of contracts or a `toolpact.lock`, a folder of
 * contracts, or a git revision.
 */
export async function readSource(word: string, request: Request): Promise<Source> {
  const source = await read(word, request)
  if (source === 'current') return source
  const { toolset } = request.options
  const narrow = <Value>(values: { readonly [name: string]: Value }, isChosen: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => isChosen(name)))
  if (!toolset) return source
  if ('lock' in source)
    return { lock: { ...source.lock, servers: narrow(source.lock.servers, (name) => toolset.includes(name)) } }
  return { contracts: narrow(source.contracts, (id) => toolset.some((name) => id.startsWith(`${name}.`))) }
}

/** The contracts of the served tools. The options select toolsets. */
export async function readCurrent({ open }: Request): Promise<ContractSet> {
  const toolpact = await open({ storage: 'memory' })
  const entries = await toolpact.catalog.all()
  await toolpact.close()
  return toContractSet(entries)
}

async function read(source: string, request: Request): Promise<Source> {
  if (source === current) return 'current'
  const [, revision, path] = /^git:([^:]*)(?::(.+))?$/.exec(source) ?? []
  if (revision !== undefined) return readRevision(revision, path, request)
  const found = await stat(source).catch(() => undefined)
  if (found?.isDirectory()) return readFolder(source)
  if (found) return parse(await readFile(source), source)
  if (source === 'current') return source
  if (isRevision(source)) return readRevision(source, undefined, request)
  throw new UsageError(`There is no file ${source}.`)
}

async function readRevision(revision: string, path: string | undefined, request: Request): Promise<Source> {
  const { options, terminal } = request
  const folder = options.config === undefined ? (options.workspace ?? '.') : dirname(options.config)
  const file = path ?? (await findSetFile(revision, request))
  const bytes = await readGitFile({ revision, path: file, folder, signal: terminal.signal })
  return parse(bytes, `${file} at ${revision}`)
}

/** The contracts file listed in the config. */
async function findSetFile(revision: string, { open }: Request): Promise<string> {
  const toolpact = await open({ storage: 'memory' })
  await toolpact.close()
  const [path] = Object.entries(toolpact.config.generated ?? {}).find(([, format]) => format === 'contracts') ?? []
  if (path !== undefined) return path
  throw new UsageError(
    `'${revision}' is not a file, and as a git revision it does not name the file with the contracts.`,
    `Name it: git:${revision}:PATH, or list it under "generated" in toolpact.json.`,
  )
}

async function readFolder(folder: string): Promise<Source> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json') && name !== 'toolset.json').sort()
  if (names.length === 0) throw new UsageError(`There is no contract in ${folder}: no file ends in .json.`)
  const sets = await Promise.all(
    names.map(async (name) => parseContracts(await readFile(join(folder, name)), join(folder, name))),
  )
  const ids = sets.flatMap((set) => Object.keys(set))
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice !== undefined) throw new UsageError(`Two files of ${folder} contain the contract of '${twice}'.`)
  return { contracts: Object.assign({}, ...sets) }
}

async function parse(bytes: Uint8Array, name: string): Promise<Source> {
  const value = parseText(bytes, name)
  const isLock = typeof value === 'object' && value !== null && Object.hasOwn(value, 'lockVersion')
  if (!isLock) return { contracts: await toContracts(value, name) }
  const { readLock } = await import('../../host/lock/read-lock.ts')
  try {
    return { lock: readLock(bytes) }
  } catch (cause) {
    throw new UsageError(`The lock ${name} ${(cause as Error).message}.`, 'Restore it from version control.')
  }
}

async function parseContracts(bytes: Uint8Array, name: string): Promise<ContractSet> {
  return toContracts(parseText(bytes, name), name)
}

function parseText(bytes: Uint8Array, name: string): JsonValue {
  const parsed = parseJson(bytes, limits)
  if (!parsed.ok) throw new UsageError(`${name} is not valid JSON. ${parsed.message}`)
  return parsed.value
}

async function toContracts(value: JsonValue, name: string): Promise<ContractSet> {
  try {
    return await fromContractSet(value)
  } catch (cause) {
    if (!(cause instanceof NoContracts || cause instanceof TypeError)) throw cause
    const advice = 'Run `toolpact export contracts --out FILE` to write a file to compare.'
    throw new UsageError(`${name} contains no contracts. ${cause.message}`, advice)
  }
}

const run = promisify(execFile)

interface GitFile {
  /** A commit, branch or tag. */
  readonly revision: string
  /** Relative to `folder`. */
  readonly path: string
  readonly folder: string
  readonly signal: AbortSignal
}

/** Reads a file at a revision. Runs git without a shell; a revision is never parsed as an option. */
async function readGitFile({ revision, path, folder, signal }: GitFile): Promise<Buffer> {
  if (!isRevision(revision)) throw new UsageError(`'${revision}' is not a valid git revision.`)
  const git = async (...args: string[]) => {
    const options = { cwd: folder, encoding: 'buffer', maxBuffer: 67_108_864, timeout: 60_000, signal } as const
    return (await run('git', args, options)).stdout
  }
  const commit = await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`).catch(
    (cause) => {
      if (cause.code === 'ENOENT') throw new UsageError('git is not installed, or the folder does not exist.')
      throw new UsageError(`git has no revision '${revision}' here.`, 'Check its name, and the folder you are in.')
    },
  )
  const name = `${commit.toString('utf8').trim()}:./${path}`
  return git('cat-file', 'blob', name).catch(() => {
    throw new UsageError(`There is no file ${path} in git at ${revision}.`, 'Name another one: git:REVISION:PATH.')
  })
}

/** Whether the text has the form of a revision. */
export function isRevision(text: string): boolean {
  return /^[\p{L}\p{N}_@][^\s:\\?*[]*$/u.test(text) && findHidden(text, 'exact') === undefined
}

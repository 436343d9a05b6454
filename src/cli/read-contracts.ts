import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ContractSet } from '../contract/diff/diff-contracts.ts'
import type { JsonValue } from '../contract/json.ts'
import { parseJson } from '../contract/schema/parse-json.ts'
import { fromContractSet, NoContracts, toContractSet } from '../projections/contracts.ts'
import { type Request, UsageError } from './command.ts'
import { isRevision, readGitFile } from './git-file.ts'

/** What names the contracts as they are now. */
export const current = '.'

const limits = { maxBytes: 67_108_864, maxDepth: 128 }

/**
 * Reads the contracts that a word of the command line names: `.` for those that are served now, a file, a folder of
 * contracts, or a revision of git.
 */
export async function readContracts(source: string, request: Request): Promise<ContractSet> {
  const contracts = await read(source, request)
  const { toolset } = request.options
  if (!toolset) return contracts
  const isChosen = (id: string) => toolset.some((name) => id.startsWith(`${name}.`))
  return Object.fromEntries(Object.entries(contracts).filter(([id]) => isChosen(id)))
}

async function read(source: string, request: Request): Promise<ContractSet> {
  if (source === current) return readCurrent(request)
  const [, revision, path] = /^git:([^:]*)(?::(.+))?$/.exec(source) ?? []
  if (revision !== undefined) return readRevision(revision, path, request)
  const found = await stat(source).catch(() => undefined)
  if (found?.isDirectory()) return readFolder(source)
  if (found) return parse(await readFile(source), source)
  if (isRevision(source)) return readRevision(source, undefined, request)
  throw new UsageError(`There is no file ${source}.`)
}

async function readCurrent({ open }: Request): Promise<ContractSet> {
  const toolpact = await open({ storage: 'memory' })
  const entries = await toolpact.catalog.all()
  await toolpact.close()
  return toContractSet(entries)
}

async function readRevision(revision: string, path: string | undefined, request: Request): Promise<ContractSet> {
  const { options, terminal } = request
  const folder = options.config === undefined ? (options.workspace ?? '.') : dirname(options.config)
  const file = path ?? (await findSetFile(revision, request))
  const bytes = await readGitFile({ revision, path: file, folder, signal: terminal.signal })
  return parse(bytes, `${file} at ${revision}`)
}

/** The file that the config says to hold the contracts. */
async function findSetFile(revision: string, { open }: Request): Promise<string> {
  const toolpact = await open({ storage: 'memory' })
  await toolpact.close()
  const [path] = Object.entries(toolpact.config.generated ?? {}).find(([, format]) => format === 'contracts') ?? []
  if (path !== undefined) return path
  throw new UsageError(
    `'${revision}' is no file; as a revision of git it does not say which file holds the contracts.`,
    `Name it: git:${revision}:PATH, or list it under "generated" in toolpact.json.`,
  )
}

async function readFolder(folder: string): Promise<ContractSet> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()
  if (names.length === 0) throw new UsageError(`There is no contract in ${folder}: no file ends in .json.`)
  const sets = await Promise.all(
    names.map(async (name) => parse(await readFile(join(folder, name)), join(folder, name))),
  )
  const ids = sets.flatMap((set) => Object.keys(set))
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice !== undefined) throw new UsageError(`Two files of ${folder} hold a contract of '${twice}'.`)
  return Object.assign({}, ...sets)
}

async function parse(bytes: Uint8Array, name: string): Promise<ContractSet> {
  const parsed = parseJson(bytes, limits)
  if (!parsed.ok) throw new UsageError(`${name} is not valid JSON. ${parsed.message}`)
  try {
    return await fromContractSet(parsed.value as JsonValue)
  } catch (cause) {
    if (!(cause instanceof NoContracts || cause instanceof TypeError)) throw cause
    const advice = 'toolpact export contracts writes a file that can be compared.'
    throw new UsageError(`${name} holds no contracts. ${cause.message}`, advice)
  }
}

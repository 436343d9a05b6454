import { readdirSync, realpathSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Capabilities } from '../capabilities/capabilities.ts'
import { ConfigError, renameFolder } from '../config/config-error.ts'
import { toolsetNameForm } from '../contract/forms.ts'
import { compileSchema } from '../contract/schema/compile-schema.ts'
import { parseJson } from '../contract/schema/parse-json.ts'
import type { Toolset } from '../contract/tool.ts'
import type { ToolsetLoaders } from '../pipeline/catalog.ts'
import { type ContractFolder, isContract, loadContractFolder } from './load-contract-folder.ts'

export interface ContractFolders {
  /** A toolset of each folder, loaded when first needed: that runs code of the operator's. */
  readonly loaders: ToolsetLoaders<Capabilities>
  readonly notices: readonly string[]
}

/** Opens folders of contracts and handlers that the operator chose. One that is named twice counts once. */
export async function openContractFolders(paths: readonly string[]): Promise<ContractFolders> {
  const real = [...new Set(paths.map(toRealFolder))]
  const folders = await Promise.all(real.map(readFolder))
  for (const [index, { name, path }] of folders.entries()) {
    const first = folders.findIndex((folder) => folder.name === name)
    if (first !== index)
      throw new ConfigError(`${folders[first]!.path} and ${path} are both a toolset '${name}'. ${renameFolder}`)
  }
  return {
    loaders: Object.fromEntries(folders.map((folder) => [folder.name, once(() => loadContractFolder(folder))])),
    notices: folders
      .filter(({ path }) => !readdirSync(path).some(isContract))
      .map(({ path }) => `There is no tool in ${path}: no file ends in .contract.json. toolpact new NAME makes one.`),
  }
}

function toRealFolder(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new ConfigError(`The folder of contracts ${path} is not there. Check the path; toolpact new NAME --contracts ${path} makes it.`) // biome-ignore format: one line
  return realpathSync.native(path)
}

async function readFolder(path: string): Promise<ContractFolder> {
  const { name = toToolsetName(basename(path)), description } = await readAbout(path)
  if (!toolsetNameForm.test(name))
    throw new ConfigError(`The folder ${path} has no name that fits a toolset. ${renameFolder}`)
  return { path, name, description: description ?? `The tools of ${name}.` }
}

/** `My tools.d` becomes `My-tools-d`. */
export function toToolsetName(folder: string): string {
  return folder
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replaceAll(/^[^A-Za-z]+|-+$/g, '')
    .slice(0, 64)
}

const aboutSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    name: { type: 'string', pattern: toolsetNameForm.source },
    description: { type: 'string', minLength: 1 },
  },
} as const

/** What the folder says about itself in `toolset.json`, if it does. */
async function readAbout(folder: string): Promise<{ name?: string; description?: string }> {
  const path = join(folder, 'toolset.json')
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return {}
  const parsed = parseJson(await readFile(path), { maxBytes: 65_536, maxDepth: 8 })
  const [problem] = parsed.ok ? (await compileSchema(aboutSchema)).validate(parsed.value) : [parsed]
  if (!parsed.ok || problem) throw new ConfigError(`${path} is not valid: ${problem?.message}`)
  return parsed.value as { name?: string; description?: string }
}

function once(load: () => Promise<Toolset<Capabilities>>): () => Promise<Toolset<Capabilities>> {
  let loaded: Promise<Toolset<Capabilities>> | undefined
  return () => {
    loaded ??= load().catch((cause) => {
      loaded = undefined
      throw cause
    })
    return loaded
  }
}

import { readdirSync, realpathSync, statSync } from 'node:fs'
import type { Capabilities } from '../../capabilities/capabilities.ts'
import type { JsonSchema } from '../../contract/json.ts'
import { lazily } from '../../contract/lazily.ts'
import type { ToolsetLoaders } from '../../runtime/pipeline/catalog.ts'
import { ConfigError, renameFolder } from '../config/config-error.ts'
import { isContract, loadContractFolder } from './load-contract-folder.ts'
import { readAbout } from './read-about.ts'

export interface ContractFolders {
  /** A toolset per folder, loaded on first use, which runs the operator's code. */
  readonly loaders: ToolsetLoaders<Capabilities>
  /** The settings that the toolsets have, by name. */
  readonly settings: { readonly [toolset: string]: JsonSchema }
  readonly notices: readonly string[]
}

/** Opens the folders of contracts and handlers that the operator chose. Ignores duplicates. */
export async function openContractFolders(paths: readonly string[]): Promise<ContractFolders> {
  const real = [...new Set(paths.map(toRealFolder))]
  const folders = await Promise.all(real.map(async (path) => ({ path, ...(await readAbout(path)) })))
  for (const [index, { name, path }] of folders.entries()) {
    const first = folders.findIndex((folder) => folder.name === name)
    if (first !== index)
      throw new ConfigError(`${folders[first]!.path} and ${path} are both a toolset '${name}'. ${renameFolder}`)
  }
  return {
    loaders: Object.fromEntries(folders.map((folder) => [folder.name, lazily(() => loadContractFolder(folder))])),
    settings: Object.fromEntries(folders.flatMap(({ name, settings }) => (settings ? [[name, settings]] : []))),
    notices: folders
      .filter(({ path }) => !readdirSync(path).some(isContract))
      .map(
        ({ path }) => `There is no tool in ${path}: no file ends in .contract.json. To create one: toolpact new NAME`,
      ),
  }
}

function toRealFolder(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new ConfigError(
      `The contract folder ${path} does not exist. Check the path, or create it: toolpact new NAME --contracts ${path}`,
    )
  return realpathSync.native(path)
}

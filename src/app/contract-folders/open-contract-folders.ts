import { readdirSync, realpathSync, statSync } from 'node:fs'
import type { Capabilities } from '../../capabilities/capabilities.ts'
import type { Toolset } from '../../contract/tool.ts'
import type { ToolsetLoaders } from '../../runtime/pipeline/catalog.ts'
import { ConfigError, renameFolder } from '../config/config-error.ts'
import { isContract, loadContractFolder } from './load-contract-folder.ts'
import { readAbout } from './read-about.ts'

export interface ContractFolders {
  /** A toolset of each folder, loaded when first needed: that runs code of the operator's. */
  readonly loaders: ToolsetLoaders<Capabilities>
  readonly notices: readonly string[]
}

/** Opens folders of contracts and handlers that the operator chose. One that is named twice counts once. */
export async function openContractFolders(paths: readonly string[]): Promise<ContractFolders> {
  const real = [...new Set(paths.map(toRealFolder))]
  const folders = await Promise.all(real.map(async (path) => ({ path, ...(await readAbout(path)) })))
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
    throw new ConfigError(
      `The folder of contracts ${path} is not there. Check the path; toolpact new NAME --contracts ${path} makes it.`,
    )
  return realpathSync.native(path)
}

/** A folder that could not be read is tried again at the next call. */
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

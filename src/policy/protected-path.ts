import { foldFileName } from './fold-file-name.ts'

/**
 * Why no tool may write a path, given as its names from the root down; undefined where tools may write. What is written
 * to these places takes effect later without another question: git runs hooks and settings, and Toolpact loads its
 * config and contract folders when it starts. `places` are those files and folders, likewise; an empty one is the root.
 */
export function findProtection(
  names: readonly string[],
  places: readonly (readonly string[])[] = [],
): string | undefined {
  const folded = names.map(foldFileName)
  if (folded.some((name) => gitFolder.test(name))) return 'git runs what is configured there'
  if (folded.some((name) => ownFile.test(name))) return 'the file controls what tools may do'
  for (const place of places) {
    if (place.length === 0 && loadable.test(folded.at(-1) ?? '')) return rootIsLoaded
    if (place.length > 0 && place.every((name, index) => foldFileName(name) === folded[index])) return isLoaded
  }
  return undefined
}

const isLoaded = 'Toolpact loads it when it starts'
/** Closing all of the workspace would leave nothing to work with, so other files stay open. */
const rootIsLoaded = 'the workspace itself is a contract folder, and Toolpact loads code from it when it starts'
const gitFolder = /^(?:\.git|git~1)(?::|$)/
const ownFile = /^(?:toolpact\.json|toolpa~[0-9]\.jso|toolpact\.lock|toolpa~[0-9]\.loc)(?::|$)/

/** Contracts, and modules that handlers are or may import. */
const loadable = /(?:\.(?:[cm]?[jt]s|node|wasm|contract\.json)|^(?:toolset|package)\.json)(?::|$)/

import { foldFileName } from './fold-file-name.ts'

/**
 * Why no tool may write a path, given as its names from the root; undefined if tools may. Content of these places takes effect
 * later without approval: git runs hooks and settings, and Toolpact loads its config and contract folders at startup. `places`
 * are those files and folders, in the same form; an empty one is the root.
 */
export function findProtection(
  names: readonly string[],
  places: readonly (readonly string[])[] = [],
): string | undefined {
  const folded = names.map(foldFileName)
  if (folded.some((name) => gitFolder.test(name))) return 'git runs programs that are configured there'
  if (folded.some((name) => ownFile.test(name))) return 'the file controls what tools may do'
  for (const place of places) {
    if (place.length === 0 && loadable.test(folded.at(-1) ?? '')) return rootIsLoaded
    if (place.length > 0 && place.every((name, index) => foldFileName(name) === folded[index])) return isLoaded
  }
  return undefined
}

const isLoaded = 'Toolpact loads it when it starts'
/** If the workspace itself is a contract folder, only files that Toolpact loads are protected. */
const rootIsLoaded = 'the workspace itself is a contract folder, and Toolpact loads code from it when it starts'
const gitFolder = /^(?:\.git|git~1)(?::|$)/
const ownFile = /^(?:toolpact\.json|toolpa~[0-9]\.jso|toolpact\.lock|toolpa~[0-9]\.loc)(?::|$)/

/** Contracts, handlers, and modules that handlers may import. */
const loadable = /(?:\.(?:[cm]?[jt]s|node|wasm|contract\.json)|^(?:toolset|package)\.json)(?::|$)/

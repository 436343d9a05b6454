import { resolve } from 'node:path'
import type { Effects } from '../../contract/contract.ts'
import type { JsonObject } from '../../contract/json.ts'
import { textsOf } from '../../contract/text/texts-of.ts'
import { followLinks } from '../../state/follow-links.ts'

/**
 * Of the paths that an input names, those that lead elsewhere through symlinks, each with its absolute real path. A path
 * that does not exist yet is resolved through its deepest existing parent.
 */
export function toRealPaths(
  { reads = [], writes = [] }: Effects,
  input: JsonObject,
  workspace: string,
): ReadonlyMap<string, string> {
  const real = new Map<string, string>()
  for (const path of [...reads, ...writes].flatMap((field) => textsOf(input[field]))) {
    const target = followLinks(resolve(workspace, path)).real
    if (target !== resolve(workspace, path)) real.set(path, target)
  }
  return real
}

import { resolve } from 'node:path'
import type { Effects } from '../../contract/contract.ts'
import type { JsonObject } from '../../contract/json.ts'
import { textsOf } from '../../contract/text/texts-of.ts'
import { followLinks } from '../../state/follow-links.ts'

/**
 * Maps the paths of an input that resolve elsewhere through symlinks to their absolute real paths. A path that does not
 * exist is resolved through its deepest existing parent.
 */
export function toRealPaths(
  { reads = [], writes = [] }: Effects,
  input: JsonObject,
  workspace: string,
): ReadonlyMap<string, string> {
  if (reads.length + writes.length === 0) return none
  const real = new Map<string, string>()
  for (const path of [...reads, ...writes].flatMap((field) => textsOf(input[field]))) {
    const target = followLinks(resolve(workspace, path)).real
    if (target !== resolve(workspace, path)) real.set(path, target)
  }
  return real
}

const none: ReadonlyMap<string, string> = new Map()

import { join, relative, sep } from 'node:path'
import { toShownPath } from '../../contract/text/shown-path.ts'
import { fileError } from '../files/file-error.ts'
import type { Glob } from './glob.ts'
import { maxDepth, type SearchRequest, type SearchSetting, type Walk } from './search-request.ts'

/** Holds the directory where a search starts; undefined if the glob names one that does not exist. */
export function openWalk(setting: SearchSetting, request: SearchRequest, glob?: Glob): Walk | undefined {
  const { confinement } = setting
  const errand = { action: 'search', path: request.base ?? '.' } as const
  const base = confinement.hold(errand)
  base.close()
  if (!base.stats.isDirectory())
    throw fileError('not_a_directory', `Path '${toShownPath(errand.path)}' is not a directory`)
  const start = glob?.prefix.length ? tryHold(setting, join(base.real, ...glob.prefix)) : confinement.hold(errand)
  if (!start) return undefined
  const { includeIgnored = false, timeoutMs = 30_000, signal } = request
  return {
    setting,
    start,
    hidden: includeIgnored || (glob?.namesHidden ?? false),
    ignored: includeIgnored,
    depth: maxDepth,
    names: glob?.names,
    deadline: performance.now() + timeoutMs,
    signal,
  }
}

/** Only a real directory of that name: searches do not follow symlinks. */
function tryHold({ confinement }: SearchSetting, real: string) {
  try {
    const segments = relative(confinement.root, real).split(sep)
    const held = confinement.hold({ action: 'search', path: real }, segments)
    if (held.real === real && held.stats.isDirectory()) return held
    held.close()
  } catch {}
  return undefined
}

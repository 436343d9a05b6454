import { join } from 'node:path'
import type { Held } from '../files/held.ts'
import type { Walk } from './search-request.ts'

/** Holds a search result, if its path contains no symlink. */
export function holdFound({ setting, start }: Walk, path: string): Held | undefined {
  const expected = join(start.real, path)
  try {
    const held = setting.hold(start.at(path), { follow: false })
    if (held.real === expected && !setting.confinement.isDenied(expected)) return held
    held.close()
  } catch {}
  return undefined
}

/** Results are relative to the start of the walk; callers need them relative to the root. */
export function toPathFromRoot({ setting, start }: Walk): (path: string) => string {
  const base = setting.confinement.toRelative(start.real)
  return (path) => (base === '.' ? path : `${base}/${path}`)
}

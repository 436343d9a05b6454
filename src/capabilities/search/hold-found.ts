import { join } from 'node:path'
import type { Held } from '../files/held.ts'
import type { Walk } from './search-request.ts'

/** Takes hold of what a search found, if it is there without any link on the way. */
export function holdFound({ setting, start }: Walk, path: string): Held | undefined {
  const expected = join(start.real, path)
  try {
    const held = setting.hold(start.at(path), { follow: false })
    if (held.real === expected && !setting.confinement.isDenied(expected)) return held
    held.close()
  } catch {}
  return undefined
}

/** Found paths are relative to where the walk starts; callers know the root. */
export function toPathFromRoot({ setting, start }: Walk): (path: string) => string {
  const base = setting.confinement.toRelative(start.real)
  return (path) => (base === '.' ? path : `${base}/${path}`)
}

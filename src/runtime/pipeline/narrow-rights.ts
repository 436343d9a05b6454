import type { CallerScope } from '../../contract/tool.ts'
import type { MayUse } from './catalog.ts'

/** Lists are cached by the function that decides, so there is one for the same rights and scope. */
const narrowed = new WeakMap<MayUse, Map<string, MayUse>>()

/** What the rights of a caller leave within the scope of its token. */
export function narrow(mayUse: MayUse, { toolsets, readOnly }: CallerScope): MayUse {
  const key = JSON.stringify([readOnly, toolsets])
  const known = narrowed.get(mayUse) ?? new Map<string, MayUse>()
  narrowed.set(mayUse, known)
  const found = known.get(key)
  if (found) return found
  const isWithin: MayUse = (id, risk) =>
    (!toolsets || toolsets.includes(id.slice(0, Math.max(id.indexOf('.'), 0)))) &&
    (!readOnly || risk === undefined || risk === 'read_only') &&
    mayUse(id, risk)
  known.set(key, isWithin)
  return isWithin
}

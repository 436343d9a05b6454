import type { Caller } from '../../contract/tool.ts'
import type { MayUse } from '../../runtime/pipeline/catalog.ts'
import type { Config } from './config.ts'

const anyCaller = '*'

/** The tools that each caller may use; undefined: all. Callers with the same list share a function. */
export function toRightsOf(callers: NonNullable<Config['callers']>): (caller: Caller) => MayUse | undefined {
  const byList = new Map<string, MayUse>()
  const byName = new Map<string, MayUse>()
  for (const [name, { tools }] of Object.entries(callers)) {
    if (!tools) continue
    const list = JSON.stringify([...new Set(tools)].sort())
    const mayUse = byList.get(list) ?? toMayUse(tools)
    byList.set(list, mayUse)
    byName.set(name, mayUse)
  }
  const others = byName.get(anyCaller)
  return ({ name }) => byName.get(name) ?? others
}

function toMayUse(tools: readonly string[]): MayUse {
  const ids = new Set(tools.filter((tool) => !tool.includes('*')))
  const patterns = tools.filter((tool) => tool.includes('*')).map((tool) => tool.split('*'))
  return (id) => ids.has(id) || patterns.some((parts) => matches(id, parts))
}

/** Whether an id consists of the parts in order, with anything in between. Searches each part once, so it is linear. */
function matches(id: string, parts: readonly string[]): boolean {
  const first = parts[0]!
  const last = parts.at(-1)!
  if (!id.startsWith(first)) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = id.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return id.length - last.length >= at && id.endsWith(last)
}

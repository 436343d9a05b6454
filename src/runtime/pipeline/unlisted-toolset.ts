import type { Toolset } from '../../contract/tool.ts'
import type { Catalog } from './catalog.ts'
import type { FoundTool } from './loaded-toolset.ts'

interface UnlistedToolset<Capabilities> {
  readonly name: string
  /** Called when one of its tools is first called. */
  load(): Promise<Toolset<Capabilities>>
}

/**
 * Adds a toolset whose tools every caller can call by full id, and which is not in any list. Its ids take precedence: a
 * server of the same name cannot put its own tool in their place.
 */
export function withUnlisted<Capabilities>(
  catalog: Catalog<Capabilities>,
  { name: toolset, load }: UnlistedToolset<Capabilities>,
): Catalog<Capabilities> {
  let entries: ReadonlyMap<string, FoundTool<Capabilities>> | undefined
  const isOwn = (name: string) => name.startsWith(`${toolset}.`)
  const own: Pick<Catalog<Capabilities>, 'find' | 'findLoaded'> = {
    async find(name, caller) {
      if (isOwn(name)) entries ??= toEntries(await load())
      return entries?.get(name) ?? catalog.find(name, caller)
    },
    findLoaded(name, caller) {
      if (isOwn(name) && !entries) return undefined
      return entries?.get(name) ?? catalog.findLoaded(name, caller)
    },
  }
  // Everything else, getters included, is inherited from the catalog.
  return Object.assign(Object.create(catalog) as Catalog<Capabilities>, own)
}

function toEntries<Capabilities>({ name: toolset, description, tools }: Toolset<Capabilities>) {
  return new Map(
    tools.map((tool): [string, FoundTool<Capabilities>] => {
      const { name } = tool.contract
      const id = `${toolset}.${name}`
      return [
        id,
        Object.freeze({ kind: 'found', id, name, functionName: name, toolset, toolsetDescription: description, tool }),
      ]
    }),
  )
}

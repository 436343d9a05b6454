import { foldName } from './fold-name.ts'

export interface KnownTool {
  readonly server: string
  readonly tool: string
}

/** The tools of all servers and toolsets, looked up by folded name. */
export interface ToolIndex {
  /** A tool of another server whose full name is indistinguishable from this one's. */
  findTwin(server: string, tool: string): KnownTool | undefined
  /** A tool of another server with this name; `undefined` also if the server itself has one. */
  findElsewhere(server: string, name: string): KnownTool | undefined
}

/** Builds an index that can be shared by the admission of any number of servers. */
export function indexTools(tools: Iterable<KnownTool>): ToolIndex {
  const byFoldedId = new Map<string, KnownTool[]>()
  const byName = new Map<string, KnownTool[]>()
  for (const known of tools) {
    push(byFoldedId, foldName(`${known.server}.${known.tool}`), known)
    push(byName, known.tool, known)
  }
  return {
    findTwin: (server, tool) => byFoldedId.get(foldName(`${server}.${tool}`))?.find((known) => known.server !== server),
    findElsewhere(server, name) {
      const all = byName.get(name)
      return all?.some((known) => known.server === server) ? undefined : all?.[0]
    },
  }
}

function push<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

import type { Config } from './config.ts'
import { foreignServerKeys } from './server-schema.ts'

/** What the entries of servers hold that has an effect in other clients and none here, as sentences. */
export function tellForeignKeys({ mcpServers = {} }: Config): string[] {
  return Object.entries(mcpServers).flatMap(([name, server]) => {
    const found = Object.keys(server).filter((key) => foreignServerKeys.includes(key))
    if (found.length === 0) return []
    return [`mcpServers.${name}: ${found.join(', ')} ${found.length === 1 ? 'has' : 'have'} no effect here.`]
  })
}

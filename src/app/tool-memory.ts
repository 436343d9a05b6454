import type { JsonObject } from '../contract/json.ts'
import { lazily } from '../contract/lazily.ts'
import type { ToolMemory } from '../host/open-upstreams.ts'
import type { ListedTools } from '../host/upstream.ts'
import type { HostLock } from './lock.ts'

interface MemoryOptions {
  readonly lock: Pick<HostLock, 'recall'>
  /** The folder of the config. */
  readonly folder: string
  /** The state directory. Without one, nothing is kept for the next start. */
  readonly directory: string | undefined
}

/** What is known of the tools of servers before they are up. What was accepted overrides what was listed last. */
export function createToolMemory({ lock, folder, directory }: MemoryOptions): ToolMemory {
  const toServer = (name: string, address: object) => ({ name, folder, address: address as JsonObject })
  const store = lazily(async () =>
    directory === undefined ? undefined : (await import('../state/listed-tools.ts')).openListedTools(directory),
  )
  return {
    async recall(name, address) {
      const [accepted, kept] = await Promise.all([lock.recall(name), store()])
      const listed = kept?.load(toServer(name, address))
      return accepted && listed ? merge(accepted, listed) : (accepted ?? listed)
    },
    async remember(name, address, listed) {
      await (await store())?.save(toServer(name, address), listed)
    },
  }
}

function merge(accepted: ListedTools, listed: ListedTools): ListedTools {
  const byName = new Map(accepted.definitions.map((definition) => [definition.name, definition]))
  const names = new Set(listed.definitions.map(({ name }) => name))
  return {
    serverInfo: listed.serverInfo,
    definitions: [
      ...listed.definitions.map((definition) => byName.get(definition.name) ?? definition),
      ...accepted.definitions.filter(({ name }) => !names.has(name)),
    ],
  }
}

import type { ServerSettings } from '../server-settings.ts'
import type { Lock, LockedServer, LockedTool } from './lock.ts'

/** The lock's entry of a server. Own properties only: a name may be `constructor`. */
export function findServer(lock: Lock | undefined, name: string): LockedServer | undefined {
  return lock && Object.hasOwn(lock.servers, name) ? lock.servers[name] : undefined
}

export function findTool(server: LockedServer | undefined, name: string): LockedTool | undefined {
  return server && Object.hasOwn(server.tools, name) ? server.tools[name] : undefined
}

/** The output schemas that the lock attaches, in the format of the server settings. */
export function overlaysOf(lock: Lock | undefined, server: string): NonNullable<ServerSettings['overlays']> {
  const tools = Object.entries(findServer(lock, server)?.tools ?? {})
  return Object.fromEntries(tools.flatMap(([name, { overlay }]) => (overlay ? [[name, overlay]] : [])))
}

import type { ServerSettings } from '../server-settings.ts'
import type { Lock, LockedServer, LockedTool } from './lock.ts'

/** What the lock has of a server. A tool may be called `constructor`. */
export function findServer(lock: Lock | undefined, name: string): LockedServer | undefined {
  return lock && Object.hasOwn(lock.servers, name) ? lock.servers[name] : undefined
}

export function findTool(server: LockedServer | undefined, name: string): LockedTool | undefined {
  return server && Object.hasOwn(server.tools, name) ? server.tools[name] : undefined
}

/** Output schemas that the lock attaches, as the settings of the server have them. */
export function overlaysOf(lock: Lock | undefined, server: string): NonNullable<ServerSettings['overlays']> {
  const tools = Object.entries(findServer(lock, server)?.tools ?? {})
  return Object.fromEntries(tools.flatMap(([name, { overlay }]) => (overlay ? [[name, overlay]] : [])))
}

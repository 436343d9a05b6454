import type { Toolpact } from '../../app/app.ts'
import type { Asking } from '../../surfaces/asking.ts'
import type { CallEvents } from '../../surfaces/console/call-events.ts'
import type { McpInfo, McpOptions } from '../../surfaces/mcp/server.ts'
import type { Request } from '../options/command.ts'

/** What is served, with the request that started it. */
export interface Serving {
  readonly request: Request
  readonly toolpact: Toolpact
  readonly asking: Asking
  /** The calls of this process. */
  readonly calls: CallEvents
  readonly info: McpInfo
  readonly catalogue: McpOptions['catalogue']
  readonly tasks: McpOptions['tasks']
  /** Other processes that serve the same port, if there are any. */
  readonly peers: McpOptions['peers']
  /** It is one of several tenants: those who see its console are not the operators of the server, and do not configure it. */
  readonly isTenant: boolean
}

/** Time for running calls to finish on shutdown. */
export const graceMs = 10_000

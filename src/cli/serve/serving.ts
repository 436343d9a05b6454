import type { Toolpact } from '../../app/app.ts'
import type { Asking } from '../../surfaces/asking.ts'
import type { McpInfo, McpOptions } from '../../surfaces/mcp/server.ts'
import type { Request } from '../options/command.ts'

/** What is served, and for whom it was asked. */
export interface Serving {
  readonly request: Request
  readonly toolpact: Toolpact
  readonly asking: Asking
  readonly info: McpInfo
  readonly catalogue: McpOptions['catalogue']
}

/** Calls under way have so long to finish when the server is to stop. */
export const graceMs = 10_000

import type { AddServersRequest, AddServersResponse, AdoptRequest, ProposeServersResponse } from './api/servers.ts'

/** The settings of servers, which are in files of the operator. Refuses with a `Refusal`. */
export interface ServerConfig {
  /** The file that servers are added to; null without a config. */
  path(): string | null
  /** How a server is reached and what it was granted, without secrets. */
  describe(name: string): DescribedServer
  /** Decides how tools are used. Resolves to what happened. */
  adopt(name: string, request: AdoptRequest, by: string): Promise<string>
  /** Starts servers once, confined and without network, and proposes what they wanted. Adds nothing. */
  propose(request: AddServersRequest, signal: AbortSignal): Promise<ProposeServersResponse>
  add(request: AddServersRequest, by: string): Promise<AddServersResponse>
}

export interface DescribedServer {
  readonly address: string
  readonly grants: readonly { readonly name: string; readonly value: string }[]
}

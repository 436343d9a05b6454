import type { Authorizer, UpstreamClient } from './connect/client.ts'
import { ServerConnection } from './server-connection.ts'

type ConnectionOptions = ConstructorParameters<typeof ServerConnection>[0]

interface UserConnectionsOptions {
  readonly authorize: (owner: string) => Authorizer
  /** What all connections to the server have in common. */
  readonly common: Omit<ConnectionOptions, 'authorizer' | keyof typeof silent>
}

/** Connections of callers that are idle are closed above this number. */
const maxConnections = 64

/** Only the operator's connection decides what is admitted: what a server lists for others changes nothing. */
const silent = {
  onStarting() {},
  async onListed(_client: UpstreamClient) {},
  onListChanged() {},
  onResourceUpdated() {},
  async onDoubt() {},
  onState() {},
  onNewFault() {},
}

/** The connections of callers to one server that each caller logs in to. They share nothing but the address. */
export class UserConnections {
  readonly #options: UserConnectionsOptions
  /** Least recently used first. */
  readonly #byOwner = new Map<string, ServerConnection>()

  constructor(options: UserConnectionsOptions) {
    this.#options = options
  }

  get(owner: string): ServerConnection {
    const known = this.#byOwner.get(owner)
    const { authorize, common } = this.#options
    const connection =
      known ?? new ServerConnection({ ...common, ...silent, keep: false, authorizer: authorize(owner) })
    this.#byOwner.delete(owner)
    this.#byOwner.set(owner, connection)
    if (this.#byOwner.size > maxConnections) this.#drop(this.#byOwner.keys().next().value!)
    return connection
  }

  async close(why: string): Promise<void> {
    const all = [...this.#byOwner.values()]
    this.#byOwner.clear()
    await Promise.all(all.map((connection) => connection.close(why)))
  }

  #drop(owner: string) {
    const connection = this.#byOwner.get(owner)!
    this.#byOwner.delete(owner)
    connection.close('The connection was closed because many others are used. Call again.')
  }
}

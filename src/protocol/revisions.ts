/** Stateless revisions: each request declares its revision. */
export const modernRevisions: readonly string[] = ['2026-07-28']

/** Revisions with an `initialize` handshake, newest first. */
export const legacyRevisions: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

/** The only revision with batches. */
export const batchRevision = '2025-03-26'

/** Keys in `_meta` of requests and results of a modern revision. */
export const metaKeys = {
  revision: 'io.modelcontextprotocol/protocolVersion',
  client: 'io.modelcontextprotocol/clientInfo',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  server: 'io.modelcontextprotocol/serverInfo',
  logLevel: 'io.modelcontextprotocol/logLevel',
  subscription: 'io.modelcontextprotocol/subscriptionId',
} as const

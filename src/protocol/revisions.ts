/** Revisions in which each request stands on its own and says which revision it speaks. */
export const modernRevisions: readonly string[] = ['2026-07-28']

/** Revisions that begin with `initialize`, the newest first. */
export const legacyRevisions: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

/** The one revision in which several messages may come as one array. */
export const batchRevision = '2025-03-26'

/** What a request of a modern revision carries in `_meta`, and what a result of one does. */
export const metaKeys = {
  revision: 'io.modelcontextprotocol/protocolVersion',
  client: 'io.modelcontextprotocol/clientInfo',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  server: 'io.modelcontextprotocol/serverInfo',
  subscription: 'io.modelcontextprotocol/subscriptionId',
} as const

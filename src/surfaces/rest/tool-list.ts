import type { JsonObject } from '../../contract/json.ts'
import type { CatalogEntry } from '../../runtime/pipeline/catalog.ts'

/** What `GET /v1/tools` gives: enough to choose a tool, and where its contract is. */
export function toToolList(entries: readonly CatalogEntry<never>[]): JsonObject {
  return {
    tools: entries.map(({ id, name, toolset, tool }) => {
      const { title, description, version, status, transport, endpoint, risk, approval } = tool.contract
      const place = { ...(transport !== undefined && { transport }), ...(endpoint !== undefined && { endpoint }) }
      const url = `/v1/tools/${encodeURIComponent(name)}`
      return { name, id, toolset, title, description, version, status, ...place, risk, approval, url }
    }),
    openapi: '/openapi.json',
  }
}

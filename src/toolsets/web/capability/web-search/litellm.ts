import { listResults, type SearchProvider, textOf, wordsOf } from './search-provider.ts'

/** The documented maximum; the caller drops further results. */
const maxPerRequest = 20

/** The search of a LiteLLM proxy: `POST /v1/search`. */
export const litellm: SearchProvider = {
  title: 'LiteLLM',
  setting: 'LITELLM_SEARCH_API_BASE (web-fetch.search.url in the config)',
  toRequest: ({ url, tool }, query, maxResults) => ({
    url: toEndpoint(url),
    body: {
      query,
      max_results: Math.min(maxResults, maxPerRequest),
      ...(tool !== undefined && { search_tool_name: tool }),
    },
  }),
  toFound: (answer) =>
    listResults(answer)?.map(({ title, url, snippet, date }) => ({
      title: textOf(title),
      url: textOf(url),
      snippet: textOf(snippet),
      date: textOf(date),
    })),
  explain(status, answer) {
    const words = wordsOf(answer)
    const said = words === '' ? '' : `: ${words}`
    if (status === 401 || status === 403)
      return {
        reason: `refused the key (${status})`,
        check: 'LITELLM_SEARCH_API_KEY, or the variable that web-fetch.search.keyEnv in the config names',
      }
    if (/search[_ ]?tool/i.test(words))
      return {
        reason: `does not know the search tool (${status})${said}`,
        check: 'web-fetch.search.tool in the config: the name of the search tool in LiteLLM',
      }
    if (status === 404)
      return {
        reason: `has no /v1/search (404)${said}`,
        check: 'LITELLM_SEARCH_API_BASE, and the version of LiteLLM',
      }
    if (status === 429) return { reason: `is rate limiting requests (429)${said}`, check: 'its limits' }
    return { reason: `failed (${status})${said}`, check: "LiteLLM's own log, and web-fetch.search.tool in the config" }
  },
}

/** People write the base of the proxy, of its API, or the endpoint itself. */
function toEndpoint(base: string): string {
  const url = new URL(base)
  const path = url.pathname.replace(/\/+$/, '')
  if (path.endsWith('/search')) url.pathname = path
  else url.pathname = path.endsWith('/v1') ? `${path}/search` : `${path}/v1/search`
  return url.href
}

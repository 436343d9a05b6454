import { listResults, type SearchProvider, textOf } from './search-provider.ts'

/** The JSON API of SearXNG: `GET /search?format=json`. */
export const searxng: SearchProvider = {
  title: 'SearXNG',
  setting: 'web-fetch.search.url in the config',
  toRequest({ url }, query) {
    const endpoint = new URL(url)
    const path = endpoint.pathname.replace(/\/+$/, '')
    endpoint.pathname = path.endsWith('/search') ? path : `${path}/search`
    endpoint.searchParams.set('q', query)
    endpoint.searchParams.set('format', 'json')
    return { url: endpoint.href }
  },
  toFound: (answer) =>
    listResults(answer)?.map(({ title, url, content, publishedDate }) => ({
      title: textOf(title),
      url: textOf(url),
      snippet: textOf(content),
      date: textOf(publishedDate),
    })),
  explain(status) {
    if (status === 403)
      return {
        reason: 'refused to answer in JSON (403)',
        check: 'that json is among search.formats in its settings.yml',
      }
    if (status === 429) return { reason: 'is rate limiting requests (429)', check: 'its limiter' }
    return { reason: `failed (${status})`, check: "web-fetch.search.url in the config, and SearXNG's own log" }
  },
}

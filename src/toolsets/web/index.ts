import { defineToolset } from '../../contract/define-toolset.ts'
import { lazily } from '../../contract/lazily.ts'
import type { ToolsetContext } from '../../contract/tool.ts'
import type { Documents } from './capability/documents.ts'
import type { Pages } from './capability/pages.ts'
import type { WebSearch } from './capability/web-search.ts'
import { fetchPage } from './fetch-page.ts'
import type { LargePages } from './read-page.ts'
import type { ReadContent, TextRequest } from './read-text.ts'
import { searchWeb } from './search-web.ts'
import { type WebSettings, webSettings } from './settings.ts'

export const webFetch = defineToolset('web-fetch', [searchWeb, fetchPage], {
  description: 'Searches the web, and reads pages from it.',
  settings: webSettings,
  open,
})

/** Loading HTTP and document readers takes longer than most calls, so each is loaded on first use. */
function open({ settings, environment }: ToolsetContext<WebSettings>): {
  readonly pages: Pages
  readonly documents: Documents
  readonly largePages: LargePages
  readonly webSearch: WebSearch
} {
  const pages = lazily(async () => (await import('./capability/pages.ts')).openPages({ environment, ...settings }))
  const documents = lazily(async () => (await import('./capability/documents.ts')).openDocuments())
  const largePages = lazily(async () =>
    (await import('./capability/large-pages.ts')).openLargePages<TextRequest, ReadContent>(),
  )
  const webSearch = lazily(async () =>
    (await import('./capability/web-search.ts')).openWebSearch(environment, settings.search),
  )
  return {
    pages: { get: async (url, request) => (await pages()).get(url, request) },
    documents: { readPdf: async (bytes, options) => (await documents()).readPdf(bytes, options) },
    largePages: { run: async (request, options) => (await largePages()).run(request, options) },
    webSearch: {
      check: async () => (await webSearch()).check(),
      search: async (query, options) => (await webSearch()).search(query, options),
    },
  }
}

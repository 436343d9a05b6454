export interface SearchSettings {
  readonly provider: 'litellm' | 'searxng'
  readonly url: string
  readonly key?: string
  /** The name of the search tool in LiteLLM. */
  readonly tool?: string
  readonly timeoutMs: number
}

/** The setting `web-fetch.search` of the config. */
export interface SearchConfig extends Partial<Omit<SearchSettings, 'key'>> {
  readonly provider: SearchSettings['provider']
  readonly url: string
  readonly keyEnv?: string
}

export type ReadSearch =
  | { readonly ok: true; readonly settings: SearchSettings }
  | { readonly ok: false; readonly fault: string; readonly suggestion: string }

const defaultTimeoutMs = 20_000

/** `LITELLM_SEARCH_API_BASE` overrides the config, unless the config names another provider. */
export function readSearchSettings(
  environment: { readonly [name: string]: string | undefined },
  config?: SearchConfig,
): ReadSearch {
  const read = (name: string) => environment[name]?.trim() || undefined
  const named = config?.provider === 'searxng' ? undefined : read('LITELLM_SEARCH_API_BASE')
  const url = named ?? config?.url
  if (url === undefined) {
    return {
      ok: false,
      fault: 'No search is configured.',
      suggestion:
        'Set LITELLM_SEARCH_API_BASE and LITELLM_SEARCH_API_KEY, or set web-fetch.search in the config: provider (litellm or searxng) and url.',
    }
  }
  const address = URL.parse(url)
  if (!address || !/^https?:$/.test(address.protocol) || address.username || address.password) {
    return {
      ok: false,
      fault: 'The address of the search is not an http or https URL, or contains a user name.',
      suggestion: `Check ${named === undefined ? 'web-fetch.search.url in the config' : 'LITELLM_SEARCH_API_BASE'}, such as http://127.0.0.1:4000.`,
    }
  }
  const { keyEnv, tool, timeoutMs = defaultTimeoutMs, provider = 'litellm' } = config ?? {}
  // The key that the config names is only sent to the address in the config.
  const own = keyEnv !== undefined && (named === undefined || named === config?.url) ? read(keyEnv) : undefined
  const key = (provider === 'litellm' ? read('LITELLM_SEARCH_API_KEY') : undefined) ?? own
  return {
    ok: true,
    settings: { provider, url, timeoutMs, ...(key !== undefined && { key }), ...(tool !== undefined && { tool }) },
  }
}

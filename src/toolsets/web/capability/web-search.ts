import { AnswerTooLargeError, fetchBounded } from '../../../capabilities/model/fetch-bounded.ts'
import { parseJson } from '../../../contract/schema/parse-json.ts'
import { printable } from '../../../contract/text/printable.ts'
import { shorten } from '../../../contract/text/shorten.ts'
import { ToolError } from '../../../contract/tool-error.ts'
import { litellm } from './web-search/litellm.ts'
import { readSearchSettings, type SearchConfig, type SearchSettings } from './web-search/read-search-settings.ts'
import type { SearchProvider } from './web-search/search-provider.ts'
import { searxng } from './web-search/searxng.ts'

/** Searches the web with the configured provider. Fails with a `ToolError` with a `WebSearchErrorCode`. */
export interface WebSearch {
  /** Fails as `search` would if no search is configured. */
  check(): Promise<undefined>
  /** The provider's results, unchecked except that all values are strings. */
  search(query: string, options: { readonly maxResults: number; readonly signal?: AbortSignal }): Promise<Found[]>
}

type WebSearchErrorCode = 'upstream_failure' | 'timeout'

export interface Found {
  readonly title: string
  readonly url: string
  readonly snippet: string
  /** In any format, or empty. */
  readonly date: string
}

const providers: { readonly [name in SearchSettings['provider']]: SearchProvider } = { litellm, searxng }

/**
 * @example
 * const search = openWebSearch(process.env, { provider: 'searxng', url: 'http://127.0.0.1:8888' })
 * const [first] = await search.search('json schema', { maxResults: 5 })
 */
export function openWebSearch(
  environment: { readonly [name: string]: string | undefined },
  config?: SearchConfig,
): WebSearch {
  const read = readSearchSettings(environment, config)
  if (!read.ok) {
    const refuse = () => Promise.reject(toNotConfigured(read))
    return { check: refuse, search: refuse }
  }
  const { settings } = read
  const { timeoutMs, key } = settings
  const provider = providers[settings.provider]

  async function ask(query: string, maxResults: number, signal: AbortSignal): Promise<Found[]> {
    const { url, body } = provider.toRequest(settings, query, maxResults)
    const init = { signal, ...(body ? { method: 'POST', body: JSON.stringify(body) } : { method: 'GET' }) }
    const response = await fetchBounded(url, init, key)
    const parsed = parseJson(await response.text(), { maxBytes: 16_777_216, maxDepth: 64 })
    if (!response.ok) throw fail(provider, settings, provider.explain(response.status, parsed.ok ? parsed.value : null))
    const found = parsed.ok ? provider.toFound(parsed.value) : undefined
    if (found) return found
    throw fail(provider, settings, {
      reason: 'did not return a list of results',
      check: `that ${settings.url} is the address of ${provider.title}`,
    })
  }

  return {
    check: async () => undefined,
    async search(query, { maxResults, signal: given }) {
      const timeout = AbortSignal.timeout(timeoutMs)
      const signal = given ? AbortSignal.any([given, timeout]) : timeout
      try {
        return await ask(query, maxResults, signal)
      } catch (cause) {
        given?.throwIfAborted()
        if (timeout.aborted) throw toTimeout(provider, settings)
        throw cause instanceof ToolError ? cause : toUnreachable(provider, settings, cause)
      }
    },
  }
}

function toNotConfigured({ fault, suggestion }: { fault: string; suggestion: string }): ToolError<WebSearchErrorCode> {
  return new ToolError('upstream_failure', fault, { suggestion })
}

const maxReasonCharacters = 240

function fail(
  { title }: SearchProvider,
  { url, key }: SearchSettings,
  { reason, check }: { reason: string; check: string },
): ToolError<WebSearchErrorCode> {
  const redacted = key === undefined ? reason : reason.replaceAll(key, '[key]')
  const message = `${title} at ${new URL(url).origin} ${printable(shorten(redacted, maxReasonCharacters))}.`
  return new ToolError('upstream_failure', message, { suggestion: `Check ${check}.` })
}

function toTimeout({ title }: SearchProvider, { timeoutMs }: SearchSettings): ToolError<WebSearchErrorCode> {
  return new ToolError('timeout', `${title} did not answer within ${timeoutMs / 1000} s.`, {
    suggestion: 'Try again, or allow more time with web-fetch.search.timeoutMs in the config.',
  })
}

function toUnreachable(provider: SearchProvider, settings: SearchSettings, cause: unknown): ToolError {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  if (inner instanceof AnswerTooLargeError || cause instanceof AnswerTooLargeError)
    return fail(provider, settings, { reason: 'sent more than 16 MiB', check: `what runs at ${settings.url}` })
  const { code } = inner as NodeJS.ErrnoException
  return fail(provider, settings, {
    reason: `cannot be reached (${code ?? 'the connection was closed'})`,
    check: `that it runs, and that ${provider.setting} is right`,
  })
}

import { useEffect, useRef, useState } from 'preact/hooks'
import type { CallPage, CallRow } from '../../api/calls.ts'
import { type ApiError, get, toApiError, toPath } from '../api.ts'
import type { Query } from '../router.ts'

export interface CallPages {
  readonly calls: readonly CallRow[]
  /** Where the next page begins; null at the beginning of the ledger, undefined before the first page. */
  readonly before: number | null | undefined
  /** The search stopped after this many entries; `more` continues it. */
  readonly searched: number | undefined
  readonly isLoading: boolean
  readonly error: ApiError | undefined
}

const start: CallPages = { calls: [], before: undefined, searched: undefined, isLoading: true, error: undefined }
const pageSize = 100

/** The calls that match, newest first, page by page. `again` starts anew. */
export function useCallPages(query: Query, again: number): CallPages & { readonly more: () => void } {
  const key = toPath(['calls'], query)
  const [pages, setPages] = useState({ key, ...start })
  const current = useRef<AbortController | null>(null)
  async function load(before: CallPages): Promise<void> {
    const { signal } = current.current!
    setPages({ key, ...before, isLoading: true, error: undefined })
    try {
      const page = await get<CallPage>(
        toPath(['calls'], { ...query, limit: pageSize, before: before.before ?? undefined }),
        signal,
      )
      const searched = page.searched === undefined ? undefined : (before.searched ?? 0) + page.searched
      setPages({
        key,
        calls: [...before.calls, ...page.calls],
        before: page.before,
        searched,
        isLoading: false,
        error: undefined,
      })
    } catch (error) {
      if (!signal.aborted) setPages({ key, ...before, isLoading: false, error: toApiError(error) })
    }
  }
  useEffect(() => {
    const abort = new AbortController()
    current.current = abort
    void load(start)
    return () => abort.abort()
  }, [key, again])
  const shown = pages.key === key ? pages : start
  const more = () => {
    if (!shown.isLoading && shown.before !== null) void load(shown)
  }
  return { ...shown, more }
}

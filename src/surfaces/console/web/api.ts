import { signal } from '@preact/signals'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Session } from '../api/api.ts'
import type { Query } from './router.ts'

/** A request that failed: what happened, and what to do next. */
export class ApiError extends Error {
  readonly code: string
  readonly status: number
  readonly suggestion: string | undefined

  constructor(status: number, problem: { code?: string; detail?: string; title?: string; suggestion?: string }) {
    super(problem.detail ?? problem.title ?? `The server answered ${status}.`)
    this.code = problem.code ?? 'unknown'
    this.status = status
    this.suggestion = problem.suggestion
  }
}

/** Who is signed in; null before the first response and once the sign-in has ended. */
export const session = signal<Session | null>(null)
export const isSignedOut = signal(false)

export const mayApprove = (): boolean => session.value?.rights.includes('approve') ?? false
export const mayManage = (): boolean => session.value?.rights.includes('manage') ?? false

/** The path of a request below `/console/api/`, for `get` and `useRequest`. */
export function toPath(parts: readonly string[], query: Query = {}): string {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, `${value}`]])),
  )
  return parts.map(encodeURIComponent).join('/') + (search.size === 0 ? '' : `?${search}`)
}

export function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return send<T>(path, { signal: signal ?? null })
}

export function post<T>(path: string, body: unknown = {}): Promise<T> {
  return send<T>(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Toolpact-Console': '1' },
    body: JSON.stringify(body),
  })
}

export interface Loaded<T> {
  /** Stays while the same path is loaded again; never belongs to another path. */
  readonly data: T | undefined
  readonly error: ApiError | undefined
  readonly reload: () => void
}

/** Loads a path now and again whenever one of `changes` does. A change during a request causes one more afterwards. */
export function useRequest<T>(path: string | null, changes: readonly unknown[] = []): Loaded<T> {
  const [state, setState] = useState<{ path: string | null; data?: T; error?: ApiError }>({ path })
  const loader = useRef<{ run: () => void } | null>(null)
  useEffect(() => {
    if (path === null) return
    const current = openLoader(
      (signal) => get<T>(path, signal),
      (data) => setState({ path, data }),
      (error) => setState((before) => ({ path, data: before.path === path ? before.data : undefined, error })),
    )
    loader.current = current
    current.run()
    return () => {
      loader.current = null
      current.close()
    }
  }, [path])
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current) loader.current?.run()
    isFirst.current = false
  }, changes)
  const reload = useCallback(() => loader.current?.run(), [])
  return state.path === path
    ? { data: state.data, error: state.error, reload }
    : { data: undefined, error: undefined, reload }
}

export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  return new ApiError(0, {
    code: 'unreachable',
    detail: 'The server does not respond.',
    suggestion: 'Check that `toolpact serve` is running. This page continues by itself.',
  })
}

/** Runs a request again and again, never two at once; a run that is asked for meanwhile follows. */
export function openLoader<T>(
  load: (signal: AbortSignal) => Promise<T>,
  onData: (data: T) => void,
  onError: (error: ApiError) => void,
): { run: () => void; close: () => void } {
  const abort = new AbortController()
  let isRunning = false
  let isDirty = false
  async function run(): Promise<void> {
    isDirty = isRunning
    if (isRunning) return
    isRunning = true
    try {
      const data = await load(abort.signal)
      if (!abort.signal.aborted) onData(data)
    } catch (error) {
      if (!abort.signal.aborted) onError(toApiError(error))
    }
    isRunning = false
    if (isDirty && !abort.signal.aborted) await run()
  }
  return { run: () => void run(), close: () => abort.abort() }
}

async function send<T>(path: string, init: RequestInit): Promise<T> {
  const response = await fetch(`/console/api/${path}`, init)
  if (response.ok) return (response.status === 204 ? undefined : await response.json()) as T
  // A path that is not served answers 401 too: only the session tells.
  if (response.status === 401) {
    if (path === 'session') isSignedOut.value = true
    else void send('session', {}).catch(() => {})
  }
  throw new ApiError(response.status, await response.json().catch(() => ({})))
}

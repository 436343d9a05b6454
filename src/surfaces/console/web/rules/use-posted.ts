import { useEffect, useState } from 'preact/hooks'
import { type ApiError, post, toApiError } from '../api.ts'

const waitMs = 300

interface Posted<T> {
  readonly data?: T
  readonly error?: ApiError
  /** The answer belongs to an earlier body. */
  readonly isStale: boolean
}

/** Posts a body that only asks for something, each time it has not changed for a moment. Null: nothing to ask. */
export function usePosted<T>(path: string, body: unknown, change: unknown = null): Posted<T> {
  const text = body === null ? null : JSON.stringify(body)
  const [state, setState] = useState<{ text: string | null; data?: T; error?: ApiError }>({ text: null })
  useEffect(() => {
    if (text === null) return
    let isOver = false
    const timer = setTimeout(async () => {
      try {
        const data = await post<T>(path, JSON.parse(text))
        if (!isOver) setState({ text, data })
      } catch (error) {
        if (!isOver)
          setState((before) => ({
            text,
            ...(before.data !== undefined && { data: before.data }),
            error: toApiError(error),
          }))
      }
    }, waitMs)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [text, path, change])
  return text === null ? { isStale: false } : { ...state, isStale: state.text !== text }
}

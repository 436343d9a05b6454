import type { ApiError } from '../api.ts'

/** One line for a request that failed, with what to do next. What was typed stays where it is. */
export function ErrorNote({ error, retry }: { readonly error: ApiError; readonly retry?: () => void }) {
  return (
    <p class="note no" role="alert">
      <b>✕</b> <bdi>{error.message}</bdi> {error.suggestion && <bdi>{error.suggestion}</bdi>}{' '}
      {retry && (
        <button type="button" class="small" onClick={retry}>
          Try again
        </button>
      )}
    </p>
  )
}

import { signal } from '@preact/signals'
import { toApiError } from '../api.ts'

interface Notice {
  readonly id: number
  readonly kind: 'ok' | 'no'
  readonly text: string
  /** Where to read more, such as the entry in the ledger. */
  readonly href?: string | undefined
}

const notices = signal<readonly Notice[]>([])
const shownMs = 8000
const maxNotices = 3
let lastId = 0

/** Says in one line what happened. An error stays until it is closed. */
export function notify(
  text: string,
  { kind = 'ok', href }: { kind?: Notice['kind']; href?: string | undefined } = {},
): void {
  const id = ++lastId
  notices.value = [...notices.value, { id, kind, text, href }].slice(-maxNotices)
  if (kind === 'ok') setTimeout(() => close(id), shownMs)
}

export function notifyError(error: unknown): void {
  const { message, suggestion } = toApiError(error)
  notify(suggestion === undefined ? message : `${message} ${suggestion}`, { kind: 'no' })
}

export function Notices() {
  return (
    <div class="notices" role="status">
      {notices.value.map((notice) => (
        <p key={notice.id} class={`note ${notice.kind}`}>
          <span>{notice.kind === 'ok' ? '✓' : '✕'}</span> <bdi>{notice.text}</bdi>{' '}
          {notice.href !== undefined && <a href={notice.href}>Show</a>}{' '}
          <button type="button" class="small" aria-label="Close this message" onClick={() => close(notice.id)}>
            ×
          </button>
        </p>
      ))}
    </div>
  )
}

function close(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id)
}

import { useState } from 'preact/hooks'
import type { AddServersResponse } from '../../api/servers.ts'
import { type ApiError, mayManage, post, toApiError } from '../api.ts'
import { ErrorNote } from '../parts/error-note.tsx'
import { LongText } from '../parts/long-text.tsx'
import { notify } from '../parts/notice.tsx'
import { useSettled } from '../parts/use-settled.ts'
import { navigate, toAddress } from '../router.ts'

/** Adds servers from what people have at hand. What is risky about one must be confirmed, for exactly this text. */
export function AddServers({ isFirst = false }: { readonly isFirst?: boolean }) {
  const [text, setText] = useState('')
  const [name, setName] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError>()
  const [confirm, setConfirm] = useState<{ readonly about: string; readonly points: readonly string[] } | null>(null)
  const about = JSON.stringify([text, name])
  const isConfirming = confirm?.about === about
  const isSettled = useSettled(isConfirming ? about : '')

  async function add(confirmed: boolean) {
    setBusy(true)
    setError(undefined)
    try {
      const request = { text, ...(name !== '' && { name }), ...(confirmed && { confirmed }) }
      const response = await post<AddServersResponse>('servers/add', request)
      if (response.confirm !== undefined) setConfirm({ about, points: response.confirm })
      else {
        notify(response.message)
        navigate(toAddress('servers', response.added[0]))
      }
    } catch (cause) {
      setError(toApiError(cause))
    }
    setBusy(false)
  }

  if (!mayManage()) return <p class="dim">Your sign-in may not add servers.</p>
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        void add(false)
      }}
    >
      <h2>{isFirst ? 'Add your first server' : 'Add servers'}</h2>
      <div class="field">
        <label for="add-text">A command line, a URL, or an mcpServers document</label>
        <p class="dim about" id="add-about">
          Such as <code>npx -y @modelcontextprotocol/server-filesystem .</code>,{' '}
          <code>https://mcp.example.com/mcp</code>, or the JSON that a client's documentation shows.
        </p>
        <textarea
          id="add-text"
          class="mono wide grows"
          rows={4}
          spellcheck={false}
          aria-describedby="add-about"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      <div class="field">
        <label for="add-name">Name</label>
        <p class="dim about">Optional: without one, it is taken from the command or the document.</p>
        <input
          id="add-name"
          type="text"
          autocomplete="off"
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </div>
      {error && <ErrorNote error={error} />}
      {isConfirming && (
        <div class="note ask" role="alert">
          <b>Before it is added:</b>
          <ul class="bullets">
            {confirm.points.map((point, n) => (
              <li key={n}>
                <LongText text={point} />
              </li>
            ))}
          </ul>
        </div>
      )}
      <div class="actions">
        {isConfirming ? (
          <>
            <button type="button" onClick={() => setConfirm(null)}>
              Cancel
            </button>
            <button type="button" disabled={!isSettled || isBusy} onClick={() => void add(true)}>
              Add it all the same
            </button>
          </>
        ) : (
          <button type="submit" class="primary" disabled={isBusy || text.trim() === ''}>
            Add
          </button>
        )}
        {isBusy && (
          <span class="dim" role="status">
            Adding…
          </span>
        )}
      </div>
    </form>
  )
}

import { useState } from 'preact/hooks'
import type { AddServersResponse, ProposedServer, ProposeServersResponse } from '../../api/servers.ts'
import { type ApiError, mayManage, post, toApiError } from '../api.ts'
import { ErrorNote } from '../parts/error-note.tsx'
import { LongText } from '../parts/long-text.tsx'
import { notify } from '../parts/notice.tsx'
import { useSettled } from '../parts/use-settled.ts'
import { navigate, toAddress } from '../router.ts'
import { type Choices, GrantChoices, toChosenGrants, toFirstChoices } from './grant-choices.tsx'

/** What the person is asked, about exactly this text: about risks first, then what to grant. */
type Asked =
  | { readonly about: string; readonly confirm: readonly string[]; readonly servers?: undefined }
  | {
      readonly about: string
      readonly confirm?: undefined
      readonly servers: readonly ProposedServer[]
      readonly choices: Choices
      readonly confirmed: boolean
    }

/**
 * Adds servers from what people have at hand. What is risky about one must be confirmed, for exactly this text. Then each is
 * started once, confined and without network, and what it wanted is listed: nothing is granted that was not seen.
 */
export function AddServers({ isFirst = false }: { readonly isFirst?: boolean }) {
  const [text, setText] = useState('')
  const [name, setName] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError>()
  const [asked, setAsked] = useState<Asked | null>(null)
  const about = JSON.stringify([text, name])
  const current = asked?.about === about ? asked : null
  const isSettled = useSettled(current ? `${about} ${current.servers === undefined}` : '')

  async function send<Response>(path: string, more: object, use: (response: Response) => void) {
    setBusy(true)
    setError(undefined)
    try {
      use(await post<Response>(path, { text, ...(name !== '' && { name }), ...more }))
    } catch (cause) {
      setError(toApiError(cause))
    }
    setBusy(false)
  }
  const propose = (confirmed: boolean) =>
    send<ProposeServersResponse>('servers/propose', { ...(confirmed && { confirmed }) }, ({ confirm, servers }) => {
      if (confirm !== undefined) setAsked({ about, confirm })
      else if (servers.some(({ offers }) => offers !== undefined)) setAsked({ about, servers, choices: toFirstChoices(servers), confirmed })
      else void add(confirmed, {})
    }) // biome-ignore format: one line
  const add = (confirmed: boolean, choices: Choices) =>
    send<AddServersResponse>('servers/add', { confirmed, grants: toChosenGrants(choices) }, ({ message, added }) => {
      notify(message)
      navigate(toAddress('servers', added[0]))
    })

  if (!mayManage()) return <p class="dim">Your sign-in may not add servers.</p>
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        if (current?.servers === undefined) void propose(false)
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
      {current?.confirm && (
        <div class="note ask" role="alert">
          <b>Before it is started:</b>
          <ul class="bullets">
            {current.confirm.map((point, n) => (
              <li key={n}>
                <LongText text={point} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {current?.servers && (
        <GrantChoices
          servers={current.servers}
          choices={current.choices}
          onChoose={(choices) => setAsked({ ...current, choices })}
        />
      )}
      <div class="actions">
        {current === null ? (
          <button type="submit" class="primary" disabled={isBusy || text.trim() === ''}>
            Add
          </button>
        ) : (
          <>
            <button type="button" onClick={() => setAsked(null)}>
              Cancel
            </button>
            {current.servers ? (
              <button
                type="button"
                class="primary"
                disabled={!isSettled || isBusy}
                onClick={() => void add(current.confirmed, current.choices)}
              >
                Add {current.servers.length === 1 ? 'it' : `all ${current.servers.length}`}
              </button>
            ) : (
              <button type="button" disabled={!isSettled || isBusy} onClick={() => void propose(true)}>
                Continue all the same
              </button>
            )}
          </>
        )}
        {isBusy && (
          <span class="dim" role="status">
            {current?.servers ? 'Adding…' : 'Starting it once, confined and without network, to see what it needs…'}
          </span>
        )}
      </div>
    </form>
  )
}

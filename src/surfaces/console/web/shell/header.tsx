import { useEffect, useState } from 'preact/hooks'
import { isSignedOut, post, session } from '../api.ts'
import type { Page } from '../pages.ts'
import { changeQuery, navigate, route, toAddress } from '../router.ts'
import { alerts, changeAlerts } from './alerts.ts'
import { openKeyHelp } from './key-help.tsx'

export function Header({ page }: { readonly page: Page | undefined }) {
  return (
    <header class="header">
      <h1>{page?.title ?? 'Toolpact'}</h1>
      <Search key={page?.search ? page.name : ''} page={page} />
      <Person />
    </header>
  )
}

/** Filters pages that can be searched while one types. From other pages it leads to the calls, on Enter. */
function Search({ page }: { readonly page: Page | undefined }) {
  const isOwn = page?.search !== undefined
  const current = isOwn ? (route.value.query.text ?? '') : ''
  const [text, setText] = useState(current)
  useEffect(() => setText(current), [current])
  useEffect(() => {
    if (!isOwn || text === current) return
    const timer = setTimeout(() => changeQuery({ text }), 250)
    return () => clearTimeout(timer)
  }, [text])
  const label = page?.search ?? 'Search the inputs of calls'
  return (
    <form
      class="search"
      onSubmit={(event) => {
        event.preventDefault()
        if (isOwn) changeQuery({ text })
        else navigate(toAddress('calls', null, { text }))
      }}
    >
      <search>
        <input
          id="search"
          type="search"
          aria-label={label}
          placeholder={label}
          value={text}
          maxLength={200}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <kbd>/</kbd>
      </search>
    </form>
  )
}

function Person() {
  const who = session.value
  if (who === null) return null
  const { sound, notification } = alerts.value
  return (
    <details class="person">
      <summary>
        <span class="initial" aria-hidden="true">
          {[...who.person][0]?.toUpperCase()}
        </span>
        <bdi class="person-name">{who.person}</bdi>
      </summary>
      <div class="menu">
        <p>
          Signed in as <bdi>{who.person}</bdi>: may {who.rights.join(', ')}.
        </p>
        <p class="dim">
          Toolpact {who.version} in <bdi>{who.workspace}</bdi>
        </p>
        <label>
          <input
            type="checkbox"
            checked={sound}
            onChange={(event) => changeAlerts({ sound: event.currentTarget.checked })}
          />{' '}
          Sound on a new question
        </label>
        <label>
          <input
            type="checkbox"
            checked={notification}
            onChange={(event) => changeAlerts({ notification: event.currentTarget.checked })}
          />{' '}
          Browser notification
        </label>
        <div class="actions">
          <a class="button" href={toAddress('sessions')}>
            Sessions
          </a>
          <button type="button" onClick={openKeyHelp}>
            Keys <kbd>?</kbd>
          </button>
          <button type="button" onClick={signOut}>
            Sign out
          </button>
        </div>
      </div>
    </details>
  )
}

async function signOut(): Promise<void> {
  await post('sign-out').catch(() => {})
  isSignedOut.value = true
}

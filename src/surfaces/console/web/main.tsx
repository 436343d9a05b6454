import { render } from 'preact'
import type { Session } from '../api/api.ts'

/** The console: a single page that talks to the API of `../api`. */
function Console({ session }: { readonly session: Session }) {
  return <main>{session.person}</main>
}

const response = await fetch('/console/api/session')
render(<Console session={await response.json()} />, document.body)

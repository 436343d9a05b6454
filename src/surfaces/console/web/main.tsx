import { render } from 'preact'
import type { Session } from '../api/api.ts'
import { get, isSignedOut, session, toApiError } from './api.ts'
import { ErrorNote } from './parts/error-note.tsx'
import { startRouter } from './router.ts'
import { startKeys } from './shell/keys.ts'
import { Shell } from './shell/shell.tsx'
import { SignedOut } from './shell/signed-out.tsx'
import { openStream } from './stream/stream.ts'

startRouter()
startKeys()
try {
  session.value = await get<Session>('session')
  openStream()
  render(<Shell />, document.body)
} catch (error) {
  if (isSignedOut.value) render(<SignedOut />, document.body)
  else
    render(
      <main class="page">
        <ErrorNote error={toApiError(error)} retry={() => location.reload()} />
      </main>,
      document.body,
    )
}

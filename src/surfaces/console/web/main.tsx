import { render } from 'preact'
import type { Session } from '../api/api.ts'
import { get, isSignedOut, session, toApiError } from './api.ts'
import { ErrorNote } from './parts/error-note.tsx'
import { startRouter } from './router.ts'
import { startKeys } from './shell/keys.ts'
import { Shell } from './shell/shell.tsx'
import { SignedOut } from './shell/signed-out.tsx'
import { WithoutRights } from './shell/without-rights.tsx'
import { followQuestions } from './stream/questions.ts'
import { openStream } from './stream/stream.ts'

const root = document.querySelector('#app')!
startRouter()
startKeys()
try {
  session.value = await get<Session>('session')
  if (session.value.rights.includes('view')) {
    openStream()
    followQuestions()
    render(<Shell />, root)
  } else render(<WithoutRights />, root)
} catch (error) {
  if (isSignedOut.value) render(<SignedOut />, root)
  else
    render(
      <main class="page">
        <ErrorNote error={toApiError(error)} retry={() => location.reload()} />
      </main>,
      root,
    )
}

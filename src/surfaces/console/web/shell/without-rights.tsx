import { isSignedOut, session } from '../api.ts'
import { pages } from '../pages.ts'
import { Empty } from '../parts/empty.tsx'
import { Lazy } from '../parts/lazy.tsx'
import { route } from '../router.ts'
import { SignedOut } from './signed-out.tsx'

/** What a person sees who has no right here: they can connect to servers, and nothing else. */
export function WithoutRights() {
  if (isSignedOut.value) return <SignedOut />
  const { page: name } = route.value
  const page = name === 'connect' || name === 'connected' ? pages.find((one) => one.name === name) : undefined
  return (
    <main class="page">
      {page?.load ? (
        <Lazy key={name} load={page.load} />
      ) : (
        <Empty title="You have no right to see the console">
          You are signed in as <bdi>{session.value?.person}</bdi>. Open the link that a call answered with to connect to
          a server.
        </Empty>
      )}
    </main>
  )
}

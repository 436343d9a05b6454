import { useEffect, useState } from 'preact/hooks'
import { Empty } from '../parts/empty.tsx'

export function SignedOut() {
  const issuer = useIssuer()
  if (issuer === undefined) return <main class="page" />
  if (issuer === null)
    return (
      <main class="page">
        <Empty title="You are not signed in" command="toolpact open">
          A link that works once signs you in. Run this command on the machine where Toolpact runs:
        </Empty>
      </main>
    )
  const to = location.pathname + location.search
  return (
    <main class="page">
      <div class="empty">
        <h2>You are not signed in</h2>
        {/* A target, so that the browser leaves this page. */}
        <a class="button primary" href={`/console/sign-in?to=${encodeURIComponent(to)}`} target="_self">
          Sign in with <bdi>{issuer}</bdi>
        </a>
      </div>
      <Empty title="Or by a link" command="toolpact open">
        The operator runs this on the machine where Toolpact runs, for a link that works once:
      </Empty>
    </main>
  )
}

/** The issuer that people can sign in with; null if there is none, undefined until that is known. */
function useIssuer(): string | null | undefined {
  const [issuer, setIssuer] = useState<string | null>()
  useEffect(() => {
    fetch('/console/sign-in/ways')
      .then((response) => response.json())
      .then(({ issuer }: { issuer?: string | null }) => setIssuer(issuer ?? null))
      .catch(() => setIssuer(null))
  }, [])
  return issuer
}

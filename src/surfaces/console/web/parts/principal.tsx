import type { Principal } from '../../api/questions.ts'
import { Fact } from './fact.tsx'
import { LongText } from './long-text.tsx'

const ways: { readonly [via: string]: string } = {
  token: 'a token of Toolpact',
  jwt: 'a token',
  cookie: 'a session of the console',
  stdio: 'stdio of this user',
  cli: 'the command line',
}

/** How a caller authenticated, who vouches for it, and its groups. */
export function PrincipalFacts({ principal }: { readonly principal: Principal | undefined }) {
  if (!principal) return null
  const { via, issuer, subject, groups } = principal
  return (
    <>
      {(via !== undefined || issuer !== undefined) && (
        <Fact name="Known by">
          {via !== undefined && (ways[via] ?? via)}
          {issuer !== undefined && (
            <>
              {' '}
              of <LongText text={issuer} max={120} />
            </>
          )}
          {subject !== undefined && (
            <>
              {' '}
              for <LongText text={subject} max={60} />
            </>
          )}
        </Fact>
      )}
      {groups && (
        <Fact name="Groups">
          <LongText text={groups.join(', ')} max={200} />
        </Fact>
      )}
    </>
  )
}

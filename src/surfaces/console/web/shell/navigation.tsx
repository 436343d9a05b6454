import { pages } from '../pages.ts'
import { RelativeTime } from '../parts/time.tsx'
import { route, toAddress } from '../router.ts'
import { connection, overview } from '../stream/stream.ts'

/** The pages with what needs attention, and below them the state of the system. On a phone, a bar at the bottom. */
export function Navigation() {
  const now = overview.value
  return (
    <nav class="navigation" aria-label="Pages">
      <a class="brand" href={toAddress('inbox')}>
        Toolpact
      </a>
      <ul>
        {pages
          .filter((page) => !page.isHidden)
          .map((page) => {
            const count = now === null ? 0 : (page.count?.(now) ?? 0)
            return (
              <li key={page.name}>
                <a href={toAddress(page.name)} aria-current={route.value.page === page.name ? 'page' : undefined}>
                  <span>{page.title}</span>
                  {count > 0 && (
                    <span class="count">
                      {count > 99 ? '99+' : count}
                      <span class="hidden"> need attention</span>
                    </span>
                  )}
                </a>
              </li>
            )
          })}
      </ul>
      <Status />
    </nav>
  )
}

function Status() {
  const now = overview.value
  if (now === null) return <div class="status" />
  const { servers, storage, ledger, seal } = now
  const isBroken = ledger.verified === 'broken'
  return (
    <ul class="status" aria-label="State">
      <li>
        <a href={toAddress('calls')} class={isBroken ? 'no' : ''} title={`${ledger.head} entries`}>
          {isBroken ? '✕ ledger broken' : ledger.verified === 'intact' ? 'ledger intact' : 'ledger ok'}
        </a>
      </li>
      {seal && (
        <li>
          <a href={toAddress('proof')} class={seal.isFailing ? 'no' : ''}>
            {seal.isFailing ? (
              '✕ not sealed'
            ) : seal.at === null ? (
              'nothing sealed'
            ) : (
              <span>
                sealed <RelativeTime at={seal.at} />
              </span>
            )}
          </a>
        </li>
      )}
      <li>
        <span class={storage.isWritable ? '' : 'no'} title={storage.failure}>
          {storage.isWritable ? 'storage ok' : '✕ storage failing'}
        </span>
      </li>
      <li>
        <a href={toAddress('servers')} class={servers.failed > 0 ? 'no' : ''}>
          {servers.failed > 0
            ? `✕ ${servers.failed} of ${servers.total} down`
            : `${servers.total} ${servers.total === 1 ? 'server' : 'servers'}`}
        </a>
      </li>
      {connection.value.state === 'lost' && <li class="ask">reconnecting</li>}
    </ul>
  )
}

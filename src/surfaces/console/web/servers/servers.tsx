import { useState } from 'preact/hooks'
import type { ServerList, ServerRow } from '../../api/servers.ts'
import { mayManage, useRequest } from '../api.ts'
import { StateBadge } from '../parts/badges.tsx'
import { Empty } from '../parts/empty.tsx'
import { ErrorNote } from '../parts/error-note.tsx'
import { formatDuration, plural } from '../parts/format.ts'
import { Panes } from '../parts/panes.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { navigate, route, toAddress } from '../router.ts'
import { useKeys } from '../shell/keys.ts'
import { overview, serverChanges } from '../stream/stream.ts'
import { AddServers } from './add-servers.tsx'
import { ServerView } from './server-view.tsx'

/** The MCP servers behind this one: whether they work, and what of them may be used. */
export default function ServersPage() {
  const { item, query } = route.value
  const list = useRequest<ServerList>('servers', [serverChanges.value])
  const isEmpty = list.data?.servers.length === 0
  const detail = item !== null ? <ServerView key={item} name={item} /> : query.add || isEmpty ? <AddServers isFirst={isEmpty} /> : null // biome-ignore format: one line
  return (
    <Panes
      list={<List {...list} />}
      detail={detail}
      hint={<p class="dim">Choose a server to see its tools and what was withheld.</p>}
      back={{ href: toAddress('servers'), text: 'All servers' }}
    />
  )
}

function List({ data, error, reload }: ReturnType<typeof useRequest<ServerList>>) {
  const { item } = route.value
  const servers = data === undefined ? [] : [...data.servers].sort((one, other) => urgency(one) - urgency(other) || one.name.localeCompare(other.name)) // biome-ignore format: one line
  const [cursor, setCursor] = useState(-1)
  const move = (by: number) => setCursor(Math.max(0, Math.min(servers.length - 1, cursor + by)))
  useKeys([
    { key: 'j', about: 'next server', repeats: true, run: () => move(1) },
    { key: 'k', about: 'previous server', repeats: true, run: () => move(-1) },
    { key: 'Enter', about: 'open the server', run: () => servers[cursor] && navigate(toAddress('servers', servers[cursor].name)) },
  ]) // biome-ignore format: one line
  if (data === undefined) return error ? <ErrorNote error={error} retry={reload} /> : <Skeleton />
  const reviews = overview.value?.reviews ?? 0
  return (
    <>
      <div class="pane-bar">
        <span class="dim">{plural(servers.length, 'server')}</span>
        <a href={toAddress('lock')}>{reviews > 0 ? `Review ${plural(reviews, 'change')}` : 'Accepted definitions'}</a>
        {mayManage() && (
          <a class="button push" href={toAddress('servers', null, { add: 1 })}>
            Add servers
          </a>
        )}
      </div>
      {error && <ErrorNote error={error} retry={reload} />}
      {servers.length === 0 && (
        <Empty title="No servers yet" command="toolpact mcp add NAME -- COMMAND">
          Tools of other MCP servers appear here once you add one.
        </Empty>
      )}
      <ul class="scroll" aria-label="Servers">
        {servers.map((server, index) => (
          <li key={server.name}>
            <a
              class={index === cursor ? 'item-row at-cursor' : 'item-row'}
              href={toAddress('servers', server.name)}
              aria-current={server.name === item ? 'true' : undefined}
            >
              <Row server={server} />
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}

function Row({ server }: { readonly server: ServerRow }) {
  return (
    <>
      <span class="one-line">
        <b class="clip">
          <bdi>{server.name}</bdi>
        </b>
        {server.reviews > 0 && <span class="badge ask">{plural(server.reviews, 'change')}</span>}
        <StateBadge state={server.state} />
      </span>
      <span class="one-line dim">
        <span class="clip">
          {server.offered}
          {server.flagged > 0 && `, ${server.flagged} flagged`}
          {server.restarts > 0 && `, ${plural(server.restarts, 'restart')}`}
        </span>
        {server.pingMs !== null && <span class="number">{formatDuration(server.pingMs)}</span>}
      </span>
      {server.fault !== undefined && (
        <span class="no clip">
          <bdi>{server.fault.slice(0, 200)}</bdi>
        </span>
      )}
    </>
  )
}

/** Failed ones first, then those with something to decide. */
function urgency(server: ServerRow): number {
  return server.state === 'failed' ? 0 : server.reviews > 0 ? 1 : 2
}

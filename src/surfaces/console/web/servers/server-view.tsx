import { useState } from 'preact/hooks'
import { shorten } from '../../../../contract/text/shorten.ts'
import type { ActionResponse } from '../../api/rules.ts'
import type { AdoptRequest, ServerDetail } from '../../api/servers.ts'
import { mayManage, post, toPath, useRequest } from '../api.ts'
import { RiskBadge, StateBadge } from '../parts/badges.tsx'
import { ErrorNote } from '../parts/error-note.tsx'
import { formatDuration } from '../parts/format.ts'
import { LongText } from '../parts/long-text.tsx'
import { notify, notifyError } from '../parts/notice.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { toAddress } from '../router.ts'
import { serverChanges } from '../stream/stream.ts'
import { OwnConnection } from './own-connection.tsx'

type Action = (what: 'restart' | 'adopt', body?: AdoptRequest) => void

/** One server: its state, its tools, and why some of them may not be used. */
export function ServerView({ name }: { readonly name: string }) {
  const { data: server, error, reload } = useRequest<ServerDetail>(toPath(['servers', name]), [serverChanges.value])
  const [isBusy, setBusy] = useState(false)
  const act: Action = async (what, body) => {
    setBusy(true)
    try {
      const { message } = await post<ActionResponse>(toPath(['servers', name, what]), body)
      notify(message)
      reload()
    } catch (cause) {
      notifyError(cause)
    }
    setBusy(false)
  }
  if (server === undefined) return error ? <ErrorNote error={error} retry={reload} /> : <Skeleton />
  const may = mayManage() && !isBusy
  return (
    <article>
      <div class="block">
        <h2>
          <LongText text={server.name} max={120} /> <StateBadge state={server.state} />
        </h2>
        {server.fault !== undefined && (
          <p class="note no" role="alert">
            <b aria-hidden="true">✕</b> <LongText text={server.fault} />
          </p>
        )}
        <div class="actions">
          <button type="button" disabled={!may} onClick={() => act('restart')}>
            Restart
          </button>
          {server.reviews > 0 && (
            <a class="button" href={toAddress('lock', server.name)}>
              Review {server.reviews} changed
            </a>
          )}
          {isBusy && (
            <span class="dim" role="status">
              Working…
            </span>
          )}
        </div>
      </div>
      <OwnConnection server={name} />
      <Facts server={server} />
      <Refused server={server} />
      <Withheld server={server} may={may} act={act} />
      <Admitted server={server} />
      {server.instructions !== undefined && (
        <section class="block prose">
          <h3>What it tells models</h3>
          <p>
            <LongText text={server.instructions} />
          </p>
        </section>
      )}
      <section class="block">
        <h3>Last lines outside the protocol</h3>
        {server.noise.length === 0 ? (
          <p class="dim">None.</p>
        ) : (
          <ol class="noise">
            {server.noise.map((line, n) => (
              <li key={n}>
                <LongText text={line} />
              </li>
            ))}
          </ol>
        )}
      </section>
    </article>
  )
}

function Facts({ server }: { readonly server: ServerDetail }) {
  const { serverInfo } = server
  const rows: readonly [string, string | null][] = [
    ['Reached by', server.address],
    ['Says it is', [serverInfo.name, serverInfo.version].filter(Boolean).join(' ') || null],
    ['Protocol', server.revision],
    ['Started in', server.startedInMs === null ? null : formatDuration(server.startedInMs)],
    ['Responds in', server.pingMs === null ? null : formatDuration(server.pingMs)],
    ['Restarts', String(server.restarts)],
    ['Isolation', server.isolation],
  ]
  return (
    <>
      <dl class="fields block">
        {rows.map(
          ([term, text]) =>
            text !== null && (
              <div key={term}>
                <dt>{term}</dt>
                <dd>
                  <LongText text={text} />
                </dd>
              </div>
            ),
        )}
      </dl>
      {server.grants.length > 0 && (
        <section class="block">
          <h3>Granted</h3>
          <dl class="fields">
            {server.grants.map((grant, n) => (
              <div key={n}>
                <dt>
                  <LongText text={grant.name} max={60} />
                </dt>
                <dd>
                  <LongText text={grant.value} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </>
  )
}

/** What it tried beyond its grants. */
function Refused({ server }: { readonly server: ServerDetail }) {
  if (server.refused.length === 0 && server.changeGrants === undefined) return null
  return (
    <section class="block">
      <h3>Tried beyond what it may touch: {server.refused.length}</h3>
      {server.refused.length === 0 && <p class="dim">It tried nothing beyond what it may.</p>}
      <ul class="refused">
        {server.refused.map(({ text, command }) => (
          <li key={command}>
            <LongText text={text} />
            <p class="dim">
              To allow it, run <code>{command}</code>
            </p>
          </li>
        ))}
      </ul>
      {server.changeGrants !== undefined && (
        <p class="dim">
          To change what it may touch, run <code>{server.changeGrants}</code>
        </p>
      )}
    </section>
  )
}

function Withheld({
  server,
  may,
  act,
}: {
  readonly server: ServerDetail
  readonly may: boolean
  readonly act: Action
}) {
  if (server.withheldTools.length === 0) return null
  const adoptable = server.withheldTools.filter((tool) => tool.action === 'adopt').length
  return (
    <section class="block">
      <h3>Withheld: {server.withheldTools.length}</h3>
      {adoptable > 1 && (
        <p class="actions">
          <button type="button" disabled={!may} onClick={() => act('adopt', { withoutOutputSchema: 'opaque' })}>
            Adopt all {adoptable} without an output schema
          </button>
        </p>
      )}
      <ul class="cards">
        {server.withheldTools.map((tool) => (
          <li key={tool.name}>
            <b>
              <LongText text={tool.name} max={120} />
            </b>
            {tool.reasons.map((reason, n) => (
              <p key={n}>
                <span class="badge no">{reason.code}</span> <LongText text={reason.message} />{' '}
                <span class="dim">
                  <LongText text={reason.fix} />
                </span>
              </p>
            ))}
            {tool.action === 'adopt' && (
              <button type="button" disabled={!may} onClick={() => act('adopt', { withoutOutputSchema: 'opaque' })}>
                Adopt this server's tools without an output schema
              </button>
            )}
            {tool.action === 'restart' && (
              <button type="button" disabled={!may} onClick={() => act('restart')}>
                Restart the server
              </button>
            )}
            {tool.action === 'review' && (
              <a class="button" href={toAddress('lock', server.name)}>
                Review the change
              </a>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Admitted({ server }: { readonly server: ServerDetail }) {
  return (
    <section class="block">
      <h3>Admitted: {server.admittedTools.length}</h3>
      {server.admittedTools.length === 0 ? (
        <p class="dim">
          {server.state === 'ready' ? 'No tool of this server may be used yet.' : 'Its tools appear once it is ready.'}
        </p>
      ) : (
        <div class="table-box">
          <table class="table">
            <thead>
              <tr>
                <th scope="col">Tool</th>
                <th scope="col">Risk</th>
                <th scope="col">Output</th>
                <th scope="col">Flagged</th>
              </tr>
            </thead>
            <tbody>
              {server.admittedTools.map((tool) => (
                <tr key={tool.id}>
                  <td>
                    <a href={toAddress('tools', tool.id)}>
                      <bdi>{shorten(tool.name, 80)}</bdi>
                    </a>
                  </td>
                  <td>
                    <RiskBadge risk={tool.risk} />
                  </td>
                  <td>{tool.outputForm}</td>
                  <td>
                    {tool.flags.map((flag, n) => (
                      <p key={n} class="ask">
                        <span aria-hidden="true">!</span> <LongText text={flag} max={160} />
                      </p>
                    ))}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

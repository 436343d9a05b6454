import { useState } from 'preact/hooks'
import { shorten } from '../../../../contract/text/shorten.ts'
import type { ActionResponse } from '../../api/rules.ts'
import type { LockDecision, LockedTool, LockResponse } from '../../api/servers.ts'
import { mayManage, post, useRequest } from '../api.ts'
import { SeverityBadge } from '../parts/badges.tsx'
import { Digest } from '../parts/copy.tsx'
import { DiffView } from '../parts/diff-view.tsx'
import { Empty } from '../parts/empty.tsx'
import { ErrorNote } from '../parts/error-note.tsx'
import { plural } from '../parts/format.ts'
import { LongText } from '../parts/long-text.tsx'
import { notify, notifyError } from '../parts/notice.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { useSettled } from '../parts/use-settled.ts'
import { route, toAddress } from '../router.ts'
import { overview, serverChanges } from '../stream/stream.ts'

type Server = LockResponse['servers'][number]
type Decide = (decision: LockDecision) => Promise<void>

/** What servers changed since somebody accepted their tools. */
export default function LockPage() {
  const { item } = route.value
  const { data, error, reload } = useRequest<LockResponse>('lock', [serverChanges.value, overview.value?.reviews])
  const decide: Decide = async (decision) => {
    try {
      const { message } = await post<ActionResponse>('lock/decide', decision)
      notify(message)
    } catch (cause) {
      notifyError(cause)
    }
    reload()
  }
  if (data === undefined) return error ? <ErrorNote error={error} retry={reload} /> : <Skeleton />
  const servers = data.servers.filter((server) => item === null || server.name === item)
  const open = servers.filter(isOpen)
  const rest = servers.filter((server) => !isOpen(server))
  return (
    <div class="page">
      <p class="actions block">
        <a href={toAddress('servers', item)}>
          ←{' '}
          {item === null ? (
            'All servers'
          ) : (
            <>
              Server <bdi>{shorten(item, 60)}</bdi>
            </>
          )}
        </a>
        {item !== null && <a href={toAddress('lock')}>Show all servers</a>}
        <span class="dim">
          Accepted definitions are in{' '}
          <code>
            <LongText text={data.path} max={120} />
          </code>
        </span>
      </p>
      {error && <ErrorNote error={error} retry={reload} />}
      {open.length === 0 &&
        (data.exists ? (
          <Empty title="Nothing to review">All tools are as somebody accepted them.</Empty>
        ) : (
          <Empty title="Nothing is accepted yet" command="toolpact lock">
            Write down the definitions of today, so that a change is noticed.
          </Empty>
        ))}
      {open.map((server) => (
        <ServerReview key={server.name} server={server} decide={decide} />
      ))}
      {rest.length > 0 && (
        <section class="block">
          <h2>Without changes</h2>
          <ul>
            {rest.map((server) => (
              <li key={server.name}>
                <LongText text={server.name} max={80} />{' '}
                <span class="dim">
                  {stateWords[server.state]}, {plural(server.tools.length, 'definition')}
                </span>{' '}
                {server.fault !== undefined && (
                  <span class="no">
                    <LongText text={server.fault} max={200} />
                  </span>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

const stateWords = { compared: 'compared', unreachable: 'unreachable', unused: 'not used', left: 'left out' } as const

function isPending(tool: LockedTool): boolean {
  return tool.state !== 'same' && tool.state !== 'refused'
}

function isOpen(server: Server): boolean {
  return server.identity.length > 0 || server.tools.some((tool) => isPending(tool) || tool.state === 'refused')
}

function ServerReview({ server, decide }: { readonly server: Server; readonly decide: Decide }) {
  const pending = server.tools.filter(isPending)
  const refused = server.tools.filter((tool) => tool.state === 'refused')
  const same = server.tools.length - pending.length - refused.length
  return (
    <section class="block" aria-label={server.name}>
      <h2>
        <LongText text={server.name} max={120} />
      </h2>
      <p class="dim">
        {plural(pending.length, 'change')} to decide, {plural(same, 'definition')} as accepted
        {refused.length > 0 && `, ${refused.length} refused`}
      </p>
      {server.fault !== undefined && (
        <p class="note no">
          <LongText text={server.fault} />
        </p>
      )}
      {server.identity.length > 0 && (
        <div class="note ask">
          <b>The server itself changed:</b>
          <ul class="bullets">
            {server.identity.map((line, n) => (
              <li key={n}>
                <LongText text={line} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {server.digest !== undefined && pending.length + server.identity.length > 1 && (
        <Buttons
          about={`${server.name} ${server.digest}`}
          what={`all of ${shorten(server.name, 60)}`}
          decide={(decision) => decide({ server: server.name, digest: server.digest!, decision })}
        />
      )}
      {[...pending, ...refused].map((tool) => (
        <ToolReview key={tool.name} server={server.name} tool={tool} decide={decide} />
      ))}
    </section>
  )
}

const toolStates: Readonly<Record<string, { readonly kind: string; readonly text: string }>> = {
  kept: { kind: 'ask', text: 'changed, accepted one in use' },
  differs: { kind: 'ask', text: 'changed, withheld' },
  new: { kind: 'ask', text: 'new' },
  gone: { kind: 'no', text: 'gone' },
  refused: { kind: 'dim', text: 'refused' },
}

function ToolReview({
  server,
  tool,
  decide,
}: {
  readonly server: string
  readonly tool: LockedTool
  readonly decide: Decide
}) {
  const state = toolStates[tool.state]
  return (
    <article class="review">
      <h3>
        <LongText text={tool.name} max={120} /> {state && <span class={`badge ${state.kind}`}>{state.text}</span>}{' '}
        {tool.digest !== undefined && <Digest digest={tool.digest} label={`digest of ${shorten(tool.name, 60)}`} />}
      </h3>
      {tool.drift !== undefined && (
        <p>
          <LongText text={tool.drift} />
        </p>
      )}
      {tool.refusedBy !== undefined && (
        <p class="dim">
          Left as accepted by <LongText text={tool.refusedBy} max={60} />.
        </p>
      )}
      {tool.flags.map((flag, n) => (
        <p key={n} class="note ask">
          <b aria-hidden="true">!</b> <LongText text={flag} />
        </p>
      ))}
      {tool.changes.length > 0 && (
        <>
          <h4>What changes for callers</h4>
          <ul>
            {tool.changes.map((change, n) => (
              <li key={n}>
                <SeverityBadge severity={change.severity} /> <LongText text={change.message} />
              </li>
            ))}
          </ul>
        </>
      )}
      <p class={tool.calledBy.length > 0 ? '' : 'dim'}>
        {tool.calledBy.length === 0 ? 'No calls yet.' : 'Called by '}
        {tool.calledBy.map((one, n) => (
          <span key={one.caller}>
            {n > 0 && ', '}
            <a href={toAddress('calls', null, { tool: `${server}.${tool.name}`, caller: one.caller })}>
              <bdi>{shorten(one.caller, 60)}</bdi>
            </a>{' '}
            ({plural(one.calls, 'call')})
          </span>
        ))}
      </p>
      <div class="sides">
        {tool.words.length > 0 && (
          <div>
            <h4>Words</h4>
            <DiffView lines={tool.words} />
          </div>
        )}
        {tool.schema.length > 0 && (
          <div>
            <h4>Schema</h4>
            <DiffView lines={tool.schema} />
          </div>
        )}
      </div>
      {tool.digest !== undefined && (
        <Buttons
          about={`${tool.name} ${tool.digest}`}
          what={shorten(tool.name, 60)}
          isRefused={tool.state === 'refused'}
          decide={(decision) => decide({ server, tool: tool.name, digest: tool.digest!, decision })}
        />
      )}
    </article>
  )
}

interface ButtonsProps {
  /** What is decided: the buttons wait a moment when it changes. */
  readonly about: string
  /** What the buttons name. */
  readonly what: string
  readonly isRefused?: boolean
  readonly decide: (decision: 'accept' | 'refuse') => Promise<void>
}

function Buttons({ about, what, isRefused = false, decide }: ButtonsProps) {
  const [isBusy, setBusy] = useState(false)
  const isSettled = useSettled(about)
  const isOff = !mayManage() || isBusy || !isSettled
  const run = async (decision: 'accept' | 'refuse') => {
    setBusy(true)
    await decide(decision)
    setBusy(false)
  }
  return (
    <div class="actions">
      {!isRefused && (
        <button type="button" disabled={isOff} onClick={() => void run('refuse')}>
          Refuse {what}
        </button>
      )}
      <button type="button" disabled={isOff} onClick={() => void run('accept')}>
        Accept {what}
      </button>
      {!mayManage() && <span class="dim">Your sign-in may not decide this.</span>}
    </div>
  )
}

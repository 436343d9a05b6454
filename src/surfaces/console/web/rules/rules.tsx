import { useState } from 'preact/hooks'
import type { ActionResponse, RuleChange, RuleList, RuleRow } from '../../api/rules.ts'
import { mayManage, post, toPath, useRequest } from '../api.ts'
import { ActionBadge } from '../parts/badges.tsx'
import { Empty } from '../parts/empty.tsx'
import { ErrorNote } from '../parts/error-note.tsx'
import { plural } from '../parts/format.ts'
import { LongText } from '../parts/long-text.tsx'
import { notify, notifyError } from '../parts/notice.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { RelativeTime } from '../parts/time.tsx'
import { route, toAddress } from '../router.ts'
import { ruleChanges } from '../stream/stream.ts'
import { NewRule } from './new-rule.tsx'
import { Simulator } from './simulator.tsx'

/** What people have decided about future calls. */
export default function RulesPage() {
  const { query } = route.value
  const { data, error, reload } = useRequest<RuleList>('rules', [ruleChanges.value])
  if (data === undefined) return error ? <ErrorNote error={error} retry={reload} /> : <Skeleton />
  const view = query.view ?? 'list'
  return (
    <div class="page">
      <nav class="actions block" aria-label="Rules">
        {views.map(({ name, title }) => (
          <a
            key={name}
            class="button"
            href={toAddress('rules', null, { view: name === 'list' ? '' : name })}
            aria-current={name === view ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      {error && <ErrorNote error={error} retry={reload} />}
      {view === 'new' ? (
        <NewRule />
      ) : view === 'simulate' ? (
        <Simulator rules={data.rules} />
      ) : (
        <List rules={data.rules} reload={reload} />
      )}
    </div>
  )
}

const views = [
  { name: 'list', title: 'Rules' },
  { name: 'new', title: 'New rule' },
  { name: 'simulate', title: 'Simulate' },
] as const

function List({ rules, reload }: { readonly rules: readonly RuleRow[]; readonly reload: () => void }) {
  if (rules.length === 0)
    return (
      <Empty title="No rules yet" command="toolpact rules add run_in_terminal 'command: git status'">
        A rule decides about calls to come, so that nobody is asked again. Save one with an answer in the inbox, or
        write one here.
      </Empty>
    )
  const order = { invalid: 0, active: 1, disabled: 2, expired: 3 } as const
  const sorted = [...rules].sort(
    (one, other) => order[one.state] - order[other.state] || one.tool.localeCompare(other.tool),
  )
  return (
    <ul class="cards">
      {sorted.map((rule) => (
        <Rule key={rule.id} rule={rule} reload={reload} />
      ))}
    </ul>
  )
}

function Rule({ rule, reload }: { readonly rule: RuleRow; readonly reload: () => void }) {
  const [isRemoving, setRemoving] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const change = async (what: RuleChange['change']) => {
    setBusy(true)
    try {
      const { message } = await post<ActionResponse>(toPath(['rules', rule.id, 'change']), { change: what })
      notify(message)
      reload()
    } catch (cause) {
      notifyError(cause)
    }
    setBusy(false)
    setRemoving(false)
  }
  const isOff = !mayManage() || isBusy
  return (
    <li class={rule.state === 'active' ? '' : 'faded'}>
      <div class="rule-head">
        <ActionBadge action={rule.action} />
        <b>
          <LongText text={rule.tool} max={80} />
        </b>
        <code>
          <LongText text={rule.short ?? rule.pattern} max={160} />
        </code>
        {rule.state !== 'active' && (
          <span class={`badge ${rule.state === 'invalid' ? 'no' : 'dim'}`}>{rule.state}</span>
        )}
      </div>
      {rule.short !== undefined && (
        <p class="dim">
          Strict form:{' '}
          <code>
            <LongText text={rule.pattern} max={200} />
          </code>
        </p>
      )}
      {rule.description !== '' && (
        <p>
          <LongText text={rule.description} max={200} />
        </p>
      )}
      {rule.problems.map((problem, n) => (
        <p key={n} class="no">
          <span aria-hidden="true">✕</span> <LongText text={problem} />
        </p>
      ))}
      <p class="dim">
        {rule.scope}
        {rule.who && (
          <>
            , for <LongText text={rule.who.join(', ')} max={120} />
          </>
        )}
        ; {rule.uses === 0 ? 'never used' : `used ${plural(rule.uses, 'time')}`}
        {rule.lastUsedAt !== null && (
          <>
            , last <RelativeTime at={rule.lastUsedAt} />
          </>
        )}
        ; made by <LongText text={rule.createdBy} max={60} /> <RelativeTime at={rule.createdAt} />
        {rule.expiresAt !== null && <>; expires {new Date(rule.expiresAt).toLocaleString()}</>}
      </p>
      <div class="actions">
        {isRemoving ? (
          <>
            <span>Remove it for good?</span>
            <button type="button" disabled={isOff} onClick={() => setRemoving(false)}>
              Keep
            </button>
            <button type="button" class="no" disabled={isOff} onClick={() => void change('remove')}>
              Remove
            </button>
          </>
        ) : (
          <>
            {rule.state === 'disabled' && (
              <button type="button" class="small" disabled={isOff} onClick={() => void change('enable')}>
                enable
              </button>
            )}
            {rule.state !== 'disabled' && rule.state !== 'expired' && (
              <button type="button" class="small" disabled={isOff} onClick={() => void change('disable')}>
                disable
              </button>
            )}
            {rule.state === 'active' && (
              <button type="button" class="small" disabled={isOff} onClick={() => void change('expire')}>
                expire now
              </button>
            )}
            <button type="button" class="small" disabled={isOff} onClick={() => setRemoving(true)}>
              remove…
            </button>
            {rule.state === 'active' && (
              <a href={toAddress('rules', null, { view: 'simulate', without: rule.id })}>what if it were gone?</a>
            )}
          </>
        )}
      </div>
    </li>
  )
}

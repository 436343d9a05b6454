import { useState } from 'preact/hooks'
import { shorten } from '../../../../contract/text/shorten.ts'
import type { RuleInput, RuleRow, SimulateResponse } from '../../api/rules.ts'
import { ActionBadge } from '../parts/badges.tsx'
import { ErrorNote } from '../parts/error-note.tsx'
import { formatCount, plural } from '../parts/format.ts'
import { LongText } from '../parts/long-text.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { RelativeTime } from '../parts/time.tsx'
import { route, toAddress } from '../router.ts'
import { ruleChanges } from '../stream/stream.ts'
import { isComplete, RuleFields } from './rule-fields.tsx'
import { usePosted } from './use-posted.ts'

const maxShown = 200

/** Which of the last calls would be decided differently by other rules. Changes nothing. */
export function Simulator({ rules }: { readonly rules: readonly RuleRow[] }) {
  const [added, setAdded] = useState<readonly { readonly key: number; readonly rule: RuleInput }[]>([])
  const [removed, setRemoved] = useState<readonly string[]>([route.value.query.without ?? []].flat())
  const [last, setLast] = useState(500)
  const add = added.map((one) => one.rule).filter(isComplete)
  const remove = removed.filter((id) => rules.some((rule) => rule.id === id))
  const isIdle = add.length + remove.length === 0
  const simulated = usePosted<SimulateResponse>(
    'rules/simulate',
    isIdle ? null : { add, remove, last },
    ruleChanges.value,
  )
  const active = rules.filter((rule) => rule.state === 'active')
  return (
    <div class="simulator">
      <div>
        <h2>Add</h2>
        {added.map(({ key, rule }) => (
          <fieldset key={key} class="card">
            <legend class="hidden">Added rule</legend>
            <RuleFields
              id={`added-${key}`}
              rule={rule}
              onChange={(next) => setAdded(added.map((one) => (one.key === key ? { key, rule: next } : one)))}
            />
            <button type="button" class="small" onClick={() => setAdded(added.filter((one) => one.key !== key))}>
              leave it out
            </button>
          </fieldset>
        ))}
        <p>
          <button
            type="button"
            onClick={() => setAdded([...added, { key: Date.now(), rule: { tool: '', pattern: '', action: 'allow' } }])}
          >
            Add a rule to try
          </button>
        </p>
        <h2>Remove</h2>
        {active.length === 0 && <p class="dim">No rule is active.</p>}
        <ul class="choices">
          {active.map((rule) => (
            <li key={rule.id}>
              <label>
                <input
                  type="checkbox"
                  checked={remove.includes(rule.id)}
                  onChange={(event) =>
                    setRemoved(
                      event.currentTarget.checked ? [...remove, rule.id] : remove.filter((id) => id !== rule.id),
                    )
                  }
                />
                <ActionBadge action={rule.action} />{' '}
                <span>
                  <bdi>{shorten(rule.tool, 80)}</bdi>{' '}
                  <code>
                    <bdi>{shorten(rule.short ?? rule.pattern, 80)}</bdi>
                  </code>
                </span>
              </label>
            </li>
          ))}
        </ul>
        <p>
          <label for="last">Over the last </label>
          <select id="last" value={String(last)} onChange={(event) => setLast(Number(event.currentTarget.value))}>
            {[100, 500, 2000, 5000].map((count) => (
              <option key={count} value={String(count)}>
                {formatCount(count)} calls
              </option>
            ))}
          </select>
        </p>
      </div>
      <div aria-live="polite">
        <h2>What would differ</h2>
        {isIdle ? (
          <p class="dim">Add or remove a rule to see which calls would be decided differently. Nothing is saved.</p>
        ) : (
          <Result {...simulated} />
        )}
      </div>
    </div>
  )
}

function Result({ data, error, isStale }: ReturnType<typeof usePosted<SimulateResponse>>) {
  if (error) return <ErrorNote error={error} />
  if (data === undefined) return <Skeleton />
  return (
    <div class={isStale ? 'faded' : ''}>
      <p>
        <b>{data.changed.length === 0 ? 'None' : formatCount(data.changed.length)}</b> of {plural(data.calls, 'call')}{' '}
        would be decided differently.
        {data.skipped > 0 && (
          <span class="dim">
            {' '}
            {plural(data.skipped, 'call')} could not be tried, since their input is redacted or shortened.
          </span>
        )}
      </p>
      <ul class="cards">
        {data.changed.slice(0, maxShown).map(({ call, before, after, rule }) => (
          <li key={call.callId}>
            <ActionBadge action={before} /> → <ActionBadge action={after} />{' '}
            <span class="dim">
              by <LongText text={rule} max={60} />
            </span>
            <p>
              <a href={toAddress('calls', call.callId)}>
                <bdi>{shorten(call.tool, 80)}</bdi>
              </a>{' '}
              <span class="dim">
                <bdi>{shorten(call.caller ?? '', 80)}</bdi> <RelativeTime at={call.at} />
              </span>
            </p>
            <div class="mono">
              <LongText text={call.inputText} max={120} />
            </div>
          </li>
        ))}
      </ul>
      {data.changed.length > maxShown && (
        <p class="dim">{plural(data.changed.length - maxShown, 'more call')} not shown.</p>
      )}
    </div>
  )
}

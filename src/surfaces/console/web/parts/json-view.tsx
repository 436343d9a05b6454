import { useState } from 'preact/hooks'
import type { CallStory } from '../../api/calls.ts'
import { plural } from './format.ts'
import { LongText } from './long-text.tsx'

type Json = CallStory['input']

const openDepth = 2
const maxItems = 50

/** A value as a tree. Objects and lists can be collapsed, long texts are, with their size. */
export function JsonView({ value, depth = 0 }: { readonly value: Json; readonly depth?: number }) {
  if (typeof value === 'string') return <LongText text={value} />
  if (value === null || typeof value !== 'object') return <code>{String(value)}</code>
  const isList = Array.isArray(value)
  const entries: [string, Json][] = isList ? value.map((item, n) => [String(n), item]) : Object.entries(value)
  if (entries.length === 0) return <code>{isList ? '[]' : '{}'}</code>
  if (depth === 0) return <Entries entries={entries} depth={depth} />
  return (
    <details class="json" open={depth < openDepth && entries.length <= maxItems}>
      <summary>{isList ? plural(entries.length, 'item') : plural(entries.length, 'field')}</summary>
      <Entries entries={entries} depth={depth} />
    </details>
  )
}

function Entries({ entries, depth }: { readonly entries: readonly [string, Json][]; readonly depth: number }) {
  const [shown, setShown] = useState(maxItems)
  return (
    <>
      <dl class="fields">
        {entries.slice(0, shown).map(([name, item]) => (
          <div key={name}>
            <dt>
              <LongText text={name} max={60} />
            </dt>
            <dd>
              <JsonView value={item} depth={depth + 1} />
            </dd>
          </div>
        ))}
      </dl>
      {entries.length > shown && (
        <button type="button" class="small" onClick={() => setShown(shown + 10 * maxItems)}>
          show {plural(entries.length - shown, 'more', 'more')}
        </button>
      )}
    </>
  )
}

import { useState } from 'preact/hooks'
import type { CallStory } from '../../api/calls.ts'
import { plural } from './format.ts'
import { LongText } from './long-text.tsx'

type Json = CallStory['input']

const openDepth = 2
const maxItems = 50

interface Props {
  readonly value: Json
  readonly depth?: number
  /** Fields whose text is shown elsewhere, so that its beginning will do here. */
  readonly brief?: readonly string[]
}

/** A value as a tree. Objects and lists can be collapsed, long texts are, with their size. */
export function JsonView({ value, depth = 0, brief = [] }: Props) {
  if (typeof value === 'string') return <LongText text={value} />
  if (value === null || typeof value !== 'object') return <code>{String(value)}</code>
  const isList = Array.isArray(value)
  const entries: [string, Json][] = isList ? value.map((item, n) => [String(n), item]) : Object.entries(value)
  if (entries.length === 0) return <code>{isList ? '[]' : '{}'}</code>
  if (depth === 0) return <Entries entries={entries} depth={depth} brief={brief} />
  return (
    <details class="json" open={depth < openDepth && entries.length <= maxItems}>
      <summary>{isList ? plural(entries.length, 'item') : plural(entries.length, 'field')}</summary>
      <Entries entries={entries} depth={depth} brief={[]} />
    </details>
  )
}

interface EntriesProps {
  readonly entries: readonly [string, Json][]
  readonly depth: number
  readonly brief: readonly string[]
}

function Entries({ entries, depth, brief }: EntriesProps) {
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
              {typeof item === 'string' && brief.includes(name) ? (
                <LongText text={item} max={40} lines={1} />
              ) : (
                <JsonView value={item} depth={depth + 1} />
              )}
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

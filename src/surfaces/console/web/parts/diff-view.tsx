import { useState } from 'preact/hooks'
import type { DiffLine, FileChange } from '../../api/questions.ts'
import { plural } from './format.ts'
import { LongText } from './long-text.tsx'

const signs = { same: ' ', added: '+', removed: '−', gap: '⋯' } as const
const words = { same: '', added: 'added: ', removed: 'removed: ', gap: '' } as const
const kinds = { new: 'new', edit: 'edit', removal: 'removed' } as const
const maxShown = 60

/** What a call would change in a file. */
export function FileChangeView({ change }: { readonly change: FileChange }) {
  return (
    <section class="change">
      <h4>
        <LongText text={change.path} max={120} />{' '}
        <span class="dim">
          {kinds[change.kind]}, +{change.added} −{change.removed}
        </span>
      </h4>
      <DiffView lines={change.lines} />
      {change.omitted > 0 && <p class="note ask">{plural(change.omitted, 'more line')} not shown.</p>}
    </section>
  )
}

/** Lines with what was added and removed, by sign and colour. */
export function DiffView({ lines }: { readonly lines: readonly DiffLine[] }) {
  const [shown, setShown] = useState(maxShown)
  if (lines.length === 0) return null
  return (
    <>
      <div class="diff">
        {lines.slice(0, shown).map((line, n) => (
          <div key={n} class={line.kind}>
            <span aria-hidden="true">{signs[line.kind]}</span>
            <span class="hidden">{words[line.kind]}</span>
            <LongText text={line.text} max={2000} />
          </div>
        ))}
      </div>
      {lines.length > shown && (
        <button type="button" class="small" onClick={() => setShown(Number.POSITIVE_INFINITY)}>
          show {plural(lines.length - shown, 'more line')}
        </button>
      )}
    </>
  )
}

import type { CallStory } from '../../api/calls.ts'
import { JsonView } from '../parts/json-view.tsx'
import { RelativeTime } from '../parts/time.tsx'
import { toAddress } from '../router.ts'

/** What an agent run did, stage by stage, with links to the calls it made. */
export function Stages({ stages }: { readonly stages: NonNullable<CallStory['stages']> }) {
  return (
    <ol class="stages">
      {stages.map((stage, n) => (
        <li key={`${n} ${stage.stage}`}>
          <p>
            <span class={stage.passed ? 'ok' : 'no'}>{stage.passed ? '✓' : '✕'}</span>{' '}
            <b>{stage.stage.replaceAll('_', ' ')}</b>{' '}
            <span class="dim">
              {!stage.passed && 'failed '}
              <RelativeTime at={stage.at} />
            </span>{' '}
            {stage.callId !== undefined && <a href={toAddress('calls', stage.callId)}>Show the call</a>}
          </p>
          {Object.keys(stage.details).length > 0 && <JsonView value={stage.details} />}
        </li>
      ))}
    </ol>
  )
}

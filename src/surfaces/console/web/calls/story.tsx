import { useState } from 'preact/hooks'
import type { CallStory, EvidenceResponse } from '../../api/calls.ts'
import { type ApiError, get, toApiError, toPath, useRequest } from '../api.ts'
import { Outcome } from '../parts/call-row.tsx'
import { CheckList } from '../parts/check-cells.tsx'
import { Digest } from '../parts/copy.tsx'
import { ErrorNote } from '../parts/error-note.tsx'
import { Fact } from '../parts/fact.tsx'
import { formatDuration } from '../parts/format.ts'
import { JsonView } from '../parts/json-view.tsx'
import { Lazy } from '../parts/lazy.tsx'
import { LongText } from '../parts/long-text.tsx'
import { PrincipalFacts } from '../parts/principal.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { RelativeTime } from '../parts/time.tsx'
import { toAddress } from '../router.ts'
import { entryChanges, questionChanges } from '../stream/stream.ts'
import { Stages } from './stages.tsx'

/** The story of a call or an agent run, from intent to outcome. */
export function Story({ callId, back }: { readonly callId: string; readonly back: string }) {
  const [isOver, setOver] = useState(false)
  const changes = isOver ? 0 : entryChanges.value + questionChanges.value
  const { data, error, reload } = useRequest<CallStory>(toPath(['calls', callId]), [changes])
  if (data && !isOver && data.call.state !== 'running') setOver(true)
  return (
    <section class="story" aria-label="Story of the call">
      <a class="story-back" href={back}>
        ← All calls
      </a>
      {error && !data && <ErrorNote error={error} retry={reload} />}
      {!error && !data && <Skeleton />}
      {data && <Details story={data} />}
    </section>
  )
}

function Details({ story }: { readonly story: CallStory }) {
  const { call, decision, approval } = story
  return (
    <>
      <h2>
        <LongText text={call.tool} max={80} />
      </h2>
      <p>
        <Outcome call={call} />{' '}
        <span class="dim">{call.durationMs !== null && `after ${formatDuration(call.durationMs)}, `}</span>
        <RelativeTime at={call.at} />
        {call.caller !== null && (
          <>
            , <span class="dim">{call.isRun ? 'run by' : 'called by'}</span> <LongText text={call.caller} max={60} />
          </>
        )}
      </p>
      {story.questionId !== undefined && (
        <p class="note ask">
          ! It waits for an answer. <a href={toAddress('inbox', story.questionId)}>Open the question</a>
        </p>
      )}
      <h3>{call.isRun ? 'Stages' : 'Checks'}</h3>
      {story.stages ? <Stages stages={story.stages} /> : <CheckList checks={call.checks} isRun={call.isRun} />}
      <dl class="fields">
        {decision && (
          <Fact name="Decision">
            <b>{decision.action}</b> by <LongText text={decision.rule} max={120} />: <LongText text={decision.reason} />
          </Fact>
        )}
        {approval && (
          <Fact name="Approval">
            <b>{approval.answer}</b> by <LongText text={approval.by} max={120} />
            {approval.via !== undefined && <> via {approval.via}</>}
            {approval.note !== undefined && (
              <>
                : <LongText text={approval.note} />
              </>
            )}
          </Fact>
        )}
        {(story.run || story.hasRun) && (
          <Fact name="Workflow">
            {story.run && (
              <>
                It is the step <LongText text={story.run.step} max={60} />.{' '}
              </>
            )}
            <a href={toAddress('runs', story.run?.id ?? call.callId, { step: story.run?.step })}>Show the run</a>
          </Fact>
        )}
        {story.session !== null && (
          <Fact name="Session">
            <LongText text={story.session} max={120} />
          </Fact>
        )}
        <PrincipalFacts principal={story.principal} />
        {story.journaled && (
          <Fact name="Recorded">in a journal of its server while the database was unavailable, and merged later</Fact>
        )}
      </dl>
      {story.violation !== null && <Violation story={story} />}
      <h3>Input</h3>
      <p class="dim">As recorded, with secrets removed.</p>
      <JsonView value={story.input} />
      <Record story={story} />
    </>
  )
}

function Violation({ story }: { readonly story: CallStory }) {
  const [evidence, setEvidence] = useState<string>()
  const [error, setError] = useState<ApiError>()
  async function show(): Promise<void> {
    setError(undefined)
    try {
      setEvidence((await get<EvidenceResponse>(toPath(['calls', story.call.callId, 'evidence']))).text)
    } catch (failure) {
      setError(toApiError(failure))
    }
  }
  return (
    <>
      <h3>What broke the contract</h3>
      <p>
        <LongText text={story.violation ?? ''} />
      </p>
      {error && <ErrorNote error={error} />}
      {story.hasEvidence && evidence === undefined && (
        <p>
          <button type="button" onClick={() => void show()}>
            Show what the tool returned
          </button>{' '}
          <span class="ask">
            ! Unchecked text that may try to mislead you. No model has seen it; do not give it to one.
          </span>
        </p>
      )}
      {evidence !== undefined && (
        <div class="evidence mono">
          <LongText text={evidence} max={4000} lines={60} />
        </div>
      )}
    </>
  )
}

const loadProof = () => import('../proof/call-proof.tsx')

/** The entries in the ledger and what proves them. */
function Record({ story }: { readonly story: CallStory }) {
  return (
    <>
      <h3>Record</h3>
      <table>
        <thead>
          <tr>
            <th class="number">Entry</th>
            <th>Kind</th>
            <th>Time</th>
            <th>Hash</th>
          </tr>
        </thead>
        <tbody>
          {story.entries.map((entry) => (
            <tr key={entry.seq}>
              <td class="number">{entry.seq}</td>
              <td>{entry.kind}</td>
              <td>{new Date(entry.at).toLocaleString()}</td>
              <td>
                <Digest digest={entry.hash} label={`hash of entry ${entry.seq}`} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <dl class="fields">
        {story.contractDigest !== null && (
          <Fact name="Contract">
            <Digest digest={story.contractDigest} label="contract digest" />
          </Fact>
        )}
        {story.inputDigest !== null && (
          <Fact name="Input">
            <Digest digest={story.inputDigest} label="input digest" />
          </Fact>
        )}
        <Fact name="Call">
          <Digest digest={story.call.callId} label="call id" />
        </Fact>
      </dl>
      <Lazy load={loadProof} props={{ story }} />
    </>
  )
}

import { useRef } from 'preact/hooks'
import type { QuestionDetail, QuestionList } from '../../api/questions.ts'
import { toPath, useRequest } from '../api.ts'
import { Digest } from '../parts/copy.tsx'
import { FileChangeView } from '../parts/diff-view.tsx'
import { Empty } from '../parts/empty.tsx'
import { ErrorNote } from '../parts/error-note.tsx'
import { Fact } from '../parts/fact.tsx'
import { JsonView } from '../parts/json-view.tsx'
import { LongText } from '../parts/long-text.tsx'
import { PrincipalFacts } from '../parts/principal.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { Countdown, RelativeTime } from '../parts/time.tsx'
import { toAddress } from '../router.ts'
import { outcomes } from './answer.ts'
import { AnswerBar } from './answer-bar.tsx'

/** One question: what would run, why a person is asked, and the answers. */
export function Question(props: { readonly id: string; readonly list: QuestionList; readonly onNext: () => void }) {
  const { id, list } = props
  const ended = list.ended.find((question) => question.id === id)
  const isPending = list.pending.some((question) => question.id === id)
  // Loaded again with the list, but not once it has ended: what was asked stays on screen.
  const listed = useRef(list)
  if (isPending) listed.current = list
  const { data, error, reload } = useRequest<QuestionDetail>(toPath(['questions', id]), [listed.current])
  return (
    <section class="question" aria-label="Question">
      <a class="back" href={toAddress('inbox')}>
        ← All questions
      </a>
      <div class="question-body">
        {data ? (
          <Details question={data} isOver={!isPending} />
        ) : !error ? (
          <Skeleton />
        ) : isPending ? (
          <ErrorNote error={error} retry={reload} />
        ) : (
          <Empty title="This question has ended">
            {ended === undefined ? 'It was answered or has expired.' : null}
          </Empty>
        )}
      </div>
      {data && isPending && outcomes.value[id] === undefined ? (
        <AnswerBar question={data} />
      ) : (
        <OutcomeBar id={id} ended={isPending ? undefined : ended} isOver={!isPending} onNext={props.onNext} />
      )}
    </section>
  )
}

export function Details({
  question,
  isOver = false,
}: {
  readonly question: QuestionDetail
  readonly isOver?: boolean
}) {
  const { changes } = question
  return (
    <>
      <header class="question-head">
        <h2>
          <LongText text={question.tool} max={80} />
        </h2>
        <p>
          <span class="dim">{question.risk.replaceAll('_', ' ')}, asked by</span>{' '}
          <LongText text={question.caller} max={60} />{' '}
          <span class="dim">
            <RelativeTime at={question.askedAt} /> in
          </span>{' '}
          <LongText text={question.workspace} max={120} /> {!isOver && <Countdown until={question.expiresAt} />}
        </p>
        {question.isAwaited && !isOver && <p class="dim">A call is waiting for this answer.</p>}
      </header>
      <WouldDo question={question} />
      {question.problem !== undefined && (
        <p class="note ask">
          <b>No preview:</b> <LongText text={question.problem} />
        </p>
      )}
      <div class={changes.length > 0 ? 'question-columns' : ''}>
        <section>
          <h3>Parameters</h3>
          <JsonView value={question.input} brief={changes.length > 0 ? question.texts : []} />
        </section>
        {changes.length > 0 && (
          <section>
            <h3>Changes</h3>
            {changes.map((change) => (
              <FileChangeView key={change.path} change={change} />
            ))}
          </section>
        )}
      </div>
      <dl class="fields question-why">
        <Fact name="Why asked">
          <LongText text={question.reason} />
        </Fact>
        <PrincipalFacts principal={question.principal} />
        {question.run && (
          <Fact name="Workflow">
            It is the step <LongText text={question.run.step} max={60} />.{' '}
            <a href={toAddress('runs', question.run.id, { step: question.run.step })}>Show the run</a>
          </Fact>
        )}
        <Fact name="The tool">
          <LongText text={question.description} />
        </Fact>
        <Fact name="Digests">
          contract <Digest digest={question.contractDigest} label="contract digest" />, input{' '}
          <Digest digest={question.inputDigest} label="input digest" />
        </Fact>
      </dl>
    </>
  )
}

/** In a line each: the command, the hosts and the files. */
function WouldDo({ question }: { readonly question: QuestionDetail }) {
  const { runs, fetches, writes, reads } = question.effects
  const lines = [
    ...runs.map((text) => ['runs', text] as const),
    ...fetches.map((text) => ['fetches', text] as const),
    ...writes.map((text) => ['writes', text] as const),
    ...reads.map((text) => ['reads', text] as const),
  ]
  return (
    <ul class="would-do">
      {lines.length === 0 && <li>{question.target ? <LongText text={question.target} /> : 'Declares no effects.'}</li>}
      {lines.map(([verb, text]) => (
        <li key={`${verb} ${text}`}>
          <b>{verb}</b>{' '}
          <code>
            <LongText text={text} max={2000} lines={40} />
          </code>{' '}
          <Place question={question} path={text} />
        </li>
      ))}
      {question.steps?.map((line, index) => (
        <li key={line}>
          <b>step {index + 1}</b> <LongText text={line} max={2000} lines={10} />
        </li>
      ))}
      {question.sandbox !== undefined && (
        <li class="dim">
          sandbox: <LongText text={question.sandbox} />
        </li>
      )}
    </ul>
  )
}

function Place({ question, path }: { readonly question: QuestionDetail; readonly path: string }) {
  const place = question.places.find((one) => one.path === path)
  if (place === undefined) return null
  return (
    <span class="dim">
      {place.exists === false && 'new '}
      {place.real !== undefined && place.real !== `${question.workspace}/${path}` && (
        <>
          really <LongText text={place.real} max={200} />
        </>
      )}{' '}
      {place.problem !== undefined && (
        <span class="no">
          ✕ <LongText text={place.problem} />
        </span>
      )}
    </span>
  )
}

interface OutcomeProps {
  readonly id: string
  readonly ended: QuestionList['ended'][number] | undefined
  readonly isOver: boolean
  readonly onNext: () => void
}

/** In place of the buttons: what came of it, also for the second person to arrive. */
function OutcomeBar({ id, ended, isOver, onNext }: OutcomeProps) {
  const outcome = outcomes.value[id]
  if (outcome === undefined && !isOver) return null
  const isGood = outcome === undefined ? ended?.answer === 'yes' : /approved|recorded/.test(outcome.result)
  return (
    <div class="answer-bar">
      {/* Focus would be lost with the button that was pressed. */}
      <p role="status" tabIndex={-1} ref={(element) => outcome && element?.focus()} class={isGood ? 'ok' : 'no'}>
        {isGood ? '✓' : '✕'}{' '}
        <bdi>
          {outcome?.message ??
            (ended === undefined
              ? 'This question has ended.'
              : ended.answer === 'expired'
                ? 'Nobody answered in time. The call was refused.'
                : `${ended.by ?? 'Somebody'} said ${ended.answer} first. Nothing is left to answer.`)}
        </bdi>{' '}
        {outcome?.callId !== undefined && <a href={toAddress('calls', outcome.callId)}>Show the call</a>}
      </p>
      <div class="actions">
        <button type="button" onClick={onNext}>
          Next question <kbd>j</kbd>
        </button>
      </div>
    </div>
  )
}

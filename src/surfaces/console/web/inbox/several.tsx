import { useState } from 'preact/hooks'
import type { QuestionDetail, QuestionRow } from '../../api/questions.ts'
import { toPath, useRequest } from '../api.ts'
import { ErrorNote } from '../parts/error-note.tsx'
import { LongText } from '../parts/long-text.tsx'
import { notify, notifyError } from '../parts/notice.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { toAddress } from '../router.ts'
import { sendAnswer, useArmed } from './answer.ts'
import { Details } from './question.tsx'

/** Answers several questions at once: what each would do stands above the buttons, in full when opened. No keys: only buttons. */
export function Several({
  questions,
  onDone,
}: {
  readonly questions: readonly QuestionRow[]
  readonly onDone: () => void
}) {
  const isArmed = useArmed(questions.map((question) => question.id).join())
  const [isSending, setSending] = useState(false)
  async function answer(choice: 'yes' | 'no'): Promise<void> {
    setSending(true)
    try {
      const outcomes = await sendAnswer({ ids: questions.map((question) => question.id), answer: choice })
      const isDone = (result: string) => /approved|denied|recorded/.test(result)
      const done = outcomes.filter((outcome) => isDone(outcome.result))
      if (done.length > 0) {
        const callId = done.find((outcome) => outcome.callId !== undefined)?.callId
        const href = callId === undefined ? undefined : toAddress('calls', done.length === 1 ? callId : null)
        notify(`${choice === 'yes' ? 'Approved' : 'Denied'} ${done.length} of ${questions.length}.`, { href })
      }
      for (const outcome of outcomes) if (!isDone(outcome.result)) notify(outcome.message, { kind: 'no' })
      onDone()
    } catch (error) {
      notifyError(error)
    }
    setSending(false)
  }
  const isReady = isArmed && !isSending
  return (
    <section class="question several" aria-label="Selected questions">
      <div class="question-body">
        <h2>{questions.length} selected</h2>
        <ul>
          {questions.map((question) => (
            <li key={question.id}>
              <Line question={question} />
            </li>
          ))}
        </ul>
      </div>
      <div class="answer-bar">
        <div class="actions">
          <button type="button" disabled={!isReady} onClick={() => void answer('no')}>
            Deny {questions.length}
          </button>
          <button type="button" disabled={!isReady} onClick={() => void answer('yes')}>
            Approve {questions.length} once
          </button>
          <button type="button" class="small" onClick={onDone}>
            Clear the selection
          </button>
        </div>
      </div>
    </section>
  )
}

function Line({ question }: { readonly question: QuestionRow }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <b>
          <LongText text={question.tool} max={80} />
        </b>{' '}
        <span class="dim">for</span> <LongText text={question.caller} max={60} />: <LongText text={question.target} />
      </summary>
      {isOpen && <Full id={question.id} />}
    </details>
  )
}

function Full({ id }: { readonly id: string }) {
  const { data, error } = useRequest<QuestionDetail>(toPath(['questions', id]))
  if (error) return <ErrorNote error={error} />
  return data ? <Details question={data} /> : <Skeleton rows={3} />
}

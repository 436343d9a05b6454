import { useState } from 'preact/hooks'
import type { QuestionDetail } from '../../api/questions.ts'
import type { RuleInput } from '../../api/rules.ts'
import { type ApiError, mayApprove, session, toApiError } from '../api.ts'
import { ErrorNote } from '../parts/error-note.tsx'
import { useKeys } from '../shell/keys.ts'
import { sendAnswer, toShown, useArmed } from './answer.ts'
import { RuleOffers, usePreview } from './rule-offers.tsx'

const proposeAfter = 3

/** The answers to one question. No button has the focus by itself, and none works before the question could be read. */
export function AnswerBar({ question }: { readonly question: QuestionDetail }) {
  const isArmed = useArmed(toShown(question))
  const [isSending, setSending] = useState(false)
  const [isRuleOpen, setRuleOpen] = useState(false)
  const [error, setError] = useState<ApiError>()
  const offer = question.offers[0]
  const hasSaidYes = question.approvedBy.includes(session.value?.person ?? '')
  const mayAnswer = mayApprove() && question.refusal === undefined
  const mayAdd = offer !== undefined && !hasSaidYes
  const isReady = mayAnswer && isArmed && !isSending
  const preview = usePreview(mayAnswer && offer ? { tool: offer.tool, pattern: offer.pattern, action: 'allow' } : null)

  async function answer(choice: 'yes' | 'no', rule?: RuleInput): Promise<void> {
    if (!isReady) return
    setSending(true)
    setError(undefined)
    try {
      await sendAnswer({ ids: [question.id], answer: choice, ...(rule && { rule }) })
    } catch (failure) {
      setError(toApiError(failure))
    }
    setSending(false)
  }
  useKeys([
    { key: 'n', about: 'deny', run: () => void answer('no') },
    { key: 'y', about: 'approve once', run: () => !hasSaidYes && !isRuleOpen && void answer('yes') },
    { key: 'r', about: 'approve and add a rule', run: () => mayAdd && mayAnswer && setRuleOpen(!isRuleOpen) },
  ])

  if (!mayAnswer) {
    return (
      <div class="answer-bar">
        <p>
          <bdi>
            {question.refusal ??
              'You may look at questions, but not answer them. To answer, sign in with `toolpact open`.'}
          </bdi>
        </p>
      </div>
    )
  }
  return (
    <div class="answer-bar">
      {error && <ErrorNote error={error} />}
      <People question={question} hasSaidYes={hasSaidYes} />
      {question.sameApproved >= proposeAfter && mayAdd && !isRuleOpen && (
        <p class="note ask">
          The same call was approved {question.sameApproved} times. A rule would answer it from now on:{' '}
          <code>{(offer.short ?? offer.about).slice(0, 80)}</code>{' '}
          <button type="button" class="small" onClick={() => setRuleOpen(true)}>
            Review the rule
          </button>
        </p>
      )}
      {isRuleOpen && mayAdd ? (
        <RuleOffers
          question={question}
          isReady={isReady}
          onSave={(rule) => void answer('yes', rule)}
          onCancel={() => setRuleOpen(false)}
        />
      ) : (
        <>
          <div class="actions">
            <button type="button" disabled={!isReady} onClick={() => void answer('no')}>
              Deny <kbd>n</kbd>
            </button>
            {!hasSaidYes && (
              <button type="button" disabled={!isReady} onClick={() => void answer('yes')}>
                Approve once <kbd>y</kbd>
              </button>
            )}
            {mayAdd && (
              <button type="button" disabled={!isReady} onClick={() => setRuleOpen(true)}>
                Approve and add rule… <kbd>r</kbd>
              </button>
            )}
            {isSending && <span role="status">Sending…</span>}
          </div>
          {preview.data && offer && (
            <p class="dim cut">
              Rule <code>{(offer.short ?? offer.about).slice(0, 80)}</code>: <bdi>{preview.data.text}</bdi>
            </p>
          )}
        </>
      )}
    </div>
  )
}

function People({ question, hasSaidYes }: { readonly question: QuestionDetail; readonly hasSaidYes: boolean }) {
  const { approvedBy, peopleNeeded } = question
  if (peopleNeeded < 2) return null
  const left = peopleNeeded - approvedBy.length
  return (
    <p>
      <b>{peopleNeeded} people must say yes.</b>{' '}
      {approvedBy.length > 0 && (
        <>
          So far: <bdi>{approvedBy.join(', ')}</bdi>.{' '}
        </>
      )}
      {hasSaidYes ? `You did; ${left} more must.` : `${left} more must.`}
    </p>
  )
}

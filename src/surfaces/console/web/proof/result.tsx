import { escapeHidden } from '../../../../contract/text/hidden-characters.ts'
import type { ProofStep } from '../../../../runtime/storage/proof/proof-file.ts'
import { plural } from '../parts/format.ts'
import { LongText } from '../parts/long-text.tsx'
import type { Verification } from './verify.ts'

const maxSteps = 24

/** Each check with its result, and what all of them mean. */
export function Result({ result: { steps, verdict } }: { readonly result: Verification }) {
  // The last is the one that failed, if one did.
  const shown = steps.length > maxSteps ? [...steps.slice(0, maxSteps - 1), steps.at(-1)!] : steps
  return (
    <div class="block">
      <ol class="stages">
        {shown.map((step, n) => (
          <li key={n}>
            <span class={step.passed ? 'ok' : 'no'}>{step.passed ? '✓' : '✕'}</span> <Step step={step} />
          </li>
        ))}
      </ol>
      {steps.length > maxSteps && <p class="dim">{plural(steps.length - maxSteps, 'more check')} passed.</p>}
      {verdict.valid ? (
        <p class="note ok">
          ✓ Verified in this browser: the ledger{' '}
          {verdict.kind === 'call'
            ? `contained ${plural(verdict.records.length, 'record')} of this call when it had ${plural(verdict.size, 'entry', 'entries')}.`
            : `of ${plural(verdict.size, 'entry', 'entries')} begins with the ${verdict.from} of the earlier checkpoint.`}
        </p>
      ) : (
        <p class="note no" role="alert">
          ✕ Refused: <Foreign text={verdict.reason} />
        </p>
      )}
    </div>
  )
}

function Step({ step }: { readonly step: ProofStep }) {
  const not = step.passed ? '' : 'not '
  if (step.check === 'signature')
    return (
      <>
        The checkpoint of {plural(step.size, 'entry', 'entries')} of <Foreign text={step.origin} /> is {not}signed by{' '}
        {step.passed ? <Foreign text={step.signedBy.join(', ')} /> : 'the given key'}.
      </>
    )
  if (step.check === 'consistency')
    return (
      <>
        The tree of {step.size} {step.passed ? 'begins' : 'does not begin'} with the tree of {step.from}.
      </>
    )
  if (step.check === 'call')
    return (
      <>
        Entry {step.seq} is {not}a record of the call.
      </>
    )
  return (
    <>
      Entry {step.seq}: its hash <code title={step.hash}>{step.hash.slice(0, 12)}</code>{' '}
      {step.passed ? 'leads' : 'does not lead'} to the signed root from position {step.index}.
    </>
  )
}

/** Text of a file that came from elsewhere, with hidden characters made visible. */
export function Foreign({
  text,
  max = 200,
  lines,
}: {
  readonly text: string
  readonly max?: number
  readonly lines?: number
}) {
  return <LongText text={escapeHidden(text, 'code')} max={max} lines={lines} />
}

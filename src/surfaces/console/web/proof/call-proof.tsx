import { useEffect, useState } from 'preact/hooks'
import type { CallStory } from '../../api/calls.ts'
import type { KeyResponse, ProofResponse, SealResponse } from '../../api/proof.ts'
import { type ApiError, get, toApiError, toPath, useRequest } from '../api.ts'
import { ErrorNote } from '../parts/error-note.tsx'
import { Fact } from '../parts/fact.tsx'
import { plural } from '../parts/format.ts'
import { RelativeTime } from '../parts/time.tsx'
import { toAddress } from '../router.ts'
import { overview } from '../stream/stream.ts'
import { LedgerCheck } from './ledger-check.tsx'
import { Result } from './result.tsx'
import { type Verification, verifyHere } from './verify.ts'

const lookAgainMs = 3000

/** Whether a call is sealed, its proof file, and the verification of that file in this browser. */
export default function CallProof({ story }: { readonly story: CallStory }) {
  const isSealing = overview.value?.seal !== undefined
  return (
    <>
      <h3>Proof</h3>
      {isSealing && <Seal story={story} />}
      <LedgerCheck />
    </>
  )
}

function Seal({ story }: { readonly story: CallStory }) {
  const { callId } = story.call
  const { data, error, reload } = useRequest<SealResponse>(toPath(['calls', callId, 'seal']), [story.entries.length])
  const [state, setState] = useState<Verification | ApiError | 'running'>()
  const isSealed = data?.entries.every((entry) => entry.isSealed) ?? false
  useEffect(() => {
    if (isSealed || !data) return
    const timer = setTimeout(reload, lookAgainMs)
    return () => clearTimeout(timer)
  }, [data])

  async function run(use: (file: string) => Promise<Verification | undefined>): Promise<void> {
    setState('running')
    try {
      const { text } = await get<ProofResponse>(toPath(['calls', callId, 'proof']))
      setState(await use(text))
      reload()
    } catch (failure) {
      setState(toApiError(failure))
    }
  }
  const verify = (file: string) =>
    get<KeyResponse>('ledger/key').then(async ({ publicKey }) => compare(story, await verifyHere(file, publicKey)))
  const download = async (file: string): Promise<undefined> => save(`proof-${callId.slice(0, 8)}.json`, file)

  return (
    <>
      {error && <ErrorNote error={error} retry={reload} />}
      {data && (
        <dl class="fields">
          <Fact name="Seal">{isSealed ? `✓ sealed, ${toPlaces(data)}` : 'not yet: the next checkpoint covers it'}</Fact>
          <Fact name="Checkpoint">
            {data.checkpoint ? (
              <>
                {plural(data.checkpoint.size, 'entry', 'entries')}, signed <RelativeTime at={data.checkpoint.at} />
              </>
            ) : (
              'none so far'
            )}
          </Fact>
        </dl>
      )}
      <div class="verify">
        <button type="button" disabled={state === 'running'} onClick={() => void run(verify)}>
          Verify in this browser
        </button>
        <button type="button" disabled={state === 'running'} onClick={() => void run(download)}>
          Download the proof
        </button>
      </div>
      <div role="status">
        {state instanceof Error && <ErrorNote error={state} />}
        {typeof state === 'object' && 'verdict' in state && (
          <>
            <Result result={state} />
            <p class="dim">
              With the key that this server names. To rely on nothing that it says, download the proof and verify it
              with a key from the owner of the ledger, on the page <a href={toAddress('proof')}>Proof</a> of another
              server or with <code>toolpact verify</code>.
            </p>
          </>
        )}
      </div>
    </>
  )
}

/** The proof must be of the entries that the page shows. */
function compare(story: CallStory, result: Verification): Verification {
  if (!result.verdict.valid) return result
  const proven = new Map(result.steps.flatMap((step) => (step.check === 'inclusion' ? [[step.seq, step.hash]] : [])))
  const other = story.entries.find(({ seq, hash }) => !hash.endsWith(proven.get(seq) ?? ' '))
  if (!other) return result
  return { ...result, verdict: { valid: false, reason: `The proof does not contain entry ${other.seq} as it is shown above.` } } // biome-ignore format: one line
}

function toPlaces({ entries }: SealResponse): string {
  const [first, last] = [entries[0]!.index, entries.at(-1)!.index]
  return first === last ? `position ${first} of the tree` : `positions ${first} to ${last} of the tree`
}

function save(name: string, text: string): undefined {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

import { useRef, useState } from 'preact/hooks'
import { maxProofCharacters } from '../../../../runtime/storage/proof/proof-file.ts'
import type { KeyResponse } from '../../api/proof.ts'
import { type ApiError, get, toApiError } from '../api.ts'
import { ErrorNote } from '../parts/error-note.tsx'
import { countBytes, formatBytes } from '../parts/format.ts'
import { Foreign, Result } from './result.tsx'
import { type Verification, verifyHere } from './verify.ts'

const maxRecords = 20

/** Verifies a file that is chosen or dropped. It stays in the browser. */
export function ProofFileForm({ isSealing }: { readonly isSealing: boolean }) {
  const [file, setFile] = useState<{ readonly name: string; readonly text: string }>()
  const [key, setKey] = useState('')
  const [result, setResult] = useState<Verification | ApiError>()
  const last = useRef(0)

  async function take(files: FileList | null | undefined): Promise<void> {
    const [given] = files ?? []
    if (!given) return
    const turn = begin()
    setFile(undefined)
    const text = given.size > maxProofCharacters ? '' : await given.text()
    if (turn === last.current) setFile({ name: given.name, text })
  }
  function changeKey(text: string): void {
    begin()
    setKey(text)
  }
  async function verify(text: string): Promise<void> {
    const turn = begin()
    const found = await verifyHere(text, key)
    if (turn === last.current) setResult(found)
  }
  /** What was found belongs to the file and the key on screen alone. */
  function begin(): number {
    setResult(undefined)
    return ++last.current
  }

  return (
    <form
      class="form"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        void take(event.dataTransfer?.files)
      }}
      onSubmit={(event) => {
        event.preventDefault()
        if (file) void verify(file.text)
      }}
    >
      <h2>Verify a proof file</h2>
      <p class="dim">
        In this browser alone: nothing is sent. A file comes from <code>toolpact ledger prove</code>, or from the story
        of a call.
      </p>
      <div class="field">
        <label for="proof-file">Proof file: choose it, or drop it here</label>
        <input
          id="proof-file"
          type="file"
          accept=".json,application/json"
          // Otherwise a file that was chosen again after a change would not be read.
          onClick={(event) => (event.currentTarget.value = '')}
          onChange={(event) => void take(event.currentTarget.files)}
        />
        {file && (
          <p class="dim">
            <Foreign text={file.name} max={80} />, {formatBytes(countBytes(file.text))}
          </p>
        )}
      </div>
      <div class="field">
        <label for="proof-key">Public key of its ledger</label>
        <p class="dim about" id="proof-key-about">
          As <code>toolpact ledger key</code> prints it, or in PEM. Get it from the owner of the ledger, not from the
          file.
        </p>
        <textarea
          id="proof-key"
          class="mono wide grows"
          rows={2}
          spellcheck={false}
          aria-describedby="proof-key-about"
          value={key}
          onInput={(event) => changeKey(event.currentTarget.value)}
        />
      </div>
      <div class="actions">
        <button type="submit" class="primary" disabled={!file || key.trim() === ''}>
          Verify
        </button>
        {isSealing && (
          <button
            type="button"
            onClick={() =>
              void get<KeyResponse>('ledger/key').then(
                ({ publicKey }) => changeKey(publicKey),
                (failure) => setResult(toApiError(failure)),
              )
            }
          >
            Use the key of this server
          </button>
        )}
      </div>
      <div role="status">
        {result instanceof Error && <ErrorNote error={result} />}
        {result && 'verdict' in result && (
          <>
            <Result result={result} />
            <Records result={result} />
          </>
        )}
      </div>
    </form>
  )
}

/** What was proven. Only a verified file is worth reading. */
function Records({ result: { verdict } }: { readonly result: Verification }) {
  if (!verdict.valid || verdict.kind !== 'call') return null
  return (
    <section class="block">
      <h3>
        Records of the call <Foreign text={verdict.call} max={60} />
      </h3>
      {verdict.records.slice(0, maxRecords).map((record, n) => (
        <div key={n} class="evidence mono">
          <Foreign text={JSON.stringify(record, null, 2)} max={4000} lines={60} />
        </div>
      ))}
      {verdict.records.length > maxRecords && <p class="dim">The first {maxRecords}. All of them are in the file.</p>}
    </section>
  )
}

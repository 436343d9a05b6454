import { randomUUID } from 'node:crypto'
import type { ProofStore, StoredCheckpoint } from '../../runtime/storage/proof/proof-store.ts'
import type { Signer } from '../../runtime/storage/proof/sealer.ts'
import type { Storage } from '../../runtime/storage/storage.ts'

interface SealingOptions {
  readonly signer: () => Promise<Signer>
  /** Receives a line for the operator when sealing fails, and when it works again. */
  readonly report: (message: string) => void
  /** Milliseconds between two checkpoints. */
  readonly everyMs?: number
}

const usualEveryMs = 5000

/**
 * Seals the ledger while it is open: a checkpoint every few seconds if there is something new, and one when it is closed. Calls
 * never wait for it. A process that is killed leaves its entries to the next one.
 */
export function withSealing(
  storage: Storage & { readonly proof: ProofStore },
  { signer, report, everyMs = usualEveryMs }: SealingOptions,
): Storage {
  const { ledger, proof } = storage
  const holder = randomUUID()
  let running: Promise<unknown> = Promise.resolve()
  let opened: Promise<Signer> | undefined
  let isFailing = false
  let isClosed = false

  function openSigner(): Promise<Signer> {
    opened ??= signer()
    opened.catch(() => {
      opened = undefined
    })
    return opened
  }

  async function sealOnce(isLast: boolean): Promise<StoredCheckpoint | undefined> {
    try {
      if (!(await hasNew())) return undefined
      const { seal } = await import('../../runtime/storage/proof/sealer.ts')
      const checkpoint = await seal(
        { store: proof, signer: openSigner, holder },
        { durable: false, ignoreLease: isLast },
      )
      if (isFailing) report('The ledger is sealed again.')
      isFailing = false
      return checkpoint
    } catch (error) {
      if (!isFailing) report(`The ledger was not sealed: its newest entries are recorded, but no checkpoint covers them. ${(error as Error).message}`) // biome-ignore format: one line
      isFailing = true
      return undefined
    }
  }

  async function hasNew(): Promise<boolean> {
    const { seq } = await ledger.head()
    const [last] = await proof.checkpoints({ limit: 1 })
    return seq > (await proof.base()) + (last?.size ?? 0)
  }

  const timer = setInterval(() => {
    running = running.then(() => (isClosed ? undefined : sealOnce(false)))
  }, everyMs).unref()

  return {
    ...storage,
    async close() {
      if (!isClosed) {
        isClosed = true
        clearInterval(timer)
        await running
        await sealOnce(true)
      }
      await storage.close()
    },
  }
}

import { randomUUID } from 'node:crypto'
import type { ProofStore, StoredCheckpoint } from '../../runtime/storage/proof/proof-store.ts'
import type { Signer } from '../../runtime/storage/proof/sealer.ts'
import type { Ledger, Storage } from '../../runtime/storage/storage.ts'
import type { PlaceStatus, Publisher } from './publisher.ts'

/** Whether checkpoints are made and reach their places, for health checks and operators. */
export interface SealingStatus {
  /** Entries that the newest checkpoint of this process covers; null before the first. */
  readonly size: number | null
  /** Milliseconds since 1970. */
  readonly lastSealedAt: number | null
  /** Why the last attempt failed; null if it did not. For operators only. */
  readonly fault: string | null
  readonly places: readonly PlaceStatus[]
}

export interface Sealing {
  /** Seals what is new. Rejects if that fails, unless the state is only read. */
  sealNow(): Promise<void>
  status(): SealingStatus
}

interface SealingOptions {
  readonly signer: () => Promise<Signer>
  /** Sends checkpoints to where they are kept; undefined if nowhere. */
  readonly publisher: (() => Promise<Publisher>) | undefined
  /** Receives a line for the operator when sealing fails, and when it works again. */
  readonly report: (message: string) => void
  /** Milliseconds between two checkpoints, and between two looks for entries of other processes while there is nothing new. */
  readonly everyMs?: number
  readonly rarelyMs?: number
  /**
   * `open`: while it is open, and when it is closed. `due`: the same, but closing leaves new entries to the next process if the
   * last checkpoint is recent. `asked`: only with `sealNow`. Default: `open`.
   */
  readonly when?: 'open' | 'due' | 'asked'
}

const usualEveryMs = 5000
/** An idle process wakes up rarely. */
const usualRarelyMs = 20_000
/** Sealing takes 8 ms, which one command in a minute may take. */
const dueAfterMs = 60_000

/**
 * Seals the ledger while it is open: a checkpoint every few seconds if there is something new, and one when it is closed. Calls
 * never wait for it. A process that is killed, or a short one, leaves its entries to the next one.
 */
export function withSealing(
  storage: Storage & { readonly proof: ProofStore },
  { signer, publisher, report, everyMs = usualEveryMs, rarelyMs = usualRarelyMs, when = 'open' }: SealingOptions,
): Storage & { readonly sealing: Sealing } {
  const { ledger, proof } = storage
  const holder = randomUUID()
  const status = { size: null as number | null, lastSealedAt: null as number | null, fault: null as string | null }
  let running: Promise<unknown> = Promise.resolve()
  let opened: Promise<Signer> | undefined
  let publishing: Promise<Publisher> | undefined
  let places: () => PlaceStatus[] = () => []
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  /** The last look found nothing new, and this process has recorded nothing since it began. */
  let isIdle = false
  let isNew = false

  function openSigner(): Promise<Signer> {
    opened ??= signer()
    opened.catch(() => {
      opened = undefined
    })
    return opened
  }

  function openPublisher(): Promise<Publisher> | undefined {
    publishing ??= publisher?.().then((opened) => {
      places = opened.status
      return opened
    })
    publishing?.catch(() => {
      publishing = undefined
    })
    return publishing
  }

  async function seal(isForced: boolean): Promise<StoredCheckpoint | undefined> {
    const [last] = await proof.checkpoints({ limit: 1 })
    const { seq } = await ledger.head()
    if (seq <= (await proof.base()) + (last?.size ?? 0)) return last
    isNew = true
    const { seal } = await import('../../runtime/storage/proof/sealer.ts')
    const options = { durable: publisher !== undefined, ignoreLease: isForced }
    const checkpoint = await seal({ store: proof, signer: openSigner, holder }, options)
    if (checkpoint && checkpoint.size !== last?.size)
      Object.assign(status, { size: checkpoint.size, lastSealedAt: checkpoint.at })
    return checkpoint
  }

  async function trySeal(isLast: boolean): Promise<StoredCheckpoint | undefined> {
    try {
      const checkpoint = await seal(isLast)
      if (checkpoint && !isLast) (await openPublisher())?.publish(checkpoint)
      if (status.fault !== null) report('The ledger is sealed again.')
      status.fault = null
      return checkpoint
    } catch (error) {
      const { message } = error as Error
      if (status.fault === null) report(`The ledger was not sealed: its newest entries are recorded, but no checkpoint covers them. ${message}`) // biome-ignore format: one line
      status.fault = message
      isNew = true
      return undefined
    }
  }

  function sealIn(ms: number) {
    clearTimeout(timer)
    timer = setTimeout(sealLater, ms).unref()
  }

  function sealLater() {
    isNew = false
    running = running.then(async () => {
      if (isClosed) return
      await trySeal(false)
      isIdle = !isNew
      if (!isClosed) sealIn(isIdle ? rarelyMs : everyMs)
    })
  }

  const append: Ledger['append'] = (record, options) => {
    isNew = true
    if (isIdle) {
      isIdle = false
      sealIn(everyMs)
    }
    return ledger.append(record, options)
  }

  if (when !== 'asked') sealIn(everyMs)

  /** Checkpoints that are kept elsewhere never wait. */
  async function isDue(): Promise<boolean> {
    if (when === 'open' || publisher) return true
    const [last] = await proof.checkpoints({ limit: 1 }).catch(() => [])
    return !last || Math.abs(Date.now() - last.at) > dueAfterMs
  }

  /** A process that sealed nothing, such as one that only listed something, sends nothing either. */
  async function finish() {
    clearTimeout(timer)
    await running
    if (when === 'asked' || !(await isDue())) return
    const before = status.size
    const last = await trySeal(true)
    if (!last || (!publishing && status.size === before)) return
    const opened = await openPublisher()?.catch((error: Error) => {
      report(`No checkpoint was sent. ${error.message}`)
      return undefined
    })
    await opened?.close(last)
  }

  return {
    ...storage,
    ledger: { ...ledger, append },
    sealing: {
      async sealNow() {
        const sealed = running.then(() => seal(true))
        running = sealed.catch(() => {})
        // A state that is only read may be on a disk that cannot be written.
        await (when === 'asked' ? running : sealed)
      },
      status: () => ({ ...status, places: places() }),
    },
    async close() {
      if (!isClosed) {
        isClosed = true
        await finish()
      }
      await storage.close()
    },
  }
}

import type { Sent } from './post.ts'

export interface ExportQueueOptions<Item> {
  /** Never rejects. Must not try again once `hurry` is aborted. */
  readonly send: (items: readonly Item[], hurry: AbortSignal) => Promise<Sent>
  /** Items that wait. Newer ones are dropped. */
  readonly maxQueue: number
  readonly maxBatch: number
  readonly everyMs: number
  readonly onSent: (sent: Sent) => void
  readonly onDrop: (count: number) => void
}

/** Sends items in batches, one batch at a time. Memory is bounded: what does not fit is dropped and counted. */
export class ExportQueue<Item> {
  readonly #options: ExportQueueOptions<Item>
  readonly #hurry = new AbortController()
  #items: Item[] = []
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined

  constructor(options: ExportQueueOptions<Item>) {
    this.#options = options
  }

  add(item: Item) {
    const { maxQueue, maxBatch, everyMs, onDrop } = this.#options
    if (this.#hurry.signal.aborted || this.#items.length >= maxQueue) return onDrop(1)
    this.#items.push(item)
    if (this.#sending) return
    if (this.#items.length >= maxBatch) this.#send()
    else this.#timer ??= setTimeout(() => this.#send(), everyMs).unref()
  }

  /** Sends what is left, until a batch fails, and drops the rest. */
  async close(): Promise<void> {
    this.#hurry.abort()
    if (!this.#sending && this.#items.length > 0) this.#send()
    await this.#sending
    this.#options.onDrop(this.#items.length)
    this.#items = []
  }

  #send() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#sending = this.#sendAll().finally(() => {
      this.#sending = undefined
      if (this.#items.length > 0 && !this.#hurry.signal.aborted) this.#send()
    })
  }

  async #sendAll() {
    const { send, maxBatch, onSent, onDrop } = this.#options
    do {
      const batch = this.#items.splice(0, maxBatch)
      const sent = await send(batch, this.#hurry.signal)
      onSent(sent)
      onDrop(sent.ok ? Math.min(sent.rejected, batch.length) : batch.length)
      // A collector that is gone would cost its timeout for each batch.
      if (!sent.ok && this.#hurry.signal.aborted) return
    } while (this.#items.length > 0)
  }
}

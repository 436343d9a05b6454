import { hash } from 'node:crypto'
import type { Database } from './database.ts'
import { journalKeyVersion } from './later-schema.ts'

/** Authenticates lines of journals. */
export interface JournalKey {
  /** Names the key without revealing it. */
  readonly id: string
  toMac(text: string): string
  /** What is hashed before the text. */
  readonly inner: string
  /** The MAC of text in UTF-8, with `inner` before it. */
  toMacOf(innerAndText: Uint8Array): string
}

export interface JournalKeys {
  /** The key for new lines; undefined while there is none. Then records are committed instead. */
  readonly current: JournalKey | undefined
  /** Whether `current` changes no more by loading. */
  readonly isSettled: boolean
  /** Before a new file: another process may have begun to use another key. */
  refresh(): void
  /** Loads a key that is kept elsewhere. Never rejects. */
  load(): Promise<void>
}

/** Loads a secret that is not in the state directory; undefined if this process has none. */
export type LoadJournalSecret = (ledgerId: string) => Promise<Uint8Array | undefined>

/**
 * The key of the journals: by default one that was created with the database. If a secret is kept elsewhere, only lines made
 * with it count, and processes that do not have it use no journal.
 */
export function openJournalKeys(database: Database, loadSecret?: LoadJournalSecret): JournalKeys {
  let own: JournalKey | undefined
  let isAllowed = false
  let loading: Promise<void> | undefined
  let isSettled = loadSecret === undefined

  function refresh() {
    if (database.version < journalKeyVersion) return
    const row = database.sql('SELECT secret, used FROM journal_key WHERE id = 1').get()
    if (!row) return
    if (!loadSecret) own ??= toJournalKey(row.secret as Uint8Array)
    isAllowed = loadSecret !== undefined || row.used === null
  }

  async function loadElsewhere() {
    const ledgerId = database.sql('SELECT ledger FROM ledger_origin WHERE id = 1').get()?.ledger as string
    const secret = await loadSecret!(ledgerId)
    const key = secret && toJournalKey(secret)
    own = key
    isAllowed = true
    // From now on, processes with the key of the database commit their records instead.
    const change = 'UPDATE journal_key SET used = ?1 WHERE id = 1 AND used IS NOT ?1'
    database.sql(change).run(key?.id ?? 'none')
  }

  refresh()
  return {
    get current() {
      if (loadSecret && !loading) void this.load()
      return isAllowed ? own : undefined
    },
    get isSettled() {
      return isSettled
    },
    refresh,
    load() {
      // Without the secret, records are committed, and sealing reports what is wrong. A state that is only read is not changed.
      loading ??= loadSecret ? loadElsewhere().catch(() => {}) : Promise.resolve()
      return loading.finally(() => {
        isSettled = true
      })
    },
  }
}

/** HMAC with two keys (NMAC): two one-shot hashes take 1 µs, and `createHmac` 1.7 µs, a tenth of an append more. */
function toJournalKey(secret: Uint8Array): JournalKey {
  const text = Buffer.from(secret).toString('hex')
  const [inner, outer, name] = ['inner', 'outer', 'name'].map((purpose) => hash('sha256', `${purpose} ${text}`)) as [string, string, string] // biome-ignore format: one line
  const toMacOf = (hashed: Uint8Array | string) => hash('sha256', outer + hash('sha256', hashed), 'base64url')
  return { id: name.slice(0, 8), toMac: (text) => toMacOf(inner + text), inner, toMacOf }
}

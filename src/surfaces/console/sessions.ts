import { createHash } from 'node:crypto'
import type { JsonValue } from '../../contract/json.ts'
import type { Notes } from '../../runtime/storage/storage.ts'

/** Who is signed in, and with what. */
interface SignedIn {
  readonly name: string
  readonly rights: readonly string[]
  /** Of the console's token when the link was made. */
  readonly tokenDigest: string
}

type Kept = SignedIn & { readonly hash: string; readonly until: number }

interface SessionsOptions {
  readonly lastsMs: number
  readonly now: () => number
  /** Where they outlive this process, by the port of the server. Absent: in memory only. */
  readonly kept?: { readonly notes: Notes; readonly port: number }
}

const maxKept = 64

/**
 * Who is signed in, by a secret of which only the hash is kept. Above the limit, the oldest ends. While the storage fails,
 * people can still sign in to see why: their sessions then end with this process, unless a later change is stored.
 */
export function createSessions({ lastsMs, now, kept }: SessionsOptions) {
  let known: Map<string, Kept> | undefined
  let saving = Promise.resolve()

  async function load(): Promise<Map<string, Kept>> {
    if (known) return known
    const stored = kept ? await readNote(kept.notes) : []
    known ??= new Map(stored.filter(({ port }) => port === kept!.port).map(({ port: _, ...one }) => [one.hash, one]))
    return known
  }

  /** Other servers with the same storage keep their own sessions in the same note. */
  function save(): Promise<void> {
    if (!kept) return saving
    const store = async () => {
      const others = (await readNote(kept.notes)).filter(({ port, until }) => port !== kept.port && until > now())
      const own = [...known!.values()].filter(({ until }) => until > now()).map((one) => ({ port: kept.port, ...one }))
      await kept.notes.set(noteKey, [...others.slice(-maxKept), ...own] as unknown as JsonValue)
    }
    saving = saving.then(store, store)
    return saving
  }

  return {
    async add(secret: string, { name, rights, tokenDigest }: SignedIn): Promise<void> {
      const all = await load().catch(() => (known ??= new Map()))
      if (all.size >= maxKept) all.delete(all.keys().next().value!)
      const hash = toHash(secret)
      all.set(hash, { name, rights, tokenDigest, hash, until: now() + lastsMs })
      await save().catch(() => {})
    },
    async find(secret: string): Promise<SignedIn | undefined> {
      const found = (await load()).get(toHash(secret))
      return found && now() < found.until ? found : undefined
    },
    /** Returns it, and ends it: only one of two callers gets it. */
    async take(secret: string): Promise<SignedIn | undefined> {
      const all = await load()
      const found = all.get(toHash(secret))
      if (!found) return undefined
      all.delete(found.hash)
      await save()
      return now() < found.until ? found : undefined
    },
  }
}

const noteKey = 'console-sessions'

async function readNote(notes: Notes): Promise<(Kept & { readonly port: number })[]> {
  return ((await notes.get(noteKey)) ?? []) as unknown as (Kept & { readonly port: number })[]
}

/** Looked up by hash, so that timing reveals nothing about the secret. */
function toHash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

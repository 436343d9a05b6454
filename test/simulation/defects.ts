import { openMemoryStorage } from '../../src/runtime/storage/memory/memory.ts'
import type { Approval, Storage } from '../../src/runtime/storage/storage.ts'
import type { World } from './world.ts'

/** Defects that can be put in, and how the simulation reports what they break. */
export const defects = {
  limits: 'the limit hot of 5 was exceeded',
  approvals: 'the approval question',
  replies: 'the idempotency key',
  tasks: 'the task task',
  ledger: 'is in the ledger 0 times',
  retry: 'is in the ledger 2 times',
  order: 'is before an older one',
  fence: 'is in the ledger 0 times',
  standby: 'is in the ledger 0 times',
  reads: 'was read as',
  tree: 'the ledger cannot be sealed',
  leaf: 'is not one of the entries',
  runs: 'stored something for the run',
} as const

export type Defect = keyof typeof defects

/** A defect in a statement: what it guards against is no longer guarded against. */
export function toAltered(defect: Defect | undefined): (text: string) => string {
  if (defect === 'fence') return (text) => text.replace('AND NOT is_closed RETURNING writer', 'RETURNING writer')
  if (defect === 'runs') return (text) => text.replace('AND owner = $3 AND epoch = $4 AND state', "AND ($3 <> '' OR $4 > 0) AND state") // biome-ignore format: one line
  // A writer that begins another chain after a lost answer, without finding out what happened.
  if (defect === 'retry') return (text) => (text.startsWith('SELECT n, hash, is_closed') ? `${text} AND false` : text)
  return (text) => text
}

/** The engine with one promise broken. */
export function withDefect(storage: Storage, defect: Defect, world: World): Storage {
  const own = openMemoryStorage()
  const seen = new Map<string, Approval>()
  const { approvals, ledger } = storage
  const proof = storage.proof!
  const tasks = storage.tasks!
  const broken: { readonly [name in Defect]?: Partial<Storage> } = {
    limits: { counters: own.counters },
    replies: { replies: own.replies },
    approvals: {
      approvals: {
        ...approvals,
        async use(id, binding, now) {
          const used = (await approvals.use(id, binding, now)) ?? seen.get(id)
          if (used) seen.set(id, used)
          return used
        },
      },
    },
    tasks: {
      tasks: { ...tasks, claim: async (id, lease, now) => (await tasks.claim(id, lease, now)) ?? tasks.find(id, 'x', now).then((found) => found && { ...found, request: {} }) }, // biome-ignore format: one line
    },
    tree: {
      proof: {
        ...proof,
        extend: (extension) => proof.extend({ ...extension, tiles: extension.tiles.map((tile) => ({ ...tile, hashes: tile.hashes.map((byte) => byte ^ 1) })) }), // biome-ignore format: one line
      },
    },
    leaf: {
      proof: { ...proof, next: async (limit) => (await proof.next(limit)).map((leaf, index, all) => all[index ^ 1] ?? leaf) }, // biome-ignore format: one line
    },
    reads: {
      ledger: { ...ledger, read: async (query) => (await ledger.read(query)).map(({ seq, ...entry }, index, all) => ({ ...entry, seq: all[index ^ 1]?.seq ?? seq })) }, // biome-ignore format: one line
    },
    ledger: {
      ledger: {
        ...ledger,
        async append(record, how) {
          ledger.append(record, how).catch(() => {})
        },
      },
    },
    order: {
      ledger: {
        ...ledger,
        async append(record, how) {
          if (world.chance(0.9)) return ledger.append(record, how)
          world.after(world.between(1, 200), () => ledger.append(record, how).catch(() => {}))
        },
      },
    },
  }
  return { ...storage, ...broken[defect] }
}

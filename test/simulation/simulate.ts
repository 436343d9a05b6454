import { generateKeyPairSync, sign } from 'node:crypto'
import type { PGlite } from '@electric-sql/pglite'
import { openMemoryStorage } from '../../src/runtime/storage/memory/memory.ts'
import { openPostgresStorage } from '../../src/runtime/storage/postgres/postgres.ts'
import { parseCheckpoint } from '../../src/runtime/storage/proof/checkpoint.ts'
import { findRoot } from '../../src/runtime/storage/proof/proofs.ts'
import { type Signer, seal } from '../../src/runtime/storage/proof/sealer.ts'
import { toBase64 } from '../../src/runtime/storage/proof/signed-note.ts'
import type { Approval, ApprovalBinding, Storage } from '../../src/runtime/storage/storage.ts'
import { toIntent } from '../../src/runtime/storage/suite/records.ts'
import { SimulatedDatabase } from './database.ts'
import { findBroken, History, type Limit } from './history.ts'
import { type Replica, World } from './world.ts'

/** A defect that can be put in, to show that the simulation finds it. */
export const defects = ['limits', 'approvals', 'replies', 'ledger', 'tasks', 'tree'] as const

export interface SimulationOptions {
  readonly seed: number
  readonly replicas: number
  /** Of virtual time, with faults. */
  readonly seconds: number
  readonly defect?: (typeof defects)[number]
}

export interface SimulationReport {
  readonly broken: readonly string[]
  readonly entries: number
  readonly grants: number
  readonly approvals: number
  readonly claims: number
  readonly tasks: number
  readonly checkpoints: number
  /** Operations that ended with an error, because of the faults. */
  readonly failures: number
  readonly faults: { readonly [kind: string]: number }
}

const limits = new Map<string, Limit>([
  ['hot', { count: 5, windowMs: 1000 }],
  ['slow', { count: 20, windowMs: 10_000 }],
])

/**
 * Runs replicas on the storage engine for Postgres, in virtual time, while they crash, stall, lose the network, have wrong clocks, and the
 * database restarts or fails over. Then finds out whether everything that they were told is still true.
 */
export async function simulate(options: SimulationOptions, postgres: PGlite): Promise<SimulationReport> {
  const { seed, replicas, seconds } = options
  const world = new World(seed)
  const database = new SimulatedDatabase(world, postgres)
  const tenant = `seed-${seed}-${options.defect ?? ''}`
  const history = new History()
  const running = new Set<Replica>()
  const faults: { [kind: string]: number } = {}
  let started = 0
  let isOver = false

  function start() {
    const replica: Replica = { name: `r${++started}`, isAlive: true, skewMs: world.between(-2000, 2000), stalledUntil: 0, cutOffUntil: 0 } // biome-ignore format: one line
    running.add(replica)
    void world.as(replica, () => live(replica))
  }

  async function live(replica: Replica) {
    const storage = await openPatiently()
    const parts = options.defect ? withDefect(storage, options.defect) : storage
    await Promise.all(
      createWork(world, replica, { history, storage: parts, isOver: () => isOver }).map((work) => work()),
    )
    await storage.close()
    running.delete(replica)
  }

  async function openPatiently(): Promise<Storage> {
    for (;;) {
      try {
        return await openPostgresStorage({ url: '', tenant }, () => database.connect(tenant))
      } catch {
        await world.sleep(500)
      }
    }
  }

  function kill(replica: Replica) {
    replica.isAlive = false
    running.delete(replica)
    world.after(world.between(0, 3000), () => isOver || start())
  }

  const fault: { readonly [kind: string]: () => void } = {
    crash: () => kill(world.pick([...running])),
    stall: () => {
      world.pick([...running]).stalledUntil = world.now + world.between(500, 20_000)
    },
    partition: () => {
      world.pick([...running]).cutOffUntil = world.now + world.between(500, 10_000)
    },
    clock: () => {
      world.pick([...running]).skewMs = world.between(-5000, 5000)
    },
    restart: () => database.restart(world.between(50, 4000)),
  }

  async function run() {
    await openPatiently().then((storage) => storage.close())
    for (let index = 0; index < replicas; index++) start()
    const end = world.now + seconds * 1000
    while (world.now < end) {
      await world.sleep(world.between(100, 3000))
      if (running.size === 0) continue
      const kind = world.pick(Object.keys(fault))
      faults[kind] = (faults[kind] ?? 0) + 1
      fault[kind]!()
    }
    isOver = true
    for (const replica of running) replica.cutOffUntil = 0
    database.calm()
    while (running.size > 0) await world.sleep(500)
    const storage = await openPatiently()
    const store = storage.proof!
    const last = { store, signer: async () => signer, holder: 'audit' }
    const sealFault = await seal(last, { durable: true, ignoreLease: true }).then(
      () => undefined,
      (error: Error) => error.message,
    )
    const report = {
      sealFault,
      entries: await storage.ledger.read(),
      verdict: await storage.ledger.verify(),
      limits,
      sealed: await store.hashes(0, Number.MAX_SAFE_INTEGER),
      rootAt: new Map<number, string>(),
    }
    for (const note of history.checkpoints) {
      const { size } = parseCheckpoint(note)!
      report.rootAt.set(size, await findRoot(store.tile, size).then(toBase64, () => 'unknown'))
    }
    await storage.close()
    return report
  }

  const audit = await world.until(run())
  return {
    broken: findBroken(history, audit),
    entries: audit.entries.length,
    grants: history.grants.length,
    approvals: history.uses.size,
    claims: history.claims.size,
    tasks: history.owners.size,
    checkpoints: history.checkpoints.size,
    failures: history.failures,
    faults,
  }
}

interface WorkParts {
  readonly history: History
  readonly storage: Storage
  readonly isOver: () => boolean
}

const { privateKey } = generateKeyPairSync('ed25519')
/** One key for all replicas. What is signed with it decides nothing here. */
const signer: Signer = {
  verifier: { name: 'simulation', keyId: '00000000', kind: 'note', publicKey: new Uint8Array(32) },
  isLocal: false,
  sign: async (text) => new Uint8Array(sign(null, Buffer.from(text), privateKey)),
}

/** What one replica does, all at the same time. */
function createWork(world: World, { name }: Replica, { history, storage, isOver }: WorkParts) {
  let count = 0
  const binding: ApprovalBinding = { tool: 'a.b', contractDigest: 'c', inputDigest: 'i', caller: 'x', workspace: '/', policyDigest: 'p', previewDigest: '' } // biome-ignore format: one line
  const taskId = () => `task-${Math.floor(world.random() * 30)}`
  const questions = () => `question-${Math.floor(world.random() * 40)}`

  /** Repeats an operation. One that fails has promised nothing. */
  const repeat = (most: number, operation: () => Promise<void>) => async () => {
    while (!isOver()) {
      await world.sleep(world.between(1, most))
      await operation().catch(() => {
        history.failures++
      })
    }
  }

  return [
    repeat(60, async () => {
      const ids = Array.from({ length: 1 + Math.floor(world.random() * 4) }, () => `${name}-${++count}`)
      const append = async (id: string) => {
        await storage.ledger.append(toIntent(id, { at: new Date().toISOString() }), { durable: true })
        history.acknowledge(name, id)
      }
      for (const { reason } of (await Promise.allSettled(ids.map(append))).filter((one) => one.status === 'rejected')) throw reason // biome-ignore format: one line
    }),
    repeat(150, async () => {
      const key = world.pick([...limits.keys()])
      const from = world.now
      const { taken } = await storage.counters.take(key, limits.get(key)!, Date.now())
      if (taken) history.grants.push({ key, from, to: world.now })
    }),
    repeat(800, async () => {
      const [id, now] = [questions(), Date.now()]
      await storage.approvals.request({ ...binding, inputDigest: id, id, askedAt: now, expiresAt: now + 600_000, summary: {}, details: {} }, now) // biome-ignore format: one line
    }),
    repeat(300, async () => {
      await storage.approvals.answer(questions(), { answer: 'yes', by: world.pick(['Ada', 'Grace']) }, Date.now())
    }),
    repeat(100, async () => {
      const id = questions()
      if (await storage.approvals.use(id, { ...binding, inputDigest: id }, Date.now())) History.count(history.uses, id)
    }),
    repeat(1500, async () => {
      const id = taskId()
      await storage.tasks!.add({ id, caller: 'x', workspace: '/', tool: 'a.b', expiresAt: Date.now() + 600_000, questionId: 'q', request: {} }, Date.now()) // biome-ignore format: one line
    }),
    repeat(200, async () => {
      const id = taskId()
      const now = Date.now()
      const claimed = await storage.tasks!.claim(id, { owner: name, until: now + 30_000 }, now)
      if (claimed) History.count(history.owners, id)
    }),
    repeat(4000, async () => {
      const sealed = await seal({ store: storage.proof!, signer: async () => signer, holder: name }, { durable: true })
      if (sealed) history.checkpoints.add(sealed.note)
    }),
    repeat(200, async () => {
      const key = `key-${Math.floor(world.random() * 100)}`
      const now = Date.now()
      const claim = await storage.replies.claim(key, 'input', { now, expiresAt: now + 3_600_000 })
      if (claim.state === 'kept') {
        const known = history.replies.get(key) ?? new Set()
        history.replies.set(key, known.add(JSON.stringify(claim.reply)))
      }
      if (claim.state !== 'claimed') return
      History.count(history.claims, key)
      await world.sleep(world.between(1, 500))
      await storage.replies.keep(key, { by: name })
    }),
  ]
}

/** The engine with one promise broken. */
function withDefect(storage: Storage, defect: (typeof defects)[number]): Storage {
  const own = openMemoryStorage()
  const seen = new Map<string, Approval>()
  const { approvals, ledger } = storage
  const broken: { readonly [name in typeof defect]: Partial<Storage> } = {
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
      tasks: { ...storage.tasks!, claim: async (id, lease, now) => (await storage.tasks!.claim(id, lease, now)) ?? storage.tasks!.find(id, 'x', now).then((found) => found && { ...found, request: {} }) }, // biome-ignore format: one line
    },
    tree: {
      proof: {
        ...storage.proof!,
        extend: (extension) => storage.proof!.extend({ ...extension, tiles: extension.tiles.map((tile) => ({ ...tile, hashes: tile.hashes.map((byte) => byte ^ 1) })) }), // biome-ignore format: one line
      },
    },
    ledger: {
      ledger: {
        ...ledger,
        async append(record, how) {
          ledger.append(record, how).catch(() => {})
        },
      },
    },
  }
  return { ...storage, ...broken[defect] }
}

import type { PGlite } from '@electric-sql/pglite'
import { createLedgerOrder } from '../../src/runtime/storage/postgres/ledger-order.ts'
import { openPostgresStorage } from '../../src/runtime/storage/postgres/postgres.ts'
import { parseCheckpoint } from '../../src/runtime/storage/proof/checkpoint.ts'
import { findRoot } from '../../src/runtime/storage/proof/proofs.ts'
import { seal } from '../../src/runtime/storage/proof/sealer.ts'
import { toBase64 } from '../../src/runtime/storage/proof/signed-note.ts'
import { toRoot } from '../../src/runtime/storage/proof/tree.ts'
import type { Storage } from '../../src/runtime/storage/storage.ts'
import { SimulatedDatabase } from './database.ts'
import { type Defect, toAltered, withDefect } from './defects.ts'
import { findBroken, History } from './history.ts'
import { createWork, limits, signer } from './work.ts'
import { type Replica, World } from './world.ts'

export interface SimulationOptions {
  readonly seed: number
  readonly replicas: number
  /** Of virtual time, with faults. */
  readonly seconds: number
  readonly defect?: Defect
}

export interface SimulationReport {
  readonly broken: readonly string[]
  readonly entries: number
  readonly grants: number
  readonly approvals: number
  readonly claims: number
  readonly tasks: number
  readonly runs: number
  readonly checkpoints: number
  /** Operations that ended with an error, because of the faults. */
  readonly failures: number
  /** Commits that a failover lost. Nobody was told that they are stored. */
  readonly lost: number
  readonly faults: { readonly [kind: string]: number }
}

/** Each replica does less if there are more of them than this. */
const busyReplicas = 8
/** Chains that take no entries for so long are closed. Far shorter than in production, so that it happens often. */
const chainLeaseSeconds = 3

/** Longer than anything here lasts: by its own clock, such a replica would end what others need, and revive what is over. */
const maxSkewMs = 7_200_000

/**
 * Runs replicas on the storage engine for Postgres, in virtual time, while they crash, stall, lose the network, have wrong clocks, and the
 * database restarts or fails over. Then finds out whether everything that they were told is still true.
 */
export async function simulate(options: SimulationOptions, postgres: PGlite): Promise<SimulationReport> {
  const { seed, replicas, seconds } = options
  const world = new World(seed)
  const database = new SimulatedDatabase(world, postgres, {
    isAsynchronous: options.defect === 'standby',
    alter: toAltered(options.defect),
  })
  const pace = Math.max(1, replicas / busyReplicas)
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
    const parts = options.defect ? withDefect(storage, options.defect, world) : storage
    const work = createWork(world, replica, { history, storage: parts, isOver: () => isOver, pace })
    await Promise.all(work.map((loop) => loop()))
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
      world.pick([...running]).skewMs = world.between(-maxSkewMs, maxSkewMs)
    },
  }
  const databaseFault: typeof fault = {
    restart: () => database.restart(world.between(50, 1000)),
    failover: () => database.failOver(world.between(200, 4000)),
  }

  /** Each kind as often as the others. */
  async function cause(kinds: typeof fault, everyMs: number) {
    let left: string[] = []
    while (!isOver) {
      await world.sleep(world.between(0.05, 2) * everyMs)
      if (running.size === 0 || isOver) continue
      if (left.length === 0) left = Object.keys(kinds)
      const kind = world.pick(left)
      left = left.filter((other) => other !== kind)
      faults[kind] = (faults[kind] ?? 0) + 1
      kinds[kind]!()
    }
  }

  /** Orders all chains, and closes those of replicas that are silent: what they still send must stay out. */
  async function keepOrder() {
    const { orderSome } = createLedgerOrder(database.connect(tenant), { leaseSeconds: chainLeaseSeconds })
    while (!isOver) {
      await world.sleep(1000)
      await orderSome().catch(() => {})
    }
  }

  async function run() {
    await openPatiently().then((storage) => storage.close())
    for (let index = 0; index < replicas; index++) start()
    void cause(fault, 2500 / pace)
    void cause(databaseFault, Math.min(6000, seconds * 250))
    void keepOrder()
    await world.sleep(seconds * 1000)
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
      sealed: (await store.tree()).size,
      root: toBase64(toRoot(await store.tree())),
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
    runs: history.runs.length,
    checkpoints: history.checkpoints.size,
    failures: history.failures,
    lost: database.lost,
    faults,
  }
}

import { generateKeyPairSync, sign } from 'node:crypto'
import { type Signer, seal } from '../../src/runtime/storage/proof/sealer.ts'
import type { ApprovalBinding, Storage } from '../../src/runtime/storage/storage.ts'
import { toIntent, toOutcome } from '../../src/runtime/storage/suite/records.ts'
import { History, type Limit } from './history.ts'
import type { Replica, World } from './world.ts'

export const limits = new Map<string, Limit>([
  ['hot', { count: 5, windowMs: 1000 }],
  ['slow', { count: 20, windowMs: 10_000 }],
])

interface WorkParts {
  readonly history: History
  readonly storage: Storage
  readonly isOver: () => boolean
  /** With more replicas each does less, so that the database has about as much to do. */
  readonly pace: number
}

const { privateKey } = generateKeyPairSync('ed25519')
/** One key for all replicas. What is signed with it decides nothing here. */
export const signer: Signer = {
  verifier: { name: 'simulation', keyId: '00000000', kind: 'note', publicKey: new Uint8Array(32) },
  isLocal: false,
  sign: async (text) => new Uint8Array(sign(null, Buffer.from(text), privateKey)),
}

/** What one replica does, all at the same time. */
export function createWork(world: World, { name }: Replica, { history, storage, isOver, pace }: WorkParts) {
  const runs = storage.runs!
  let count = 0
  const binding: ApprovalBinding = { tool: 'a.b', contractDigest: 'c', inputDigest: 'i', caller: 'x', workspace: '/', policyDigest: 'p', previewDigest: '' } // biome-ignore format: one line
  /** Names that all replicas use at about the same time. */
  const toId = (kind: string, many: number) => `${kind}-${Math.floor(world.now / 10_000)}-${Math.floor(world.random() * many)}` // biome-ignore format: one line
  const taskId = () => toId('task', 8)
  const questions = () => toId('question', 12)

  /** Repeats an operation. One that fails has promised nothing. */
  const repeat = (most: number, operation: () => Promise<void>) => async () => {
    while (!isOver()) {
      await world.sleep(world.between(1, most * pace))
      await operation().catch(() => {
        history.failures++
      })
    }
  }

  return [
    repeat(100, async () => {
      const ids = Array.from({ length: 1 + Math.floor(world.random() * 8) }, () => `${name}-${++count}`)
      const append = async (id: string) => {
        await storage.ledger.append(toIntent(id, { at: new Date().toISOString() }), { durable: true })
        history.acknowledge(name, `${id} intent`)
        await world.sleep(world.between(0, 20))
        await storage.ledger.append(toOutcome(id, { at: new Date().toISOString() }), { durable: true })
        history.acknowledge(name, `${id} outcome`)
      }
      for (const { reason } of (await Promise.allSettled(ids.map(append))).filter((one) => one.status === 'rejected')) throw reason // biome-ignore format: one line
    }),
    repeat(3000, async () => {
      for (const { seq, hash } of await storage.ledger.read({ last: 20 })) history.read(seq, hash)
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
      const key = toId('key', 20)
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
    repeat(600, async () => {
      const [id, now] = [toId('run', 6), Date.now()]
      const found = await runs.find(id)
      const until = now + 1000
      const run = found
        ? await runs.claim(id, { owner: name, until, epoch: found.epoch, state: found.state }, now)
        : await runs.add({ id, workflow: 'w.x', contractDigest: 'c', caller: 'x', workspace: '/', owner: name, leaseUntil: until, total: 5, request: {} }, now).then((limit) => (limit ? undefined : { epoch: 1 })) // biome-ignore format: one line
      if (!run) return
      const { epoch } = run
      history.runs.push({ id, kind: 'claim', epoch, owner: name, from: world.now, to: world.now })
      for (let step = 0; step < 5 && !isOver(); step++) {
        await world.sleep(world.between(1, 800))
        const from = world.now
        const change = { owner: name, epoch, durable: true, steps: [{ key: `s${step}`, state: 'done', startedAt: now }] } as const // biome-ignore format: one line
        if (!(await runs.change(id, change, Date.now()))) return
        history.runs.push({ id, kind: 'change', epoch, owner: name, from, to: world.now })
      }
    }),
  ]
}

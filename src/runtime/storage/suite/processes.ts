import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { type ApprovalBinding, bindingParts, type Storage } from '../storage.ts'
import { toTokenId } from '../tokens.ts'
import { watchChanges } from './calls.ts'
import { expect } from './expect.ts'
import { question } from './queue.ts'
import { toIntent } from './records.ts'
import { toRule, toTrusted } from './state.ts'
import type { SuiteParts } from './suite-parts.ts'
import { waiting } from './tasks.ts'

interface ProcessParts extends SuiteParts {
  readonly module: string
}

const run = promisify(execFile)
const workers = ['a', 'b', 'c']

/** Tests storage that several processes use at once. Part of `testStorage`. */
export function testProcesses({ describe, module }: ProcessParts) {
  /** Runs a job in several processes at once, and returns what each of them reports. */
  const runAll = (job: keyof typeof jobs, name: string) =>
    Promise.all(
      workers.map(async (worker) => {
        const program = `
          const [{ open }, { runStorageJob }] = await Promise.all([import(${JSON.stringify(module)}), import(${JSON.stringify(import.meta.url)})])
          const storage = await open(${JSON.stringify(name)})
          console.log(JSON.stringify(await runStorageJob(storage, ${JSON.stringify(job)}, ${JSON.stringify(worker)})))
          await storage.close()`
        const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { timeout: 120_000 })
        return JSON.parse(stdout)
      }),
    )

  describe('several processes', (test) => {
    test('append to one ledger, which stays intact', async (openNew) => {
      const name = randomUUID()
      const { ledger } = await openNew(name)
      await runAll('append', name)
      const ids = (await ledger.read()).map(({ record }) => record.callId)
      for (const worker of workers)
        expect(ids.filter((id) => id.startsWith(worker))).toEqual(times((index) => `${worker}-${index}`))
      expect(await ledger.verify()).toMatchObject({ intact: true, entries: workers.length * 10 })
    })

    test('report what another process appended and asked', async (openNew) => {
      const name = randomUUID()
      const { ledger, approvals } = await openNew(name)
      const watched = [watchChanges(ledger), watchChanges(approvals)]
      await Promise.all(watched.map((changes) => changes.after(() => runAll('ask', name))))
      for (const { stop } of watched) stop()
      expect((await ledger.calls()).calls).toHaveLength(2 * workers.length)
      expect(await approvals.questions(20)).toHaveLength(2 * workers.length)
    })

    test('take exactly as many uses as the limit allows', async (openNew) => {
      const name = randomUUID()
      await openNew(name)
      const taken: number[] = await runAll('take', name)
      expect(taken.reduce((sum, count) => sum + count)).toBe(7)
    })

    test('use an approval once, and claim a key and a task once', async (openNew) => {
      const name = randomUUID()
      const { approvals, tasks } = await openNew(name)
      await tasks?.add(waiting('1'), 0)
      await approvals.grant({ id: '1', ...binding, by: 'Ada', expiresAt: 1000 })
      const uses: { used: boolean; claimed: boolean; ran: boolean }[] = await runAll('use', name)
      expect(uses.filter(({ used }) => used)).toHaveLength(1)
      expect(uses.filter(({ claimed }) => claimed)).toHaveLength(1)
      expect(uses.filter(({ ran }) => ran)).toHaveLength(tasks ? 1 : 0)
    })

    test('add rules and trusted files and change the lock without losing any', async (openNew) => {
      const name = randomUUID()
      const { rules, trust, lock } = await openNew(name)
      await rules.add(toRule('first'))
      const before = await rules.version()
      await runAll('decide', name)
      const added = workers.flatMap((worker) => times((index) => `${worker}-${index}`))
      expect((await rules.load()).map(({ id }) => id).sort()).toEqual([...added, 'first'].sort())
      expect((await rules.version()) === before).toBe(false)
      expect((await trust.load()).map(({ path }) => path).sort()).toEqual(added.sort())
      expect((await lock.load())?.trimEnd().split('\n').sort()).toEqual(added.sort())
    })

    test('agree on notes that are set once', async (openNew) => {
      const name = randomUUID()
      await openNew(name)
      const [first, ...others]: string[][] = await runAll('agree', name)
      for (const other of others) expect(other).toEqual(first)
    })

    test('change one note together, and lose nothing', async (openNew) => {
      const name = randomUUID()
      const { notes } = await openNew(name)
      await notes.set('joined', [])
      const all = await runAll('join', name)
      expect(new Set((await notes.get('joined')) as string[]).size).toBe(all.length * 10)
    })

    test('create, use and revoke tokens, and lose none', async (openNew) => {
      const name = randomUUID()
      const { tokens } = await openNew(name)
      const shared = await tokens.create('shared')
      const kept: string[][] = await runAll('token', name)
      const known = await tokens.load()
      expect(known.map(({ hash }) => hash).sort()).toEqual([shared.hash, ...kept.flat()].sort())
      const uses = await tokens.lastUses()
      expect(Object.keys(uses).length).toBe(known.length)
      expect(uses[shared.id]).toBe('2999-01-01T00:00:09.000Z')
    })
  })
}

/** Runs in the processes that the suite starts. */
export async function runStorageJob(storage: Storage, job: string, worker: string): Promise<unknown> {
  return (await jobs[job as keyof typeof jobs](storage, worker)) ?? null
}

const jobs = {
  async append({ ledger }: Storage, worker: string) {
    // Awaited: concurrent appends of different durability have no order among each other.
    for (const id of times((index) => `${worker}-${index}`))
      await ledger.append(toIntent(id), { durable: /[02468]$/.test(id) })
  },
  async ask({ ledger, approvals }: Storage) {
    const id = randomUUID()
    await ledger.append(toIntent(id), { durable: false })
    await approvals.request({ ...question, id }, 10)
  },
  async take({ counters }: Storage) {
    const takes = await Promise.all(times(() => counters.take('key', { count: 7, windowMs: 600_000 }, 1)))
    return takes.filter(({ taken }) => taken).length
  },
  async use({ approvals, replies, tasks }: Storage, worker: string) {
    const used = (await approvals.use('1', binding, 0)) !== undefined
    const { state } = await replies.claim('key', 'input', { now: 0, expiresAt: 1000 })
    const ran = (await tasks?.claim('1', { owner: worker, until: 100 }, 10)) !== undefined
    return { used, claimed: state === 'claimed', ran }
  },
  async decide({ rules, trust, lock }: Storage, worker: string) {
    for (const id of times((index) => `${worker}-${index}`)) {
      await rules.add(toRule(id))
      await trust.add(toTrusted(id))
      await lock.change((text = '') => `${text}${id}\n`)
    }
  },
  async join({ notes }: Storage, worker: string) {
    for (const id of times((index) => `${worker}-${index}`)) {
      for (;;) {
        const known = (await notes.get('joined')) as string[]
        if (await notes.replace('joined', known, [...known, id])) break
      }
    }
  },
  async agree({ notes }: Storage, worker: string) {
    return Promise.all(times((index) => notes.setOnce(`key ${index}`, `${worker} ${index}`)))
  },
  async token({ tokens }: Storage, worker: string) {
    const shared = (await tokens.load())[0]!
    const kept: string[] = []
    for (const index of times((index) => index)) {
      const { id, hash } = await tokens.create(worker)
      const at = `2999-01-01T00:00:0${index}.000Z`
      await tokens.noteUses({ [id]: at, [toTokenId(shared.hash)]: at })
      if (index % 2 === 0) await tokens.revoke([id])
      else kept.push(hash)
    }
    return kept
  },
}

const binding = Object.fromEntries(
  bindingParts.map((part) => [part, `${part} of the call`]),
) as unknown as ApprovalBinding

function times<Value>(make: (index: number) => Value): Value[] {
  return Array.from({ length: 10 }, (_, index) => make(index))
}

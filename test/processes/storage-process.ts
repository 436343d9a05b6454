import { writeSync } from 'node:fs'
import { openSqliteStorage } from '../../src/runtime/storage/sqlite/sqlite.ts'
import { toIntent, toOutcome } from '../../src/runtime/storage/suite/records.ts'

/**
 * A process that uses a storage: `node test/processes/storage-process.ts JOB DIRECTORY NAME COUNT`. Prints each
 * acknowledgement synchronously, so that a kill loses no output.
 */
const [job, directory = '', name = '', count = '0'] = process.argv.slice(2)
const say = (line: string) => writeSync(1, `${line}\n`)

try {
  const storage = openSqliteStorage({ directory })
  if (job === 'append') await append(Number(count), 8, false)
  if (job === 'append-until-killed') await append(Number.POSITIVE_INFINITY, 32, count === 'durable')
  if (job === 'take') await take(Number(count))
  if (job === 'use') say((await storage.approvals.use(name, JSON.parse(count), Date.now())) ? 'used' : 'refused')
  if (job === 'resume') {
    const found = await storage.approvals.resume(JSON.parse(count), Date.now())
    const id = found && 'id' in found ? ` ${found.id}` : ''
    say(found ? `${found.state === 'answered' ? found.answer : found.state}${id}` : 'none')
  }
  if (job === 'claim') say((await storage.replies.claim(name, count, toDay(Date.now()))).state)
  if (job === 'leave') await appendWithThread()
  else await storage.close()

  function toDay(now: number) {
    return { now, expiresAt: now + 86_400_000 }
  }

  async function append(calls: number, inFlight: number, durable: boolean) {
    let next = 0
    const callInTurn = async () => {
      while (next < calls) {
        const callId = `${name}-${next++}`
        await storage.ledger.append(toIntent(callId), { durable })
        say(`intent ${callId}`)
        await storage.ledger.append(toOutcome(callId), { durable })
        say(`outcome ${callId}`)
      }
    }
    await Promise.all(Array.from({ length: inFlight }, callInTurn))
  }

  async function appendWithThread() {
    const ready = new Promise((resolve) => process.on('worker', (worker) => worker.once('message', resolve)))
    await append(1000, 8, false)
    await ready
    await append(Number(count), 8, false)
  }

  async function take(attempts: number) {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const { taken } = await storage.counters.take(name, { count: 50, windowMs: 600_000 }, Date.now())
      say(taken ? 'taken' : 'refused')
    }
  }
} catch (error) {
  say(`failed ${(error as Error).message}`)
}

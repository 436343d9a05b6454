import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { openSqliteStorage } from '../../src/runtime/storage/sqlite/sqlite.ts'
import type { Storage } from '../../src/runtime/storage/storage.ts'
import { toIntent, toOutcome } from '../../src/runtime/storage/suite/records.ts'
import { numberOption } from '../number-option.ts'
import type { Table } from '../table.ts'
import { measureSizes } from './measure-sizes.ts'

const most = numberOption('entries', 1_000_000)
const sizes = [10_000, 100_000, 1_000_000, 10_000_000].filter((size) => size <= most)
const tools = 100
const atOnce = 1000

/** Appends and searches by tool as a ledger grows, to 10,000,000 entries with `--entries=10000000`. The section `scale` has verification. */
export async function measureLedger(root: string): Promise<Table> {
  const opened: Storage[] = []
  const sized = []
  for (const size of sizes) {
    const storage = openSqliteStorage({ directory: join(root, `ledger-${size}`) })
    opened.push(storage)
    const { ledger } = storage
    await append(storage, 'rare', 1)
    for (let made = 0; made < size / 2; made += atOnce) await append(storage, undefined, atOnce)
    // Gives new entries their place and counts them, as the upkeep of a server does.
    await ledger.totals()
    const search = (tool: string) => async () => {
      const { calls } = await ledger.calls({ tool, limit: 50 })
      if (calls.length !== (tool === 'rare' ? 1 : 50)) throw new Error(`Found ${calls.length} calls of ${tool}.`)
    }
    sized.push({
      size,
      operations: [
        () => ledger.append(toIntent(randomUUID()), { durable: false }),
        async () => void (await ledger.read({ last: 50 })),
        search('test.tool_7'),
        search('rare'),
      ],
    })
  }
  try {
    const operations = [{ name: 'append' }, { name: 'newest 50' }, { name: '50 calls of one tool' }, { name: 'the only call of a tool' }] // biome-ignore format: one line
    return await measureSizes({ title: 'Entries of a ledger in SQLite (aim: flat)', unit: 'entries', operations, rounds: 10 }, sized) // biome-ignore format: one line
  } finally {
    for (const storage of opened) await storage.close()
  }
}

async function append({ ledger }: Storage, tool: string | undefined, count: number): Promise<void> {
  const calls = Array.from({ length: count }, (_, index) => ({ id: randomUUID(), tool: tool ?? `test.tool_${index % tools}` })) // biome-ignore format: one line
  await Promise.all(calls.flatMap(({ id, tool }) => [ledger.append(toIntent(id, { tool }), { durable: false }), ledger.append(toOutcome(id, { tool }), { durable: false })])) // biome-ignore format: one line
}

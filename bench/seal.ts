import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSigner } from '../src/app/proof/open-signer.ts'
import { withSealing } from '../src/app/proof/sealing.ts'
import { verifyLedger } from '../src/app/proof/verify-ledger.ts'
import { proveInclusion } from '../src/runtime/storage/proof/proofs.ts'
import { extendTree, seal } from '../src/runtime/storage/proof/sealer.ts'
import { openSqliteStorage } from '../src/runtime/storage/sqlite/sqlite.ts'
import { toIntent } from '../src/runtime/storage/suite/records.ts'
import { compare } from './compare.ts'
import type { About, Table } from './table.ts'

export const about: About = {
  compares:
    'Appends to a ledger that is sealed all the time beside one that is not; what sealing and proving an entry costs, and verifying a whole ledger.',
}

const batch = 64
const sizes = [10_000, 1_000_000]

export async function* bench(): AsyncGenerator<Table> {
  const root = mkdtempSync(join(tmpdir(), 'toolpact-bench-'))
  try {
    yield await compareAppends(root)
    yield await measure(root)
  } finally {
    rmSync(root, { recursive: true })
  }
}

async function compareAppends(root: string): Promise<Table> {
  const plain = open(join(root, 'plain'))
  const { storage, proof, signer } = open(join(root, 'sealed'))
  const sealed = withSealing({ ...storage, proof }, { signer, publisher: undefined, report: () => {}, everyMs: 50 })
  const append = ({ ledger }: typeof storage) =>
    Promise.all(Array.from({ length: batch }, () => ledger.append(toIntent('call'), { durable: false })))
  try {
    return await compare(
      `Ledger, ${batch} appends at once (no fsync): sealed every 50 ms, a hundred times as often as usual, against not at all`,
      [
        { name: 'not sealed', run: () => append(plain.storage) },
        { name: 'sealed every 50 ms', run: () => append(sealed), aim: 1.25 },
      ],
      { rounds: 300 },
    )
  } finally {
    await plain.storage.close()
    await sealed.close()
  }
}

async function measure(root: string): Promise<Table> {
  const rows: string[][] = []
  for (const size of sizes) {
    const directory = join(root, `${size}`)
    const { storage, proof, signer, signing } = open(directory)
    for (let made = 0; made < size; made += 2000)
      await Promise.all(Array.from({ length: 2000 }, () => storage.ledger.append(toIntent('call'), { durable: true })))
    const extending = await time(() => extendTree(proof))
    await seal({ store: proof, signer, holder: 'bench' }, { durable: true })
    const proving = await time(() => proveInclusion(proof.tile, Math.floor(size / 3), size))
    const verify = (full: boolean) => verifyLedger({ storage: { ...storage, proof }, config: {}, signing }, { full })
    const all = await time(() => verify(true))
    const rest = await time(() => verify(false))
    await storage.close()
    rows.push([
      size.toLocaleString('en'),
      `${((extending * 1000) / size).toFixed(1)} µs`,
      `${proving.toFixed(1)} ms`,
      `${(all / 1000).toFixed(2)} s`,
      `${rest.toFixed(0)} ms`,
    ])
  }
  return {
    title: 'Sealing, proving and verifying a ledger',
    heading: ['entries', 'sealing, per entry', 'one inclusion proof', 'verification of all', 'again, of what is new'],
    rows,
  }
}

function open(directory: string) {
  const storage = openSqliteStorage({ directory })
  const signing = { signing: undefined, stateDirectory: directory, proof: storage.proof! }
  return { storage, proof: storage.proof!, signing, signer: () => openSigner(signing) }
}

async function time(job: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await job()
  return performance.now() - start
}

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readStoredEntries, verifyArchive } from '../../src/runtime/storage/ledger-archive.ts'
import { toEntryHash } from '../../src/runtime/storage/ledger-chain.ts'
import { openPostgresStorage } from '../../src/runtime/storage/postgres/postgres.ts'
import type { Storage } from '../../src/runtime/storage/storage.ts'
import { toIntent } from '../../src/runtime/storage/suite/records.ts'
import { hasPostgres, openPostgresCluster } from '../helpers/postgres-cluster.ts'
import { openCommandFolder } from '../helpers/run-command.ts'

const cluster = hasPostgres ? await openPostgresCluster() : undefined
const root = mkdtempSync(join(tmpdir(), 'toolpact-archive-'))
afterAll(() => {
  cluster?.remove()
  rmSync(root, { recursive: true, force: true })
})
const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1) + minutes * 60_000)
let tenants = 0

describe.skipIf(!hasPostgres)('the ledger of several servers in Postgres', () => {
  let url: string
  beforeAll(() => {
    cluster!.psql('CREATE ROLE toolpact LOGIN')
    cluster!.psql('GRANT CREATE ON DATABASE postgres TO toolpact')
    url = cluster!.url.replace('postgres@', 'toolpact@')
  })

  const open = (tenant: string) => openPostgresStorage({ url, tenant, archiveFolder: root })
  const count = (where: string) => Number(cluster!.psql(`SELECT count(*) FROM toolpact.ledger WHERE ${where}`))

  /** Two servers append in turn, one entry a minute. */
  async function openLedger(entries: number) {
    const tenant = `tenant-${tenants++}`
    const servers = await Promise.all([open(tenant), open(tenant)])
    await append(servers, 0, entries)
    return { tenant, servers, storage: servers[0]!, close: () => Promise.all(servers.map((server) => server.close())) }
  }

  test('moves old entries of all chains into a private file, and both stay verifiable', async () => {
    const { servers, storage, close } = await openLedger(1500)
    const [segment, ...others] = await storage.ledger.archive({ before: at(707) })
    expect(others).toEqual([])
    expect(segment).toMatchObject({ first: 1, last: 707 })
    expect(statSync(segment!.file).mode & 0o777).toBe(0o600)
    expect(await storage.ledger.verify()).toMatchObject({ intact: true, entries: 793, archived: 707 })
    for (const afterSeq of [0, 700, 707, 708, 1200, 1500])
      expect(await storage.ledger.verify({ afterSeq })).toMatchObject({ intact: true })
    expect(await storage.ledger.archives()).toEqual([segment])
    const whole = { intact: true, entries: 707, after: { seq: 0 }, end: { seq: 707, hash: segment!.hash } }
    expect(await verifyArchive(segment!.file)).toMatchObject(whole)
    expect((await storage.ledger.read({ first: 1 }))[0]).toMatchObject({ seq: 708, record: { callId: 'call-707' } })
    expect(await storage.ledger.read({ callId: 'call-3' })).toEqual([])
    expect(await storage.ledger.read({ callId: 'call-720' })).toHaveLength(1)
    expect((await storage.ledger.totals())[0]).toMatchObject({ calls: 1500 })
    await append(servers, 1500, 20)
    const [next] = await servers[1]!.ledger.archive({ before: at(1400) })
    expect(next).toMatchObject({ first: 708, last: 1400 })
    expect(await verifyArchive(next!.file)).toMatchObject({ intact: true, after: { seq: 707, hash: segment!.hash } })
    expect(await storage.ledger.verify()).toMatchObject({ intact: true, entries: 120, archived: 1400 })
    expect(await storage.ledger.archive({ before: at(1400) })).toEqual([])
    // Each entry still leads to its hash, and the first that remain to what was archived.
    for await (const { previous, text, hash } of readStoredEntries(next!.file))
      expect(toEntryHash(previous, text)).toBe(hash)
    for (const seq of [1401, 1402, 1410]) {
      const found = await storage.proof!.find({ seq })
      const [entry] = await storage.ledger.read({ afterSeq: seq - 1, first: 1 })
      expect(toEntryHash(found!.previous, found!.text)).toBe(entry!.hash)
    }
    const [last] = await storage.ledger.archive({ before: at(9999) })
    expect(last).toMatchObject({ first: 1401, last: 1520 })
    expect(await storage.ledger.verify()).toMatchObject({ intact: true, entries: 0, archived: 1520 })
    await append(servers, 1520, 3)
    expect(await storage.ledger.verify()).toMatchObject({ intact: true, entries: 3, archived: 1520 })
    await close()
  })

  test('recognises an archive that was changed, cut off or put together anew', async () => {
    const { storage, close } = await openLedger(40)
    const [{ file } = { file: '' }] = await storage.ledger.archive({ before: at(30) })
    await close()
    const text = gunzipSync(readFileSync(file)).toString()
    const lines = text.trimEnd().split('\n')
    const runs = lines.flatMap((line, index) => (line.startsWith('{"run"') ? [index] : []))
    expect(runs.length).toBeGreaterThan(2)
    const path = join(root, 'changed.gz')
    for (const [changed, reason] of [
      [text.replace('call-4"', 'call-X"'), /does not follow/],
      [lines.slice(0, -1).join('\n'), /cut off/],
      [lines.toSpliced(3, 1).join('\n'), /Missing|does not follow/],
      [lines.toSpliced(runs[1]!, 1).join('\n'), /does not follow/],
      [lines.with(runs[0]!, lines[runs[0]!]!.replace(/"previous":"./, '"previous":"x')).join('\n'), /does not follow/],
      [lines.with(runs[2]!, '{"run":[]}').join('\n'), /cannot be read/],
    ] as const) {
      expect(changed).not.toBe(text)
      writeFileSync(path, gzipSync(`${changed}\n`))
      expect(await verifyArchive(path)).toMatchObject({ intact: false, reason: expect.stringMatching(reason) })
    }
  })

  test('is archived once by servers that do so at the same time, and by size', async () => {
    const { servers, storage, tenant, close } = await openLedger(3000)
    const both = await Promise.all(servers.map(({ ledger }) => ledger.archive({ before: at(2900) })))
    expect(both.flat()).toMatchObject([{ first: 1, last: 2900 }])
    expect(count(`tenant = '${tenant}'`)).toBe(100)
    const [half] = await storage.ledger.archive({ maxBytes: 60_000 })
    expect(half!.last).toBeGreaterThan(2910)
    expect(half!.last).toBeLessThan(2990)
    expect(await storage.ledger.archive({ maxBytes: 60_000 })).toEqual([])
    expect(await storage.ledger.verify()).toMatchObject({ intact: true, archived: half!.last })
    await close()
  })

  test('is whole for a reader when an archiver fails before it deleted anything, and the next one deletes it', async () => {
    const { storage, tenant, close } = await openLedger(200)
    cluster!.psql(`
      CREATE FUNCTION toolpact.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
      CREATE TRIGGER refuse BEFORE DELETE ON toolpact.ledger FOR EACH ROW EXECUTE FUNCTION toolpact.refuse()`)
    await expect(storage.ledger.archive({ before: at(100) })).rejects.toThrow('It says: no')
    cluster!.psql('DROP TRIGGER refuse ON toolpact.ledger; DROP FUNCTION toolpact.refuse()')
    expect(count(`tenant = '${tenant}'`)).toBe(200)
    expect(await storage.ledger.archives()).toMatchObject([{ first: 1, last: 100 }])
    expect(await storage.ledger.verify()).toMatchObject({ intact: true, entries: 100, archived: 100 })
    expect(await storage.ledger.read()).toHaveLength(100)
    expect(await storage.ledger.archive({ before: at(100) })).toEqual([])
    expect(count(`tenant = '${tenant}'`)).toBe(100)
    await close()
  })

  test('that is broken is not archived', async () => {
    const { storage, tenant, close } = await openLedger(50)
    cluster!.psql(`UPDATE toolpact.ledger SET text = text || ' ' WHERE tenant = '${tenant}' AND call_id = 'call-20'`)
    await expect(storage.ledger.archive({ before: at(40) })).rejects.toThrow('The ledger is broken')
    expect(await storage.ledger.archives()).toEqual([])
    expect(count(`tenant = '${tenant}'`)).toBe(50)
    await close()
  })

  test('gives a month back once no tenant has an entry in it', async () => {
    const [one, other] = [await openLedger(20), await openLedger(20)]
    await Promise.all([one, other].map(({ storage }) => storage.ledger.head()))
    cluster!.psql(`
      SET ROLE toolpact; SET search_path = toolpact;
      CREATE TABLE ledger_202001 PARTITION OF ledger FOR VALUES FROM (202001) TO (202002);
      ALTER TABLE ledger_202001 ENABLE ROW LEVEL SECURITY; ALTER TABLE ledger_202001 FORCE ROW LEVEL SECURITY;
      CREATE POLICY own_tenant ON ledger_202001 USING (tenant = current_setting('toolpact.tenant', true));
      RESET ROLE;
      UPDATE ledger SET month = 202001 WHERE tenant IN ('${one.tenant}', '${other.tenant}');
      UPDATE ledger_runs SET month = 202001 WHERE tenant IN ('${one.tenant}', '${other.tenant}')`)
    const partitions = () => cluster!.psql("SELECT relname FROM pg_class WHERE relname = 'ledger_202001'")
    const isForced = () => cluster!.psql("SELECT relforcerowsecurity FROM pg_class WHERE relname = 'ledger_202001'")
    expect(count('month = 202001')).toBe(40)
    expect(await one.storage.ledger.archive({ before: at(99) })).toHaveLength(1)
    expect(count('month = 202001')).toBe(20)
    expect(isForced()).toBe('t')
    expect(await other.storage.ledger.archive({ before: at(99) })).toHaveLength(1)
    expect(partitions()).toBe('')
    expect(await other.storage.ledger.verify()).toMatchObject({ intact: true, entries: 0, archived: 20 })
    await append(one.servers, 20, 4)
    expect(await one.storage.ledger.verify()).toMatchObject({ intact: true, entries: 4, archived: 20 })
    await Promise.all([one.close(), other.close()])
  })

  test('is archived by the command; what was archived is proven and verified as before, and checkpoints stay', async () => {
    const { folder, run, close } = openCommandFolder()
    const env = { TOOLPACT_POSTGRES: url, TOOLPACT_TENANT: 'command' }
    const runThere = (...args: string[]) => run(args, { env })
    try {
      for (const name of ['Ada', 'Bob']) expect((await runThere('call', 'learning.hello', `name=${name}`)).code).toBe(0)
      const [ada] = (await runThere('ledger', '--json')).stdout.trim().split('\n').map((line) => JSON.parse(line)) // biome-ignore format: one line
      const checkpoints = () =>
        cluster!.psql("SELECT count(*) FROM toolpact.ledger_checkpoints WHERE tenant = 'command'")
      expect((await runThere('verify')).code).toBe(0)
      const before = Number(checkpoints())
      cluster!.psql("UPDATE toolpact.ledger SET at = '2020-01-01T00:00:00.000Z' WHERE tenant = 'command'")
      const archived = await runThere('ledger', 'archive', '--keep', '1d', '--json')
      expect(archived.code).toBe(0)
      const [segment] = await (async () => {
        const storage = await open('command')
        const archives = await storage.ledger.archives()
        await storage.close()
        return archives
      })()
      expect(segment!.file.startsWith(join(folder, 'state', 'archive'))).toBe(true)
      expect(readdirSync(join(folder, 'state', 'archive'))).toHaveLength(1)
      expect((await runThere('verify', segment!.file)).stdout).toContain('The archive is intact: entries 1 to 4')
      expect(Number(checkpoints())).toBeGreaterThanOrEqual(before)
      expect((await runThere('call', 'learning.hello', 'name=Cid')).code).toBe(0)
      const verified = await runThere('verify', '--full', '--json')
      expect(JSON.parse(verified.stdout)).toMatchObject({ intact: true, entries: 2, archived: 4, seal: { faults: [] } })
      const key = (await runThere('ledger', 'key')).stdout.trim()
      expect((await runThere('ledger', 'prove', ada.callId, '--output', 'proof.json')).code).toBe(0)
      const proven = await run(['verify', 'proof.json', '--key', key, '--json'])
      expect(JSON.parse(proven.stdout)).toMatchObject({ valid: true, call: ada.callId })
    } finally {
      close()
    }
  })
})

async function append(servers: readonly Storage[], from: number, count: number) {
  const size = 10
  for (let first = from; first < from + count; first += size) {
    const records = Array.from({ length: Math.min(size, from + count - first) }, (_, index) =>
      toIntent(`call-${first + index}`, { at: at(first + index).toISOString() }),
    )
    const { ledger } = servers[((first / size) % servers.length) | 0]!
    await Promise.all(records.map((record) => ledger.append(record, { durable: true })))
    // Gives them their place, so that the order is that of time.
    await ledger.head()
  }
}

import { spawn } from 'node:child_process'
import { createPrivateKey, generateKeyPairSync, hash, sign } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { parseCheckpoint } from '../../src/runtime/storage/proof/checkpoint.ts'
import { extendTree, seal } from '../../src/runtime/storage/proof/sealer.ts'
import { openSqliteStorage } from '../../src/runtime/storage/sqlite/sqlite.ts'
import { findJournals } from '../helpers/leave-journal.ts'
import { openCommandFolder } from '../helpers/run-command.ts'

test('a record that was changed together with the whole chain, the head and the tree contradicts the signed checkpoint', async () => {
  const { state, verify, call } = await openLedger()
  await call('Ada', 'Bob', 'Cid')
  expect((await verify()).code).toBe(0)
  forge(state, (text) => text.replace('Bob', 'Bot'))
  const { code, stdout, stderr } = await verify('--full')
  expect(code).toBe(1)
  expect(stdout).toContain('The chain of the ledger is intact')
  expect(stderr).toMatch(/Entry \d+ is not the one that was sealed|history was rewritten/)
  await rebuildTree(state)
  const again = await verify('--json', '--full')
  expect(again.code).toBe(1)
  expect(JSON.parse(again.stdout)).toMatchObject({ intact: false, fault: 'rewritten' })
  expect((await verify()).code).toBe(1)
})

test('entries that were cut off the end are missed, although the chain, the head and its note were adapted', async () => {
  const { state, verify, call } = await openLedger()
  await call('Ada', 'Bob', 'Cid')
  expect((await verify()).code).toBe(0)
  cut(state, 2)
  const { code, stderr } = await verify()
  expect(code).toBe(1)
  expect(stderr).toContain('6 entries were sealed, and the ledger ends with entry 2: it was truncated.')
})

test('a whole ledger that was forged with the local key is found by a checkpoint that was kept elsewhere', async () => {
  const { state, folder, verify, call } = await openLedger({ checkpoints: [{ file: '../kept/checkpoints' }] })
  await call('Ada', 'Bob', 'Cid')
  expect((await verify()).stderr).toContain('Compared with the file')
  forge(state, (text) => text.replace('Bob', 'Bot'))
  await rebuildTree(state)
  const database = new DatabaseSync(join(state, 'toolpact.db'))
  database.exec('DELETE FROM ledger_checkpoints; DELETE FROM notes')
  database.close()
  const key = createPrivateKey(readFileSync(join(state, 'ledger-key.pem')))
  const old = parseCheckpoint(readFileSync(join(folder, 'kept/checkpoints'), 'utf8').split(/(?<=^— .*\n)/m)[0]!)!
  const storage = openSqliteStorage({ directory: state })
  const { name, keyId } = old.note.signatures[0]!
  const verifier = { name, keyId, kind: 'note' as const, publicKey: new Uint8Array(32) }
  const signer = async () => ({ verifier, isLocal: true, sign: async (text: string) => sign(null, Buffer.from(text), key) }) // biome-ignore format: one line
  await seal({ store: storage.proof!, signer, holder: 'thief' }, { durable: false })
  await storage.close()
  const { code, stderr } = await verify('--full')
  expect(code).toBe(1)
  expect(stderr).toContain('not those that the checkpoint in the file')
  expect(stderr).toContain('the history was rewritten')
  // What runs on top of it does not overwrite the evidence.
  const { stderr: reported } = await call('Dan')
  expect(reported).toContain('the ledger was truncated, rolled back or rewritten')
  expect((await verify('--full')).code).toBe(1)
})

test('a state directory that was put back to an earlier time is found by a checkpoint that was kept elsewhere', async () => {
  const { state, folder, run, verify, call } = await openLedger({ checkpoints: [{ file: '../kept/checkpoints' }] })
  await call('Ada')
  cpSync(state, join(folder, 'backup'), { recursive: true })
  await call('Bob')
  rmSync(state, { recursive: true })
  cpSync(join(folder, 'backup'), state, { recursive: true })
  const { code, stderr } = await verify()
  expect(code).toBe(1)
  expect(stderr).toContain('covers 4 entries, and the ledger has 2 sealed ones: it was truncated or rolled back.')
  const compared = await run(['verify', 'kept/checkpoints', '--no-config'])
  expect(compared.code).toBe(1)
  expect(compared.stderr).toContain('truncated or rolled back')
  // More calls do not hide it.
  await call('Cid', 'Dan')
  const later = await verify()
  expect(later.code).toBe(1)
  expect(later.stderr).toContain('the history was rewritten')
})

test('a checkpoint that another key signed is not believed, and a signing key can be kept away from the ledger', async () => {
  const { state, folder, verify, call } = await openLedger({ signing: { key: '../key.pem' } })
  const { privateKey } = generateKeyPairSync('ed25519')
  writeFileSync(join(folder, 'key.pem'), privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 })
  await call('Ada')
  const { code, stderr } = await verify()
  expect(code).toBe(0)
  expect(stderr).not.toContain('The key that signs is in the state directory')
  expect(existsSync(join(state, 'ledger-key.pem'))).toBe(false)
  const database = new DatabaseSync(join(state, 'toolpact.db'))
  const { note } = database.prepare('SELECT note FROM ledger_checkpoints').get() as { note: string }
  const [text, line] = note.split('\n\n')
  const bytes = Buffer.from(line!.trim().split(' ').at(-1)!, 'base64')
  bytes[20]! ^= 1
  const forged = `${text}\n\n— ${line!.split(' ')[1]} ${bytes.toString('base64')}\n`
  database.prepare('UPDATE ledger_checkpoints SET note = ?').run(forged)
  database.close()
  const found = await verify('--full')
  expect(found.code).toBe(1)
  expect(found.stderr).toContain('is not signed by a key that is known here')
})

test('tiles of the tree that were changed or removed are named', async () => {
  const { state, verify, call } = await openLedger()
  await call('Ada')
  for (const change of ['UPDATE ledger_tiles SET hashes = zeroblob(64)', 'DELETE FROM ledger_tiles']) {
    const database = new DatabaseSync(join(state, 'toolpact.db'))
    database.exec(change)
    database.close()
    const { code, stderr } = await verify('--full')
    expect(code).toBe(1)
    expect(stderr).toMatch(/is not the one that was sealed|has no hashes of entries/)
  }
})

test('what a process recorded before it was killed is sealed by the next one, and two processes seal one ledger', async () => {
  const { folder, state, env, verify, call } = await openLedger()
  await call('Ada')
  const writer = join(folder, 'writer.mjs')
  const sqlite = join(import.meta.dirname, '../../src/runtime/storage/sqlite/sqlite.ts')
  const records = join(import.meta.dirname, '../../src/runtime/storage/suite/records.ts')
  writeFileSync(
    writer,
    `import { openSqliteStorage } from ${JSON.stringify(sqlite)}
     import { toIntent } from ${JSON.stringify(records)}
     const { ledger } = openSqliteStorage({ directory: ${JSON.stringify(state)} })
     for (let index = 0; index < 20; index++) await ledger.append(toIntent('killed-' + index), { durable: index % 2 === 0 })
     console.log('ready')
     setInterval(() => {}, 1000)`,
  )
  const child = spawn(process.execPath, [writer], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  await Promise.all([call('Bob'), call('Cid'), call('Dan'), call('Eve')])
  const { code, stdout } = await verify('--json', '--full')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ intact: true, entries: 30, seal: { sealed: 30, faults: [], newest: { size: 30 } } }) // biome-ignore format: one line
})

test.each([
  ['in the database', undefined],
  ['elsewhere', { signing: { key: '../key.pem' } }],
])(
  'a line that is forged in the journal of a killed process, with the key %s, is kept aside and named',
  async (_, ledger) => {
    const { folder, state, env, run, verify, call } = await openLedger(ledger)
    const { privateKey } = generateKeyPairSync('ed25519')
    writeFileSync(join(folder, 'key.pem'), privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 })
    await call('Ada')
    await leaveByKill({ folder, state, env }, ledger && { key: join(folder, 'key.pem') })
    const [journal] = findJournals(state)
    const lines = readFileSync(join(state, journal!), 'utf8').split('\n')
    expect(lines).toHaveLength(4)
    const forged = lines.with(1, lines[1]!.replace('"callId":"killed-1"', '"callId":"invented"')).join('\n')
    writeFileSync(join(state, journal!), forged)
    const { code, stdout, stderr } = await verify()
    expect(code).toBe(1)
    expect(stderr).toMatch(/✗ 1 line of a journal beside the ledger was forged, changed or removed.*refused-.*\.jsonl/)
    expect(stderr).toContain('The chain of the ledger is intact')
    expect(JSON.parse((await verify('--json')).stdout)).toMatchObject({ intact: false, fault: 'journal' })
    expect(stdout).not.toContain('invented')
    const before = new Date(Date.now() - 120_000)
    utimesSync(join(state, journal!), before, before)
    // The others enter the ledger; the evidence stays until a person has moved it away.
    expect((await call('Bob')).stderr).toContain('Storage: 1 line of a journal')
    const listed = (await run(['ledger', '--json'])).stdout
    for (const callId of ['killed-0', 'killed-2']) expect(listed).toContain(callId)
    expect(listed).not.toContain('invented')
    expect((await verify()).code).toBe(1)
    const evidence = readdirSync(state).filter((name) => name.startsWith('refused-'))
    expect(evidence).toHaveLength(1)
    expect(JSON.parse(readFileSync(join(state, evidence[0]!), 'utf8'))).toMatchObject({ file: journal, line: 2, text: expect.stringContaining('invented') }) // biome-ignore format: one line
    rmSync(join(state, evidence[0]!))
    expect((await verify()).code).toBe(0)
  },
)

test('archived entries stay in the tree and can be proven while their archive is there', async () => {
  const { folder, state, run, verify, call } = await openLedger()
  await call('Ada', 'Bob')
  const calls = (await run(['ledger', '--json'])).stdout.trim().split('\n').map((line) => JSON.parse(line)) // biome-ignore format: one line
  const storage = openSqliteStorage({ directory: state })
  const [segment] = await storage.ledger.archive({ before: new Date(Date.now() + 1000) })
  await storage.close()
  await call('Cid')
  expect((await verify('--full')).code).toBe(0)
  const key = (await run(['ledger', 'key'])).stdout.trim()
  expect((await run(['ledger', 'prove', calls[0].callId, '--output', 'proof.json'])).code).toBe(0)
  const proven = await run(['verify', 'proof.json', '--key', key, '--json'])
  expect(JSON.parse(proven.stdout)).toMatchObject({ valid: true, call: calls[0].callId, size: 6 })
  rmSync(segment!.file)
  const { code, stderr } = await run(['ledger', 'prove', calls[0].callId])
  expect(code).toBe(2)
  expect(stderr).toContain('No recorded call')
  expect(readdirSync(folder)).toContain('proof.json')
})

test('a proof is verified without any state, with the key as text, file or PEM, and only with the right one', async () => {
  const { folder, run, call } = await openLedger({ signing: { key: '../key.pem', origin: 'example.com/ledger' } })
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  writeFileSync(join(folder, 'key.pem'), privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 })
  writeFileSync(join(folder, 'key.pub'), publicKey.export({ format: 'pem', type: 'spki' }))
  writeFileSync(join(folder, 'other.pub'), generateKeyPairSync('ed25519').publicKey.export({ format: 'pem', type: 'spki' })) // biome-ignore format: one line
  await call('Ada')
  const first = await run(['ledger', 'prove', '--output', 'proof.json', ...own(folder)])
  expect(first.stdout).toContain('toolpact verify proof.json --key example.com/ledger+')
  const key = (await run(['ledger', 'key', ...own(folder)])).stdout.trim()
  writeFileSync(join(folder, 'key.txt'), key)
  const elsewhere = { env: { TOOLPACT_STATE_DIR: join(folder, 'nothing') } }
  for (const given of [key, 'key.txt', 'key.pub']) {
    const { code, stdout } = await run(['verify', 'proof.json', '--key', given], elsewhere)
    expect(code).toBe(0)
    expect(stdout).toContain('The ledger example.com/ledger contained 2 records of the call')
  }
  expect(existsSync(join(folder, 'nothing'))).toBe(false)
  expect((await run(['verify', 'proof.json', '--key', 'other.pub'], elsewhere)).code).toBe(1)
  const proof = readFileSync(join(folder, 'proof.json'), 'utf8')
  for (const [from, to] of [
    ['Ada', 'Eve'],
    ['"index": 0', '"index": 1'],
    [/"call": ".*"/, '"call": "another"'],
    [/\\n2\\n/, '\\n3\\n'],
  ] as const) {
    const changed = proof.replace(from, to)
    expect(changed).not.toBe(proof)
    writeFileSync(join(folder, 'changed.json'), changed)
    expect((await run(['verify', 'changed.json', '--key', key])).code).toBe(1)
  }
  for (const args of [['proof.json'], ['missing.json'], ['proof.json', '--key', 'x'], ['proof.json', 'more'], ['proof.json', '--key', key, '--full']]) // biome-ignore format: one line
    expect((await run(['verify', ...args])).code).toBe(2)
  writeFileSync(join(folder, 'odd.json'), '{"format":"toolpact-proof","version":1}')
  expect((await run(['verify', 'odd.json', '--key', key])).stderr).toContain('not a Toolpact proof file')
})

test('that a ledger continues an earlier checkpoint is proven offline too', async () => {
  const { folder, run, call } = await openLedger({ checkpoints: [{ file: '../kept/checkpoints', write: 'replace' }] })
  await call('Ada')
  cpSync(join(folder, 'kept/checkpoints'), join(folder, 'earlier'))
  await call('Bob', 'Cid')
  expect((await run(['ledger', 'prove', '--from', 'earlier', '--output', 'proof.json'])).code).toBe(0)
  const key = (await run(['ledger', 'key'])).stdout.trim()
  const { code, stdout } = await run(['verify', 'proof.json', '--key', key, '--json'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ valid: true, kind: 'consistency', from: 2, size: 6 })
  const other = await openLedger()
  await other.call('Ada')
  cpSync(join(folder, 'earlier'), join(other.folder, 'earlier'))
  const refused = await other.run(['ledger', 'prove', '--from', 'earlier'])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('of another ledger')
})

/** A process that is killed after it acknowledged three reads, which are in its journal alone. */
async function leaveByKill(
  { folder, state, env }: { folder: string; state: string; env: NodeJS.ProcessEnv },
  signing?: { key: string },
) {
  const source = (path: string) => JSON.stringify(join(import.meta.dirname, '../../src', path))
  writeFileSync(
    join(folder, 'reader.mjs'),
    `import { openSqliteStorage } from ${source('runtime/storage/sqlite/sqlite.ts')}
     import { readJournalSecret } from ${source('app/proof/open-signer.ts')}
     import { toIntent } from ${source('runtime/storage/suite/records.ts')}
     const key = ${JSON.stringify(signing?.key)}
     const journalSecret = key && (async (ledgerId) => readJournalSecret(key, ledgerId))
     const { ledger } = openSqliteStorage({ directory: ${JSON.stringify(state)}, journalSecret })
     await ledger.append(toIntent('before'), { durable: false })
     await ledger.head()
     for (let index = 0; index < 3; index++) await ledger.append(toIntent('killed-' + index), { durable: false })
     process.kill(process.pid, 'SIGKILL')`,
  )
  const child = spawn(process.execPath, [join(folder, 'reader.mjs')], { env, stdio: 'inherit' })
  await once(child, 'exit')
}

function own(folder: string) {
  return ['--config', join(folder, 'config', 'toolpact.json')]
}

async function openLedger(ledger?: object) {
  const { folder, run, env, close } = openCommandFolder()
  onTestFinished(close)
  const config = ledger ? own(folder) : []
  mkdirSync(join(folder, 'config'))
  mkdirSync(join(folder, 'kept'))
  writeFileSync(join(folder, 'config', 'toolpact.json'), JSON.stringify({ ledger: ledger ?? {} }))
  return {
    folder,
    state: join(folder, 'state'),
    run,
    env,
    verify: (...args: string[]) => run(['ledger', '--verify', ...args, ...config]),
    async call(...names: string[]) {
      let stderr = ''
      for (const name of names) {
        const ended = await run(['call', 'learning.hello', `name=${name}`, ...config])
        expect(ended.code).toBe(0)
        stderr += ended.stderr
      }
      return { stderr }
    },
  }
}

/** Changes records, and everything that someone with access to the files can compute: chain, head and note. */
function forge(state: string, change: (text: string) => string) {
  const database = new DatabaseSync(join(state, 'toolpact.db'))
  let previous = '0'.repeat(64)
  let last = 0
  for (const { seq, text } of database.prepare('SELECT seq, text FROM ledger ORDER BY seq').all() as {
    seq: number
    text: string
  }[]) {
    // biome-ignore format: one line
    const forged = change(text)
    previous = hash('sha256', previous + forged)
    last = seq
    database.prepare('UPDATE ledger SET text = ?, hash = ? WHERE seq = ?').run(forged, previous, seq)
  }
  database.prepare('UPDATE head SET seq = ?, hash = ?').run(last, previous)
  database.close()
  rmSync(join(state, 'ledger-head'))
}

function cut(state: string, last: number) {
  const database = new DatabaseSync(join(state, 'toolpact.db'))
  database.prepare('DELETE FROM ledger WHERE seq > ?').run(last)
  database.exec('UPDATE head SET seq = (SELECT max(seq) FROM ledger), hash = (SELECT hash FROM ledger ORDER BY seq DESC LIMIT 1)') // biome-ignore format: one line
  database.close()
  rmSync(join(state, 'ledger-head'))
}

/** Computes the tree of what is there now. */
async function rebuildTree(state: string) {
  const database = new DatabaseSync(join(state, 'toolpact.db'))
  database.exec("DELETE FROM ledger_tiles; UPDATE ledger_tree SET size = 0, frontier = x''")
  database.close()
  const storage = openSqliteStorage({ directory: state })
  await extendTree(storage.proof!)
  await storage.close()
}

import { createHmac, generateKeyPairSync, hash, sign } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openToolpact } from '../../src/app/app.ts'
import type { ConfigSource } from '../../src/app/config/config.ts'
import { type Checkpoint, parseCheckpoint, parseCheckpoints } from '../../src/runtime/storage/proof/checkpoint.ts'
import {
  fromBase64,
  parseVerifierKey,
  toCosigned,
  toSignatureLine,
  toVerifier,
  toVerifierKey,
  type Verifier,
  verifyNote,
} from '../../src/runtime/storage/proof/signed-note.ts'
import { verifyConsistency } from '../../src/runtime/storage/proof/verify-tree.ts'
import { openHttpServer } from '../../src/surfaces/http/open-http-server.ts'
import { createRest } from '../../src/surfaces/rest/rest.ts'

type Places = NonNullable<NonNullable<ConfigSource['ledger']>['checkpoints']>

test('a file gets every checkpoint, or the newest', async () => {
  const directory = makeFolder()
  const [appended, replaced] = [join(makeFolder(), 'all'), join(makeFolder(), 'newest')]
  const places: Places = [{ file: appended }, { file: replaced, write: 'replace' }]
  for (let round = 0; round < 3; round++) expect(await callOnce(directory, places)).toEqual([])
  expect(parseCheckpoints(readFileSync(appended, 'utf8'))?.map(({ size }) => size)).toEqual([2, 4, 6])
  expect(parseCheckpoints(readFileSync(replaced, 'utf8'))?.map(({ size }) => size)).toEqual([6])
  appendFileSync(appended, 'something else\n')
  expect(await callOnce(directory, places)).toEqual([expect.stringContaining('something else than checkpoints')])
})

test('a webhook gets checkpoints, signed as other webhooks are', async () => {
  vi.stubEnv('CHECKPOINT_SECRET', 's3cret')
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const { url, received } = await listen(() => ({ status: 204 }))
  const reports = await callOnce(makeFolder(), [{ webhook: `${url}/hook`, secretEnv: 'CHECKPOINT_SECRET' }])
  expect(reports).toEqual([])
  const { request, body } = received[0]!
  const { event, checkpoint, publicKey, size } = JSON.parse(body)
  expect({ event, size }).toEqual({ event: 'checkpoint', size: 2 })
  const [, time, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(request.headers['toolpact-signature'] as string)!
  expect(v1).toBe(createHmac('sha256', 's3cret').update(`${time}.${body}`).digest('hex'))
  expect(await verifyNote(parseCheckpoint(checkpoint)!.note, [(await parseVerifierKey(publicKey))!])).toHaveLength(1)
})

test('a witness cosigns checkpoints, is asked by verify, and refuses a ledger that was rolled back', async () => {
  const directory = makeFolder()
  const witness = await openWitness()
  const places: Places = [{ witness: witness.url, publicKey: witness.publicKey }]
  expect(await callOnce(directory, places)).toEqual([])
  const backup = makeFolder()
  cpSync(directory, backup, { recursive: true })
  expect(await callOnce(directory, places)).toEqual([])
  expect(witness.latest()!.size).toBe(4)
  const { places: compared, limits, intact } = await verify(directory, places)
  expect(intact).toBe(true)
  expect(compared).toEqual([{ place: `the witness ${witness.url}`, checkpoints: 1, fault: null }])
  expect(limits).toHaveLength(1)
  const proof = await prove(directory, places)
  const cosigners = [(await parseVerifierKey(witness.publicKey))!, (await parseVerifierKey(proof.publicKey))!]
  expect(await verifyNote(parseCheckpoint(proof.checkpoint)!.note, cosigners)).toHaveLength(2)
  expect((await verify(backup, places)).seals.faults).toEqual([
    { fault: 'truncated', reason: expect.stringContaining('it was truncated or rolled back') },
  ])
  expect(await callOnce(backup, places)).toEqual([expect.stringContaining('rolled back')])
  expect(await callOnce(backup, places)).toEqual([expect.stringContaining('the ledger was rolled back or rewritten')])
  expect(witness.latest()!.size).toBe(4)
})

test('another Toolpact keeps checkpoints that continue each other, for their sender alone', async () => {
  vi.stubEnv('PEER_TOKEN', 'token-of-a')
  vi.stubEnv('OTHER_TOKEN', 'token-of-b')
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const peer = await openPeer()
  const directory = makeFolder()
  const places: Places = [{ toolpact: peer, tokenEnv: 'PEER_TOKEN' }]
  expect(await callOnce(directory, places)).toEqual([])
  const backup = makeFolder()
  cpSync(directory, backup, { recursive: true })
  for (let round = 0; round < 3; round++) expect(await callOnce(directory, places)).toEqual([])
  expect(await verify(directory, places)).toMatchObject({ intact: true, places: [{ checkpoints: 1, fault: null }] })
  expect((await verify(backup, places)).seals.faults).toMatchObject([{ fault: 'truncated' }])
  expect(await callOnce(backup, places)).toEqual([expect.stringContaining('truncated or rolled back')])
  const others: Places = [{ toolpact: peer, tokenEnv: 'OTHER_TOKEN' }]
  expect(await callOnce(directory, others)).toEqual([expect.stringContaining('it answered with status 403')])
  expect((await verify(directory, others)).places).toMatchObject([{ checkpoints: 0, fault: null }])
  for (const [body, status] of [
    ['{', 400],
    ['[]', 400],
    ['{"old":-1,"proof":[],"checkpoint":"x","publicKey":"x"}', 400],
    ['{"old":0,"proof":[],"checkpoint":"x","publicKey":"x"}', 400],
  ] as const) {
    const headers = { authorization: 'Bearer token-of-a', 'content-type': 'application/json' }
    const response = await fetch(`${peer}/v1/checkpoints`, { method: 'POST', body, headers })
    expect(response.status).toBe(status)
  }
  expect((await fetch(`${peer}/v1/checkpoints?origin=x`)).status).toBe(401)
})

test('a place that fails is reported once and tried again, and calls do not wait for it', async () => {
  let isBroken = true
  const { url, received } = await listen(() => ({ status: isBroken ? 500 : 200 }))
  const directory = makeFolder()
  const reports: string[] = []
  const config = toConfig([{ webhook: `${url}/` }])
  const toolpact = await openToolpact({ stateDirectory: directory, config, onStorage: (line) => reports.push(line) })
  await toolpact.call('learning.hello', { name: 'Ada' })
  await vi.waitUntil(() => received.length > 0, { timeout: 60_000 })
  await vi.waitUntil(() => reports.length > 0, { timeout: 60_000 })
  expect(reports).toEqual([`A checkpoint of the ledger did not reach the webhook ${url}: it answered with status 500.`])
  expect(toolpact.proof!.status()).toMatchObject({ size: 2, fault: null, places: [{ size: null, fault: 'it answered with status 500' }] }) // biome-ignore format: one line
  isBroken = false
  await toolpact.close()
  expect(reports.at(-1)).toBe(`Checkpoints reach the webhook ${url} again.`)
}, 120_000)

test.each([
  [{}, 'needs one of file, webhook, toolpact and witness'],
  [{ file: '/x', webhook: 'http://127.0.0.1' }, 'needs one of'],
  [{ file: '/x', tokenEnv: 'X' }, 'tokenEnv does not belong to a file'],
])('a place that cannot be used is reported: %j', async (place, why) => {
  const run = callOnce(makeFolder(), [place]).catch((error: Error) => [error.message])
  expect((await run).join()).toContain(Object.keys(place).length === 0 ? 'checkpoints/0' : why)
})

/** A witness as C2SP tlog-witness describes it, for one ledger that it meets first. */
async function openWitness() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = Uint8Array.from(Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url'))
  const own = await toVerifier('witness.example/w1', raw, 'cosignature')
  let latest: (Checkpoint & { note: { text: string }; whole: string }) | undefined
  const { url } = await listen(async (request, body) => {
    if (request.method === 'GET') {
      const isKnown = latest && request.url === `/${hash('sha256', latest.origin)}/checkpoint`
      return isKnown ? { status: 200, body: latest!.whole } : { status: 404 }
    }
    const [head = '', ...rest] = body.split('\n\n')
    const [old = '', ...proof] = head.split('\n')
    const note = rest.join('\n\n')
    const checkpoint = parseCheckpoint(note)
    if (request.url !== '/add-checkpoint' || !/^old (0|[1-9]\d*)$/.test(old) || !checkpoint) return { status: 400 }
    const size = Number(old.slice(4))
    if (size > checkpoint.size) return { status: 400 }
    if (size !== (latest?.size ?? 0)) return { status: 409, body: `${latest?.size ?? 0}\n` }
    const hashes = proof.map((line) => fromBase64(line)!)
    if (latest ? !(await verifyConsistency(latest, checkpoint, hashes)) : proof.length > 0) return { status: 422 }
    const seconds = BigInt(Math.floor(Date.now() / 1000))
    const time = Buffer.alloc(8)
    time.writeBigUInt64BE(seconds)
    const signature = sign(null, Buffer.from(toCosigned(checkpoint.note.text, seconds)), privateKey)
    const line = toSignatureLine(own satisfies Verifier, Buffer.concat([time, signature]))
    latest = { ...checkpoint, whole: `${note}${line}` }
    return { status: 200, body: line }
  })
  return { url, publicKey: toVerifierKey(own), latest: () => latest }
}

async function openPeer(): Promise<string> {
  const toolpact = await openToolpact({ stateDirectory: makeFolder() })
  const callers: { [token: string]: string } = { 'token-of-a': 'a', 'token-of-b': 'b' }
  const server = await openHttpServer({
    host: '127.0.0.1',
    port: 0,
    credentials: {
      identify(token) {
        const name = callers[token ?? '']
        return name === undefined ? { kind: 'missing' } : { kind: 'caller', caller: { name } }
      },
    },
    hosts: [],
    origins: [],
    onFailure: (cause) => {
      throw cause
    },
    toSurfaces: () => [createRest(toolpact, { version: '0', asking: { keepMs: 1000, onWaiting: () => {} } })],
  })
  onTestFinished(async () => {
    await server.close(0)
    await toolpact.close()
  })
  return server.url
}

interface Reply {
  readonly status: number
  readonly body?: string
}

async function listen(answer: (request: IncomingMessage, body: string) => Reply | Promise<Reply>) {
  const received: { request: IncomingMessage; body: string }[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    received.push({ request, body })
    const reply = await answer(request, body)
    response.writeHead(reply.status).end(reply.body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

function toConfig(checkpoints: Places): ConfigSource {
  const hosts = checkpoints.flatMap(({ webhook, toolpact, witness }) => [webhook, toolpact, witness]).filter((url) => url !== undefined) // biome-ignore format: one line
  return { ledger: { checkpoints }, policy: { allowHosts: hosts.map((url) => new URL(url).host) } }
}

async function callOnce(stateDirectory: string, places: Places): Promise<string[]> {
  const reports: string[] = []
  const onStorage = (message: string) => reports.push(message)
  const toolpact = await openToolpact({ stateDirectory, config: toConfig(places), onStorage })
  expect(await toolpact.call('learning.hello', { name: 'Ada' })).toMatchObject({ success: true })
  await toolpact.close()
  return reports
}

async function verify(stateDirectory: string, places: Places) {
  const toolpact = await openToolpact({ stateDirectory, config: toConfig(places), access: 'read' })
  const found = await toolpact.proof!.verify()
  await toolpact.close()
  return found
}

async function prove(stateDirectory: string, places: Places) {
  const toolpact = await openToolpact({ stateDirectory, config: toConfig(places) })
  const [entry] = await toolpact.ledger.read({ last: 1 })
  const proof = await toolpact.proof!.proveCall(entry!.record.callId)
  await toolpact.close()
  return proof
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-places-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

import { chmodSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { openStateFiles } from '../../runtime/storage/files/state-files.ts'
import { createTokenCredentials } from './token-credentials.ts'

function open({ noteEveryMs = 60_000 } = {}) {
  const folder = makeFolder()
  const { tokens } = openStateFiles(() => folder)
  const failures: unknown[] = []
  const credentials = createTokenCredentials({ tokens, lookEveryMs: 1, noteEveryMs, onFailure: (cause) => failures.push(cause) }) // biome-ignore format: one line
  const ask = async (token: string | undefined) => {
    await sleep(5)
    return credentials.identify(token)
  }
  const identify = async (token: string | undefined) => {
    const identified = await ask(token)
    return identified.kind === 'caller' ? identified.caller.name : identified.kind
  }
  return { tokens, failures, identify, ask }
}

test('each token is its caller, and anything else is wrong or missing', async () => {
  const { tokens, identify, ask } = open()
  const local = await tokens.create('local')
  const ci = await tokens.create('ci', { scope: { toolsets: ['files'], readOnly: true } })
  const other = await tokens.create('ci')
  expect(await identify(local.token)).toBe('local')
  expect(await ask(ci.token)).toEqual({ kind: 'caller', caller: { name: 'ci', via: 'token', only: { toolsets: ['files'], readOnly: true } } }) // biome-ignore format: one line
  expect(await ask(other.token)).toEqual({ kind: 'caller', caller: { name: 'ci', via: 'token' } })
  expect(await identify(undefined)).toBe('missing')
  const { token, hash, prefix, id } = local
  const wrong = ['', 'x', token.slice(0, -1), `${token}x`, token.toUpperCase(), hash, prefix, id, '__proto__', 'constructor'] // biome-ignore format: one line
  for (const each of wrong) expect(await identify(each)).toBe('wrong')
  expect(await identify('x'.repeat(1_000_000))).toBe('wrong')
})

test('a token whose caller has a reserved name is refused', async () => {
  const { tokens, identify } = open()
  for (const name of ['stdio', 'agent', 'Local', 'console'])
    expect(await identify((await tokens.create(name)).token)).toBe('wrong')
})

test('tokens that are made, replaced and revoked are noticed', async () => {
  const { tokens, identify, failures } = open()
  expect(await identify('x'.repeat(40))).toBe('wrong')
  const first = await tokens.create('local')
  expect(await identify(first.token)).toBe('local')
  const second = await tokens.rotate([first.id])
  expect(await identify(first.token)).toBe('wrong')
  const third = await tokens.rotate([second!.id], { overlapMs: 600_000 })
  for (const { token } of [second!, third!]) expect(await identify(token)).toBe('local')
  await tokens.revoke([second!.id, third!.id])
  expect(await identify(second!.token)).toBe('wrong')
  expect(failures).toEqual([])
})

test('an expired token is refused, also one that was accepted before, with what to do', async () => {
  const { tokens, ask } = open()
  const { token } = await tokens.create('ci', { expiresAt: new Date(Date.now() + 150).toISOString() })
  expect((await ask(token)).kind).toBe('caller')
  await sleep(200)
  expect(await ask(token)).toMatchObject({
    kind: 'wrong',
    detail: expect.stringMatching(
      /^The token expired at [\d-]+T[\d:]+Z\. Run toolpact token rotate ci for a new one\.$/,
    ),
  })
})

test('the last use is stored, not for every request, and not for a token that is refused', async () => {
  const { tokens, identify } = open({ noteEveryMs: 50 })
  const [used, expired] = [
    await tokens.create('ada'),
    await tokens.create('bob', { expiresAt: '2026-01-01T00:00:00Z' }),
  ]
  for (let count = 0; count < 5; count++) await identify(used.token)
  await identify(expired.token)
  await vi.waitFor(async () => expect(Object.keys(await tokens.lastUses())).toEqual([used.id]))
  const { [used.id]: first } = await tokens.lastUses()
  await sleep(60)
  await identify(used.token)
  await vi.waitFor(async () => expect((await tokens.lastUses())[used.id]! > first!).toBe(true))
})

test('a use that cannot be stored holds nobody up', async () => {
  const { tokens, identify } = open()
  const { token } = await tokens.create('ada')
  const failing = createTokenCredentials({ tokens: { ...tokens, noteUses: () => Promise.reject(new Error('full')) }, noteEveryMs: 1 }) // biome-ignore format: one line
  for (let count = 0; count < 3; count++) {
    expect((await failing.identify(token)).kind).toBe('caller')
    await sleep(10)
  }
  expect(await identify(token)).toBe('ada')
})

test.skipIf(process.platform === 'win32')(
  'tokens that others can read let nobody in, until that is mended',
  async () => {
    const { tokens, failures, identify } = open()
    const { token } = await tokens.create('local')
    expect(await identify(token)).toBe('local')
    chmodSync(tokens.location, 0o644)
    expect(await identify(token)).toBe('unavailable')
    expect(await identify(token)).toBe('unavailable')
    expect(failures).toHaveLength(1)
    expect(String(failures[0])).toContain('may be read by others')
    chmodSync(tokens.location, 0o600)
    expect(await identify(token)).toBe('local')
    rmSync(tokens.location)
    expect(await identify(token)).toBe('unavailable')
    expect(String(failures[1])).toContain('was moved or deleted')
    expect(await identify((await tokens.create('local')).token)).toBe('local')
  },
)

test('tokens that could not be read are read again, although they have not changed, and the failure is reported once', async () => {
  const failures: unknown[] = []
  let isAway = true
  const load = async () => {
    if (isAway) throw new Error('Postgres is away.')
    return []
  }
  const tokens = { load, location: 'here', version: () => '1', noteUses: async () => {} } as never
  const credentials = createTokenCredentials({ tokens, lookEveryMs: 0, onFailure: (cause) => failures.push(cause) })
  for (let look = 0; look < 3; look++) expect(await credentials.identify('x')).toMatchObject({ kind: 'unavailable' })
  expect(failures).toHaveLength(1)
  isAway = false
  expect(await credentials.identify('x')).toMatchObject({ kind: 'wrong' })
})

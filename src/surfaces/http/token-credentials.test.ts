import { chmodSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { openStateFiles } from '../../runtime/storage/files/state-files.ts'
import { createTokenCredentials } from './token-credentials.ts'

function open() {
  const folder = makeFolder()
  const { tokens } = openStateFiles(() => folder)
  const failures: unknown[] = []
  const credentials = createTokenCredentials({ tokens, lookEveryMs: 1, onFailure: (cause) => failures.push(cause) })
  const identify = async (token: string | undefined) => {
    await sleep(5)
    const identified = await credentials.identify(token)
    return identified.kind === 'caller' ? identified.caller.name : identified.kind
  }
  return { tokens, failures, identify, tokenOf: credentials.tokenOf! }
}

test('each token is its caller, and anything else is wrong or missing', async () => {
  const { tokens, identify, tokenOf } = open()
  const local = await tokens.ensure('local')
  const ci = await tokens.ensure('ci')
  expect(await identify(local.token)).toBe('local')
  expect(await identify(ci.token)).toBe('ci')
  expect(await identify(undefined)).toBe('missing')
  for (const wrong of ['', 'x', local.token.slice(0, -1), `${local.token}x`, local.token.toUpperCase()])
    expect(await identify(wrong)).toBe('wrong')
  expect(await tokenOf('ci')).toBe(ci.token)
  expect(await tokenOf('nobody')).toBeUndefined()
})

test('a token in the file whose caller has a reserved name is refused', async () => {
  const { tokens, identify } = open()
  for (const name of ['stdio', 'agent', 'Local'])
    expect(await identify((await tokens.ensure(name)).token)).toBe('wrong')
})

test('tokens that are made, replaced and removed are noticed', async () => {
  const { tokens, identify } = open()
  expect(await identify('x'.repeat(40))).toBe('wrong')
  const first = await tokens.ensure('local')
  expect(await identify(first.token)).toBe('local')
  const second = await tokens.rotate('local')
  expect(await identify(first.token)).toBe('wrong')
  expect(await identify(second!.token)).toBe('local')
  await tokens.remove('local')
  expect(await identify(second!.token)).toBe('wrong')
})

test.skipIf(process.platform === 'win32')(
  'tokens that others can read let nobody in, until that is mended',
  async () => {
    const { tokens, failures, identify } = open()
    const { token } = await tokens.ensure('local')
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
    expect(await identify((await tokens.ensure('local')).token)).toBe('local')
  },
)

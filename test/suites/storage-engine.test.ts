import { expect, test } from 'vitest'
import { openToolpact } from '../../src/index.ts'
import { createTokenCredentials } from '../../src/surfaces/http/token-credentials.ts'
import { openToyEngine } from '../helpers/toy-engine.ts'

const write = { path: 'a', content: 'text' }

test('a program opens Toolpact on an engine of its own, whose rules and records it uses', async () => {
  const storage = openToyEngine()
  await using toolpact = await open(storage)
  expect(await toolpact.call('workspace.create_file', write)).toMatchObject({ error: { code: 'approval_denied' } })
  const { id } = await toolpact.rules.add({
    tool: 'workspace.create_file',
    pattern: '.*',
    action: 'deny',
    createdBy: 'Ada',
  })
  expect(await storage.rules.load()).toMatchObject([{ id, action: 'deny' }])
  expect(await toolpact.call('workspace.create_file', write)).toMatchObject({ error: { code: 'denied' } })
  await storage.rules.remove(id)
  expect(await toolpact.call('workspace.create_file', write)).toMatchObject({ error: { code: 'approval_denied' } })
  const codes = (await storage.ledger.read()).map(({ record }) => 'errorCode' in record && record.errorCode)
  expect(codes).toEqual(['approval_denied', 'denied', 'approval_denied'])
})

test('while the rules of an engine cannot be read no call runs, and calls run again once they can', async () => {
  const storage = openToyEngine()
  let isDown = false
  const orFail = async <Value>(value: Value | Promise<Value>) => {
    if (isDown) throw new Error('The database is down.')
    return value
  }
  const { version, load } = storage.rules
  const rules = { ...storage.rules, version: () => orFail(version()), load: () => orFail(load()) }
  await using toolpact = await open({ ...storage, rules })
  await storage.rules.add(denyAll)
  expect(await toolpact.call('learning.hello', { name: 'Ada' })).toMatchObject({ success: true })
  isDown = true
  expect(await toolpact.call('learning.hello', { name: 'Ada' })).toMatchObject({ success: false })
  isDown = false
  expect(await toolpact.call('learning.hello', { name: 'Ada' })).toMatchObject({ success: true })
  expect(await toolpact.call('workspace.create_file', write)).toMatchObject({ error: { code: 'denied' } })
})

test('tokens of an engine that answers later identify callers, also many at once and after it was down', async () => {
  const { tokens } = openToyEngine()
  let isDown = false
  const version = async () => {
    if (isDown) throw new Error('The database is down.')
    return tokens.version()
  }
  const load = async () => {
    if (isDown) throw new Error('The database is down.')
    return tokens.load()
  }
  const { token } = await tokens.create('ada')
  const credentials = createTokenCredentials({ tokens: { ...tokens, version, load }, lookEveryMs: 0 })
  const identifyMany = () => Promise.all(Array.from({ length: 20 }, () => credentials.identify(token)))
  const ada = { kind: 'caller', caller: { name: 'ada', via: 'token' } }
  expect(new Set((await identifyMany()).map(({ kind }) => kind))).toEqual(new Set(['caller']))
  isDown = true
  expect(await credentials.identify(token)).toMatchObject({ kind: 'unavailable' })
  isDown = false
  expect(await credentials.identify(token)).toEqual(ada)
})

const denyAll = {
  id: 'deny',
  tool: 'workspace.create_file',
  pattern: '.*',
  action: 'deny',
  scope: 'everywhere',
  createdBy: 'Ada',
  createdAt: '2026-01-02T03:04:05.678Z',
} as const

async function open(storage: ReturnType<typeof openToyEngine>) {
  const toolpact = await openToolpact({ storage, toolsets: ['learning', 'workspace'] })
  return { ...toolpact, [Symbol.asyncDispose]: () => toolpact.close() }
}

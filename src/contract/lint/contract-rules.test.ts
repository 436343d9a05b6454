import { expect, test } from 'vitest'
import { cleanContract, findings } from '../../../test/data/clean-contract.ts'
import { lintContract } from '../lint-contract.ts'

test('a contract without a fault has no problems', async () => {
  expect(await lintContract(cleanContract())).toEqual([])
})

test('name-form: letters, digits, _ . and - after a letter', async () => {
  expect(await findings('name-form', { name: 'read note' })).toEqual(['/name'])
  expect(await findings('name-form', { name: '1st' })).toEqual(['/name'])
  expect(await findings('name-form', { name: 'search.web_2-b' })).toEqual([])
})

test('place-form: transport and endpoint are one line of visible text', async () => {
  for (const text of ['', ' mcp', 'two\nlines', 'a\u2028b', 'a\u202eb', 'x'.repeat(201)]) {
    expect(await findings('place-form', { transport: text }), text).toEqual(['/transport'])
    expect(await findings('place-form', { endpoint: text }), text).toEqual(['/endpoint'])
  }
  expect(await findings('place-form', { transport: 'mcp (stdio)', endpoint: 'https://a.example/mcp' })).toEqual([])
})

test('transport-known: an unknown transport is reported', async () => {
  expect(await findings('transport-known', { transport: 'pigeon' })).toEqual(['/transport'])
  expect(await findings('transport-known', { transport: 'mcp (stdio server on Mini)' })).toEqual([])
  expect(await findings('transport-known', { transport: 'HTTPS' })).toEqual([])
})

test.each([
  '',
  '  ',
  'TODO',
  'todo...',
  'TODO: describe the tool.',
  'Read note',
  'read_note',
  'Reads.',
  'To be done: TBD',
])('description-says: %j does not say what the tool does', async (description) => {
  expect(await findings('description-says', { description })).toEqual(['/description'])
})

test('description-says: three words can be enough', async () => {
  expect(await findings('description-says', { description: 'Lists the notes.' })).toEqual([])
  expect(await findings('description-says', { description: 'Adds a todo to the list.' })).toEqual([])
})

test('description-ends: a sentence has an end', async () => {
  expect(await findings('description-ends', { description: 'Reads one note of the' })).toEqual(['/description'])
  expect(await findings('description-ends', { description: 'Reads one note (or “two”.)' })).toEqual([])
})

test('version-semver: three numbers', async () => {
  for (const version of ['1', '1.0', 'v1.0.0', '1.0.0.0', '01.0.0']) {
    expect(await findings('version-semver', { version })).toEqual(['/version'])
  }
  for (const version of ['0.1.0', '10.20.30', '1.0.0-beta.1+build.5']) {
    expect(await findings('version-semver', { version })).toEqual([])
  }
})

test('limits-sane: whole numbers that let a call through', async () => {
  const limits = { timeoutMs: 0, inputBytes: 1.5, outputBytes: -1, concurrency: 0, calls: { count: 0, windowMs: NaN } }
  expect(await findings('limits-sane', { limits })).toEqual([
    '/limits/timeoutMs',
    '/limits/inputBytes',
    '/limits/outputBytes',
    '/limits/concurrency',
    '/limits/calls/count',
    '/limits/calls/windowMs',
  ])
  const least = { timeoutMs: 1, inputBytes: 2, outputBytes: 2, concurrency: 1, calls: { count: 1, windowMs: 1 } }
  expect(await findings('limits-sane', { limits: least })).toEqual([])
})

test('timeout-short: a timeout over an hour is reported', async () => {
  const limits = { timeoutMs: 3_600_001, inputBytes: 2, outputBytes: 2 }
  expect(await findings('timeout-short', { limits })).toEqual(['/limits/timeoutMs'])
  expect(await findings('timeout-short', { limits: { ...limits, timeoutMs: 3_600_000 } })).toEqual([])
})

test('effects-declared: an effect names text of the input', async () => {
  const effects = { reads: ['path', 'pth'], fetches: ['lines'], runs: ['toString'] }
  expect(await findings('effects-declared', { effects })).toEqual([
    '/effects/reads/1',
    '/effects/fetches/0',
    '/effects/runs/0',
  ])
  const input = {
    type: 'object',
    properties: {
      paths: { type: 'array', items: { type: 'string' } },
      page: { type: ['string', 'null'] },
      branch: { enum: ['main', 'next'] },
    },
    additionalProperties: false,
  }
  expect(
    await findings('effects-declared', { input, effects: { reads: ['paths', 'branch'], fetches: ['page'] } }),
  ).toEqual([])
})

test('effects-declared: a receiver is text of the input too', async () => {
  expect(await findings('effects-declared', { effects: { sends: ['path', 'to'] } })).toEqual(['/effects/sends/1'])
})

test('data-flow: kinds of data are known, receivers are visible, and asking per host needs a host', async () => {
  const effects = {
    returns: ['private', 'secret' as 'private'],
    sendsTo: ['api.example.com', 'a\nb'],
    askPerHost: true,
  }
  expect(await findings('data-flow', { effects })).toEqual([
    '/effects/returns/1',
    '/effects/sendsTo/1',
    '/effects/askPerHost',
  ])
  const sound = { fetches: ['path'], returns: [], sendsTo: ['operator'], askPerHost: true }
  expect(await findings('data-flow', { effects: sound })).toEqual([])
})

test('risk-fits-effects: what writes or runs is not read_only', async () => {
  expect(await findings('risk-fits-effects', { effects: { writes: ['path'] } })).toEqual(['/risk'])
  expect(await findings('risk-fits-effects', { effects: { runs: ['path'] } })).toEqual(['/risk'])
  expect(await findings('risk-fits-effects', { effects: { reads: ['path'], fetches: ['path'], writes: [] } })).toEqual(
    [],
  )
  expect(await findings('risk-fits-effects', { effects: { writes: ['path'] }, risk: 'safe_write' })).toEqual([])
})

test('danger-asks: a dangerous tool asks first', async () => {
  expect(await findings('danger-asks', { risk: 'dangerous', approval: 'never' })).toEqual(['/approval'])
  expect(await findings('danger-asks', { risk: 'dangerous', approval: 'ask' })).toEqual([])
  expect(await findings('danger-asks', { risk: 'safe_write', approval: 'never' })).toEqual([])
})

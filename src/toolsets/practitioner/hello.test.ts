import { expect, onTestFinished, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { openToolpact, type ToolpactOptions } from '../../app/app.ts'
import type { CallFailure } from '../../contract/call-result.ts'

async function open(options: ToolpactOptions = { storage: 'memory' }) {
  const toolpact = await openToolpact({ toolsets: ['practitioner'], ...options })
  onTestFinished(() => toolpact.close())
  const hello = (input: unknown, caller = 'tester') =>
    toolpact.call('practitioner.hello', input, { caller: { name: caller } })
  return { ...toolpact, hello }
}

test.each([
  ['the world, by default', {}, 'Hello, World!'],
  ['a name', { name: 'Learner' }, 'Hello, Learner!'],
  ['nobody', { name: '' }, 'Hello, !'],
  ['a name in another script', { name: '李小龙' }, 'Hello, 李小龙!'],
  ['an emoji', { name: '👩‍🚀' }, 'Hello, 👩‍🚀!'],
  ['a name with quotes and tags', { name: `"<i>O'Neil</i>"` }, `Hello, "<i>O'Neil</i>"!`],
  ['a name of a thousand characters', { name: 'x'.repeat(1000) }, `Hello, ${'x'.repeat(1000)}!`],
])('greets %s', async (_what, input, message) => {
  const { hello } = await open()
  const result = await hello(input)
  expect(result).toMatchObject({ success: true, tool: 'practitioner.hello' })
  expect(result.success && result.output).toEqual({ message, timestamp: expect.any(String) })
})

test('the timestamp is the time of the call, with its zone', async () => {
  const { hello } = await open()
  const before = Date.now()
  const result = await hello({})
  const timestamp = result.success ? String(result.output.timestamp) : ''
  expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(before)
  expect(Date.parse(timestamp)).toBeLessThanOrEqual(Date.now())
})

test.each([
  ['a number', { name: 5 }, '/name', 'type'],
  ['null', { name: null }, '/name', 'type'],
  ['a list for an input', [], '', 'type'],
  ['nothing for an input', null, '', 'type'],
])('%s is refused', async (_what, input, pointer, keyword) => {
  const { hello } = await open()
  const { error } = (await hello(input)) as CallFailure
  expect(error).toMatchObject({ code: 'invalid_input', status: 400, problems: [{ pointer, keyword }] })
})

test('an unknown key is refused', async () => {
  const { hello } = await open()
  expect(await hello({ nme: 'Ada' })).toMatchObject({
    error: { code: 'invalid_input', problems: [{ keyword: 'additionalProperties' }] },
  })
})

test('more than 64 KB are refused', async () => {
  const { hello } = await open()
  expect(await hello({ name: 'x'.repeat(65_536) })).toMatchObject({ error: { code: 'input_too_large', status: 413 } })
})

test.each(['memory', 'sqlite'] as const)(
  'the 101st call within a minute is refused, with %s storage',
  async (storage) => {
    const { hello } = await open({ storage, stateDirectory: makeFolder() })
    const started = Date.now()
    for (let call = 1; call <= 100; call++) expect(await hello({}), `call ${call}`).toMatchObject({ success: true })
    const refused = (await hello({})) as CallFailure
    expect(refused.error).toMatchObject({ code: 'rate_limited', status: 429, fixable: true })
    expect(refused.error.message).toBe("'practitioner.hello' allows 100 calls in 60 s, and they are used up.")
    const { retryAfterMs } = refused.error
    expect(retryAfterMs).toBeGreaterThan(0)
    expect(retryAfterMs).toBeLessThanOrEqual(60_000)
    expect(started + 60_000 - Date.now()).toBeLessThanOrEqual(retryAfterMs!)
    expect(refused.error.suggestion).toBe(`Call again in ${Math.ceil(retryAfterMs! / 1000)} s.`)
    expect(await hello({}, 'another caller')).toMatchObject({ success: true })
  },
)

test('invalid calls do not count', async () => {
  const { hello } = await open()
  for (let call = 0; call < 150; call++) await hello({ name: 5 })
  expect(await hello({})).toMatchObject({ success: true })
})

test('the limit outlives the process: it is kept in the state directory', async () => {
  const stateDirectory = makeFolder()
  const first = await openToolpact({ toolsets: ['practitioner'], stateDirectory })
  await Promise.all(Array.from({ length: 100 }, () => first.call('practitioner.hello', {})))
  await first.close()
  const second = await openToolpact({ toolsets: ['practitioner'], stateDirectory })
  onTestFinished(() => second.close())
  expect(await second.call('practitioner.hello', {})).toMatchObject({ error: { code: 'rate_limited' } })
})

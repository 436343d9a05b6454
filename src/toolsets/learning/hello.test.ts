import { afterAll, expect, test } from 'vitest'
import { openToolpact } from '../../app/app.ts'
import type { CallFailure } from '../../contract/call-result.ts'

const toolpact = await openToolpact({ storage: 'memory', toolsets: ['learning'] })
afterAll(() => toolpact.close())
const hello = (input: unknown) => toolpact.call('learning.hello', input)

test.each([
  ['a name', 'Ada'],
  ['a name of two words', 'Grace Hopper'],
  ['a name with an accent', 'José'],
  ['a name in another script', '李小龙'],
  ['a name from right to left', 'مريم'],
  ['an emoji', '👩‍🚀'],
  ['a name with quotes and tags', `"<b>O'Neil</b>"`],
  ['a name with a line break', 'Ada\nLovelace'],
  ['a name that looks like code', '{{name}} $(id) `id`'],
  ['one character', 'A'],
  ['nothing, which is a name too', ''],
  ['100 characters', 'x'.repeat(100)],
  ['100 characters of two units each', '🙂'.repeat(100)],
])('greets %s', async (_what, name) => {
  expect(await hello({ name })).toMatchObject({ success: true, output: { greeting: `Hello, ${name}!` } })
})

test('a name is required, and the caller is told so', async () => {
  const { error } = (await hello({})) as CallFailure
  expect(error).toMatchObject({ code: 'invalid_input', status: 400, fixable: true })
  expect(error.problems).toMatchObject([{ keyword: 'required', message: expect.stringContaining('name') }])
})

test.each([
  ['101 characters', { name: 'x'.repeat(101) }, '/name', 'maxLength'],
  ['101 characters of two units each', { name: '🙂'.repeat(101) }, '/name', 'maxLength'],
  ['a number', { name: 5 }, '/name', 'type'],
  ['null', { name: null }, '/name', 'type'],
  ['a list', { name: ['Ada'] }, '/name', 'type'],
  ['a list for an input', ['Ada'], '', 'type'],
  ['text for an input', 'Ada', '', 'type'],
])('%s is refused', async (_what, input, pointer, keyword) => {
  const { error } = (await hello(input)) as CallFailure
  expect(error).toMatchObject({ code: 'invalid_input', problems: [{ pointer, keyword }] })
})

test('an unknown key is refused', async () => {
  const { error } = (await hello({ name: 'Ada', loud: true })) as CallFailure
  expect(error).toMatchObject({ code: 'invalid_input', problems: [{ keyword: 'additionalProperties' }] })
})

test('it has no side effects, needs no approval and has no rate limit', async () => {
  const entry = await toolpact.catalog.find('hello')
  expect(entry).toMatchObject({
    kind: 'found',
    id: 'learning.hello',
    tool: { contract: { risk: 'read_only', approval: 'never', effects: {}, errors: [] } },
  })
  const results = await Promise.all(Array.from({ length: 200 }, () => hello({ name: 'Ada' })))
  expect(results.every((result) => result.success)).toBe(true)
})

test('two calls at once do not mix', async () => {
  const names = Array.from({ length: 50 }, (_, number) => `Ada ${number}`)
  const results = await Promise.all(names.map((name) => hello({ name })))
  expect(results.map((result) => result.success && result.output.greeting)).toEqual(
    names.map((name) => `Hello, ${name}!`),
  )
})

import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defineEcho } from '../../../test/helpers/open-test-pipeline.ts'
import { forgedDelimiter } from './check-question.ts'
import { toOffer } from './offer.ts'
import { decidePlan, planFaults, type Said } from './plan.ts'

const offer = await toOffer(
  ['echo', 'read.file'].map((name) => ({
    id: `test.${name}`,
    functionName: `test_${name.replace('.', '_')}`,
    toolset: 'test',
    tool: defineEcho({ name }),
  })),
  { catalog: { find: async () => ({ kind: 'unknown' }) } },
)
const args = { text: 'hi' }
const plan = { type: 'call_tool', server: 'test', tool: 'echo', args }

const text = (value: unknown): Said => ({
  text: typeof value === 'string' ? value : JSON.stringify(value),
  toolCalls: [],
})
const call = (name: string, input: unknown, beside = ''): Said => ({
  text: beside,
  toolCalls: [{ id: '1', name, arguments: typeof input === 'string' ? input : JSON.stringify(input) }],
})
const two: Said = {
  text: '',
  toolCalls: ['1', '2'].map((id) => ({ id, name: 'test_echo', arguments: '{"text":"hi"}' })),
}
const ask = { type: 'final_answer', answer: 'Which file?', needs_more_info: true }

test('a function call and a JSON object are the same plan', () => {
  const passed = { passed: true, plan }
  expect(decidePlan(call('test_echo', args), offer)).toEqual(passed)
  expect(decidePlan(text(plan), offer)).toEqual(passed)
  expect(decidePlan(text(`\n ${JSON.stringify(plan)} \n`), offer)).toEqual(passed)
  expect(decidePlan({ plan }, offer)).toEqual(passed)
  expect(decidePlan(call('test_read_file', args), offer)).toEqual({
    passed: true,
    plan: { ...plan, tool: 'read.file' },
  })
})

test('a model may ask for more information, in both protocols', () => {
  const { type, ...fields } = ask
  expect(decidePlan(text(ask), offer)).toEqual({ passed: true, plan: ask })
  expect(decidePlan(call(type, fields), offer)).toEqual({ passed: true, plan: ask })
})

const refused: readonly (readonly [keyof typeof planFaults, Said])[] = [
  ['plan_empty', text('')],
  ['plan_not_json', text('Sure, here it is.')],
  ['plan_not_json', text('{"type":')],
  ['plan_not_json', text("{'type':'call_tool'}")],
  ['plan_not_json', text('{"type":"call_tool","server":"test","tool":"echo","args":{"__proto__":{}}}')],
  ['plan_not_json', call('test_echo', '')],
  ['plan_text_around', text(`Here: ${JSON.stringify(plan)}`)],
  ['plan_text_around', text(`${JSON.stringify(plan)}\nDone.`)],
  ['plan_text_around', text(`${JSON.stringify(plan)}${JSON.stringify(plan)}`)],
  ['plan_text_around', call('test_echo', args, 'I will call echo.')],
  ['plan_fenced', text(`\`\`\`json\n${JSON.stringify(plan)}\n\`\`\``)],
  ['plan_not_object', text([plan])],
  ['plan_not_object', text('"call_tool"')],
  ['plan_not_object', text('null')],
  ['plan_two_calls', two],
  ['plan_duplicate_key', text('{"type":"call_tool","type":"final_answer"}')],
  ['plan_too_large', text({ ...plan, args: { text: 'a'.repeat(262_144) } })],
  ['plan_too_deep', text(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`)],
  ['plan_unknown_type', text({ ...plan, type: 'call' })],
  ['plan_unknown_type', text({ server: 'test', tool: 'echo', args })],
  ['plan_unknown_key', text({ ...plan, approved: true })],
  ['plan_unknown_key', text({ ...ask, tool: 'echo' })],
  ['plan_unknown_key', call('final_answer', plan)],
  ['plan_missing_key', text({ type: 'call_tool', server: 'test', tool: 'echo' })],
  ['plan_wrong_type', text({ ...plan, server: 1 })],
  ['plan_wrong_type', text({ ...plan, tool: ['echo'] })],
  ['plan_wrong_type', text({ ...ask, answer: ' ' })],
  ['plan_unknown_server', text({ ...plan, server: 'tests' })],
  ['plan_unknown_server', text({ ...plan, server: 'constructor' })],
  ['plan_unknown_tool', text({ ...plan, tool: 'toString' })],
  ['plan_unknown_tool', text({ ...plan, tool: 'Echo' })],
  ['plan_unknown_tool', text({ ...plan, tool: 'test.echo' })],
  ['plan_unknown_tool', call('echo', args)],
  ['plan_unknown_tool', call('test.echo', args)],
  ['plan_args_not_object', text({ ...plan, args: [args] })],
  ['plan_args_not_object', text({ ...plan, args: '{"text":"hi"}' })],
  ['plan_args_not_object', call('test_echo', 'null')],
  ['plan_ungrounded', text({ type: 'final_answer', answer: 'Paris.' })],
  ['plan_ungrounded', text({ ...ask, needs_more_info: false })],
  ['plan_ungrounded', text({ ...ask, needs_more_info: 'true' })],
]

test.each(refused)('%s (%#)', (code, said) => {
  expect(decidePlan(said, offer)).toEqual({ passed: false, code, reason: expect.stringMatching(/[.]$/) })
})

test('every fault is met here', () => {
  expect(Object.keys(planFaults).filter((code) => !refused.some(([met]) => met === code))).toEqual([])
})

test('a plan with one character added or removed is refused or read literally', () => {
  const whole = JSON.stringify(plan)
  const place = fc.integer({ min: 0, max: whole.length })
  const character = fc.oneof(
    fc.string({ minLength: 0, maxLength: 2 }),
    fc.constantFrom('{', '}', '"', ',', '\\', '`', ' '),
  )
  fc.assert(
    fc.property(place, fc.integer({ min: 0, max: 1 }), character, (at, taken, given) => {
      const changed = `${whole.slice(0, at)}${given}${whole.slice(at + taken)}`
      const verdict = decidePlan(text(changed), offer)
      if (verdict.passed) expect(verdict.plan).toEqual(JSON.parse(changed))
    }),
    { numRuns: 500 },
  )
})

test('docs/chat.md lists every fault and the built-in pattern', () => {
  const page = readFileSync(new URL('../../../docs/chat.md', import.meta.url), 'utf8')
  for (const [code, words] of Object.entries(planFaults)) expect(page).toContain(`| \`${code}\` | ${words} |`)
  expect(page).toContain(`\`${forgedDelimiter.name}\``)
})

test('a similar name is suggested, not used', () => {
  expect(decidePlan(text({ ...plan, tool: 'ecko' }), offer)).toMatchObject({
    reason: 'The model was not offered "ecko"; "echo" is near.',
  })
})
